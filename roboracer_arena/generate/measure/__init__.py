"""Measuring a drawn track: cells in, lengths and angles out."""
