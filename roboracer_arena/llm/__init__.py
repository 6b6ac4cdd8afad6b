"""From a request in natural language to a track specification."""
