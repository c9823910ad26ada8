"""The same stand-ins for programs as the tests of `warden.base.toolchain` have."""

from tests.base.toolchain.conftest import bare, script

__all__ = ["bare", "script"]
