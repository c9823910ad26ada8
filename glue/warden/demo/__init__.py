"""An estate and a broker to try Warden on."""
