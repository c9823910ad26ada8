"""``python -m warden`` is the command ``warden``."""

from warden.commands import main

if __name__ == "__main__":
    main()
