"""A memory as one page for a browser: no script, nothing from elsewhere, every remembered word as text and no more."""

from anaphora.interfaces.page.building import is_page, page

__all__ = ["is_page", "page"]
