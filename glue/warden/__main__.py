"""``python -m warden`` is the command ``warden``."""

from warden.cli import main

if __name__ == "__main__":
    main()
