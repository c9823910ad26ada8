"""What an installation, the image and the checkout consist of (SBOM, CycloneDX), with what Warden fetches by itself."""
