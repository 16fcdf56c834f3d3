"""Tapeline."""
