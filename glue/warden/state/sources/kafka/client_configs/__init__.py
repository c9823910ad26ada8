"""Configs of applications: from their properties files, and from the topic that stores them."""
