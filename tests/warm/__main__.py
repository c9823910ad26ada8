"""Keep warm programs for the tests of this checkout, until Ctrl-C: ``python -m tests.warm``."""

import argparse
import sys

from tests.warm.keeper import Keeper
from tests.warm.socket_address import find_socket
from warden.base.errors import WardenError
from warden.base.process.signals import stop_at_signal


def main() -> None:
    """Run the keeper."""
    parser = argparse.ArgumentParser(prog="python -m tests.warm", description=__doc__)
    parser.add_argument("--most", type=int, default=8, help="how many programs are kept at most (default: 8)")
    options = parser.parse_args()
    socket = find_socket()
    if socket is None:
        sys.exit("WARDEN_TEST_WARM: tests start their own programs here: write the path of a socket, or unset it")
    try:
        keeper = Keeper(socket, options.most, lambda line: print(line, flush=True))
    except WardenError as error:
        sys.exit(f"{error}")
    stop_at_signal(keeper.close)
    print(f"runs of tests take warm programs from {socket}; Ctrl-C ends them", flush=True)
    keeper.run()


if __name__ == "__main__":
    main()
