"""Build of the bundle: policies, catalogues and settings, checked, stamped with a revision and signed."""

from warden.bundle.build import Bundle, build_bundle
from warden.bundle.signing import SigningKey

__all__ = ["Bundle", "SigningKey", "build_bundle"]
