"""A memory as one page for a browser: no script, nothing from elsewhere, every remembered word as text and no more."""

from anaphora.interfaces.page.building import page

__all__ = ["page"]
