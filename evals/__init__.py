"""How well the engine understands and recalls, measured on labelled data: `python -m evals`."""
