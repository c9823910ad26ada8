"""SBOMs (CycloneDX) of an installation, the image and the checkout, with what Warden fetches by itself."""
