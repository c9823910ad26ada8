// Prints what became of a request: "ok", or all that the client's error says, in one line.
const said = (error) => [error.message, error.serverErrorMessage, ...(error.errors ?? []).map(said)].filter(Boolean).join("; ");

export async function show(what, request) {
  try {
    await request();
    console.log(`${what} ok`);
  } catch (error) {
    console.log(`${what} ${said(error).replaceAll("\n", " ")}`);
  }
}
