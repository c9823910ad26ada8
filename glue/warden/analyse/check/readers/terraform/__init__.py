"""Terraform's and OpenTofu's plans and configurations."""
