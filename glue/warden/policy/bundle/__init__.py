"""Build of the bundle: policies, catalogues and settings, checked, stamped with a revision and signed."""

from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.signing import SigningKey

__all__ = ["Bundle", "SigningKey", "build_bundle"]
