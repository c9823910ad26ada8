package warden.broker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.errors.PolicyViolationException;

/** Asks OPA, within a budget, and says what is refused. One for each broker's process: its three classes share it. */
final class Decider {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final long TICK_MS = 500, START_MS = 3_000;
    private static Decider decider;

    final Settings settings;
    final Counts counts;
    final Grants grants;
    private final Pending pending = new Pending();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .proxy(HttpClient.Builder.NO_PROXY).connectTimeout(Duration.ofSeconds(1)).build();
    private volatile String token = "";

    private Decider(Settings settings) {
        this.settings = settings;
        counts = new Counts(settings.logLines());
        counts.register();
        grants = new Grants(counts);
        counts.opaFails = true;
        long start = System.nanoTime();
        do {
            probe(); // the first answers are the slowest: better here than on the controller's thread
        } while (counts.opaFails && System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(START_MS));
        if (counts.opaFails) {
            counts.warn("OPA at " + settings.opa() + " does not answer within " + settings.budgetMs() + " ms: "
                + consequence());
        }
        Thread watch = new Thread(this::watch, "warden-opa-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /** The decider of this process; where settings differ, which only happens between tests, a new one. */
    static synchronized Decider of(Map<String, ?> configs) {
        Settings settings = Settings.read(configs);
        if (decider == null || !decider.settings.equals(settings)) {
            decider = new Decider(settings);
        }
        return decider;
    }

    /** A decision input's own part: what is asked of which principal. */
    ObjectNode item(String operation, ObjectNode request, Grants.Request from) {
        ObjectNode item = JSON.createObjectNode().put("operation", operation);
        item.set("request", request);
        item.putObject("principal").put("type", from.type).put("name", from.name).put("host", from.host);
        item.putObject("api").put("key", from.api).put("version", from.version);
        return item;
    }

    /** Throws where the policy refuses what Kafka's policies are asked about: Kafka gives the text to the client. */
    void require(String subject, List<ObjectNode> items, List<Grants.Request> requests) {
        List<String> refusals;
        if (items.isEmpty()) { // asked longer ago than is remembered, or by a way that is not known: it may be anybody
            refusals = undecided(subject, 1, "nobody knows which principal asks");
        } else {
            refusals = refusals(subject, items, requests);
        }
        for (String refusal : refusals) {
            if (refusal != null) {
                throw new PolicyViolationException(refusal);
            }
        }
    }

    /** Why each of the items is refused, null where it is let through. Never throws. */
    List<String> refusals(String subject, List<ObjectNode> items, List<Grants.Request> requests) {
        long start = System.nanoTime();
        try {
            if (counts.opaFails) {
                return undecided(subject, items.size(), "OPA does not answer");
            }
            long left = TimeUnit.MILLISECONDS.toNanos(settings.requestBudgetMs()) - grants.spentNanos(requests);
            if (left <= 0) {
                return undecided(subject, items.size(), "the decisions of this request took "
                    + settings.requestBudgetMs() + " ms; ask for less in one request");
            }
            long budget = Math.min(left, TimeUnit.MILLISECONDS.toNanos(settings.budgetMs()) * items.size());
            return carryOut(subject, items, ask(items, budget));
        } catch (Exception | StackOverflowError error) {
            open(error);
            return undecided(subject, items.size(), "OPA does not answer");
        } finally {
            long waited = System.nanoTime() - start;
            grants.spend(requests, waited);
            counts.addWait(waited);
        }
    }

    private JsonNode ask(List<ObjectNode> items, long budget) throws Exception {
        ObjectNode input = JSON.createObjectNode(), byKey = input.putObject("items");
        ObjectNode common = input.putObject("common").put("cluster", settings.cluster());
        common.put("enforcementPoint", "broker").set("pending", JSON.valueToTree(pending.sums()));
        var order = input.putArray("order");
        for (int i = 0; i < items.size(); i++) {
            byKey.set(Integer.toString(i), items.get(i));
            order.add(Integer.toString(i));
        }
        JsonNode decisions = post("kafka/decisions", input, budget);
        for (int i = 0; i < items.size(); i++) {
            if (!decisions.path(Integer.toString(i)).path("allowed").isBoolean()) {
                throw new IOException("OPA's answer has no decision: " + shorten(decisions.toString(), 200));
            }
        }
        return decisions;
    }

    private List<String> carryOut(String subject, List<ObjectNode> items, JsonNode decisions) {
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            JsonNode decision = decisions.path(Integer.toString(i));
            pending.forget(decision.path("stateAge"));
            if (decision.path("allowed").booleanValue()) {
                counts.allowed.increment();
                pending.add(decision.path("charges"));
                refusals.add(null);
            } else {
                counts.denied.increment();
                String text = decision.path("error").path("message").asText("denied by policy");
                JsonNode principal = items.get(i).path("principal");
                counts.warn((settings.dryrun() ? "would be denied: " : "denied: ") + items.get(i).path("operation")
                    .asText() + " of " + subject + " by " + principal.path("type").asText() + ":"
                    + principal.path("name").asText() + ": " + text);
                refusals.add(settings.dryrun() ? null : shorten(text, 8_000));
            }
        }
        return refusals;
    }

    private List<String> undecided(String subject, int number, String reason) {
        counts.undecided.add(number);
        boolean denied = !settings.dryrun() && !settings.allowUndecided();
        counts.warn("not decided, and " + (denied ? "denied: " : "let through: ") + subject + ": " + reason);
        String text = "the policy has not decided about " + subject + ": " + reason;
        return Collections.nCopies(number, denied ? text : null);
    }

    /** The plugin's breaker: from here on nobody waits, until OPA has answered the watching thread. */
    private void open(Throwable error) {
        if (!counts.opaFails) {
            counts.opaFails = true;
            String what = error instanceof TimeoutException ? "no answer in time" : error.toString();
            counts.warn("OPA at " + settings.opa() + " failed (" + shorten(what, 400) + "): " + consequence());
        }
    }

    private String consequence() {
        return "until it answers, creations, changes of configs and deletions are "
            + (settings.dryrun() || settings.allowUndecided() ? "let through undecided" : "denied");
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(TICK_MS);
                if (counts.opaFails && probe()) {
                    counts.warn("OPA at " + settings.opa() + " answers");
                }
            } catch (InterruptedException error) {
                return;
            }
        }
    }

    /** Whether OPA answers within a decision's budget; so one that is merely slow is not waited for again and again. */
    private boolean probe() {
        ObjectNode input = JSON.createObjectNode();
        input.putArray("clusters").add(settings.cluster());
        try {
            if (settings.tokenFile() != null) {
                token = Files.readString(settings.tokenFile()).strip();
            }
            JsonNode unknown = post("kafka/unknown_clusters", input, TimeUnit.MILLISECONDS.toNanos(settings.budgetMs()));
            if (!unknown.isObject()) {
                return false;
            }
            unknown.forEach(sentence -> counts.warn(sentence.asText()));
            counts.opaFails = false;
            return true;
        } catch (Exception error) {
            return false;
        }
    }

    private JsonNode post(String entryPoint, ObjectNode input, long budget) throws Exception {
        ObjectNode document = JSON.createObjectNode();
        document.set("input", input);
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(settings.opa() + "/v1/data/" + entryPoint))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(document)));
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        long end = System.nanoTime() + budget;
        HttpResponse<byte[]> response;
        try {
            response = send(builder.build(), end);
        } catch (IOException closed) { // by OPA, which has started anew since the last request
            response = send(builder.build(), end);
        }
        JsonNode result = response.statusCode() == 200 ? JSON.readTree(response.body()).path("result") : null;
        if (result == null || result.isMissingNode()) {
            throw new IOException("status " + response.statusCode() + ": "
                + shorten(new String(response.body(), java.nio.charset.StandardCharsets.UTF_8), 200));
        }
        return result;
    }

    private HttpResponse<byte[]> send(HttpRequest request, long end) throws Exception {
        CompletableFuture<HttpResponse<byte[]>> future =
            client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        try {
            return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException error) {
            throw error.getCause() instanceof IOException cause ? cause : error;
        } finally {
            future.cancel(true);
        }
    }

    private static String shorten(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }
}
