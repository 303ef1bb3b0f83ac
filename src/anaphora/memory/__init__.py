"""What is kept and what comes back. Pure: values in, values out."""
