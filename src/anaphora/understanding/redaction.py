"""Secrets are taken out before anything is stored; a mark says what kind of thing stood there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Redaction, Span

__all__ = ["redact"]

# Each pattern knows a secret by its shape, never by how random it looks: ordinary words are not eaten. Where a
# pattern has a group, the group alone is the secret. Repetitions are bounded, so that no text takes long to search.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "private key",
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|\Z)",
        ),
        ("jwt", r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
        ("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
        ("openrouter key", r"\bsk-or-v1-[a-f0-9]{32,}"),
        ("openai key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
        ("aws access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
        ("aws secret key", r"(?i)\baws_?secret_?(?:access_?)?key\b[\"']?\s*[:=]\s*[\"']?([A-Za-z0-9/+]{40})\b"),
        ("github token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
        ("gitlab token", r"\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{20,}"),
        ("slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("slack webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"),
        ("discord webhook", r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}"),
        ("google api key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
        ("google oauth token", r"\bya29\.[A-Za-z0-9_-]{20,}"),
        ("google client secret", r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
        ("stripe key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("stripe webhook secret", r"\bwhsec_[A-Za-z0-9+/=]{20,}"),
        ("huggingface token", r"\bhf_[A-Za-z0-9]{30,}"),
        ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("pypi token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
        ("sendgrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("mailgun key", r"\bkey-[a-f0-9]{32}\b"),
        ("twilio key", r"\bSK[a-f0-9]{32}\b"),
        ("telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,}"),
        ("digitalocean token", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
        ("shopify token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
        ("linear key", r"\blin_api_[A-Za-z0-9]{32,}"),
        ("notion token", r"\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})"),
        ("databricks token", r"\bdapi[a-f0-9]{32}\b"),
        ("groq key", r"\bgsk_[A-Za-z0-9]{40,}"),
        ("azure storage key", r"(?i)\bAccountKey=([A-Za-z0-9+/]{60,}={0,2})"),
        ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9_\-.=+/]{20,})"),
        ("password in a url", r"\b[a-zA-Z][a-zA-Z0-9+.-]{0,20}://[^\s:/@]{1,200}:([^\s@/]{3,200})@"),
        (
            "password",
            r"(?i)\b(?:password|passwd|pwd|passphrase|secret|api[_-]?key|apikey|access[_-]?token|auth[_-]?token|"
            r"client[_-]?secret|secret[_-]?key|private[_-]?key)[\"']?\s{0,20}(?::=|=>|=|:)\s{0,20}"
            r"[\"']?((?=[^\s\"',;]{0,200}[\d!@#$%^&*+/_-])[^\s\"',;(){}\[\]<>]{6,200})",
        ),
        (
            "password",
            r"(?i)\b(?:my |the )?(?:password|passphrase) is[: ]+[\"']?((?=\S{0,200}[\d!@#$%^&*])[^\s\"',;]{6,200})",
        ),
    )
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d.-])")
_HINT = re.compile(r"[-_:=/.]|\d{4}|(?i:bearer|password|passphrase)")


def redact(text: str) -> tuple[str, tuple[Redaction, ...]]:
    """The text with every secret replaced by "[redacted: kind]", and what was taken out, in order."""
    if not _HINT.search(text):
        return text, ()
    found: list[Redaction] = []
    for kind, span in (*_matches(text), *_cards(text)):
        if not any(r.span[0] < span[1] and span[0] < r.span[1] for r in found):
            found.append(Redaction(kind, span))
    found.sort(key=lambda r: r.span)
    for redaction in reversed(found):
        start, end = redaction.span
        text = f"{text[:start]}[redacted: {redaction.kind}]{text[end:]}"
    return text, tuple(found)


def _matches(text: str) -> Iterator[tuple[str, Span]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = 1 if pattern.groups and match[1] is not None else 0
            if not match[group].startswith("[redacted"):
                yield kind, match.span(group)


def _cards(text: str) -> Iterator[tuple[str, Span]]:
    for match in _CARD.finditer(text):
        digits = [int(c) for c in match[0] if c.isdigit()]
        if digits[0] in (2, 3, 4, 5, 6) and len(set(digits)) > 3 and _luhn(digits):
            yield "card number", match.span()


def _luhn(digits: list[int]) -> bool:
    doubled = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
