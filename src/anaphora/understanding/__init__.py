"""What a message means, given what came before it. Pure: values in, values out."""
