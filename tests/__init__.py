"""The proof that Anaphora does what it says: behaviour through the public interface, and the rules of the house."""
