"""The version of Warden, for packages that the package itself imports."""

__all__ = ["__version__"]

__version__ = "0.1.0"
"""The version of the distribution."""
