"""The same stand-ins for programs as the tests of `warden.toolchain` have."""

from tests.toolchain.conftest import bare, script

__all__ = ["bare", "script"]
