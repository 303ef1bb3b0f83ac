"""Tokens and keys of known services: each begins, or ends, with a text that nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from anaphora.types import Span
from anaphora.understanding.patterns import expression

__all__ = ["find_tokens"]

_OF_GITLAB = r"(?:pat|ptt|dt|rt|rtr|cbt|oas|ft|ffct|imt|soat|agent)"
_LINES = r"[A-Za-z0-9+/]{20,200}(?:\s{1,4}[A-Za-z0-9+/]{40,200}+)*+(?:\s{0,4}[A-Za-z0-9+/]{0,76}={1,2})?"
# (kind, texts of which one stands in every match, the pattern). Where a pattern has a group, the group alone is the
# secret. Looking for a fixed text first keeps a message without secrets quick. Repetitions that something must follow
# are bounded, so that no text takes long to search. Before a token may stand anything but a Latin letter or a digit.
_TOKENS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, needle, expression("(?<![A-Za-z0-9])" + pattern, re.ASCII))
    for kind, needles, pattern in (
        ("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{8,4000}+\.eyJ[\w-]{8,8000}+(?:\.[\w-]{0,2000})?"),
        ("anthropic key", "sk-ant-", r"sk-ant-[\w-]{16,}"),
        ("openrouter key", "sk-or-", r"sk-or-[\w-]{20,}"),
        # a run without hyphens and with a digit: "sk-folding-cube-animation" is a class of a style sheet
        ("openai key", "sk-", r"sk-(?=[\w-]{0,200}\d)(?=[\w-]{0,40}[A-Za-z0-9]{12})[\w-]{16,}"),
        ("aws access key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("aws secret key", "AKIA ASIA", r"A[KS]IA[A-Z0-9]{16}[\"']?[,;:|\t ]{1,3}[\"']?([A-Za-z0-9+/]{40})(?![\w+/=])"),
        ("aws bedrock key", "ABSK", r"ABSK[A-Za-z0-9+/]{60,}={0,2}"),
        ("github token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,}"),
        ("github token", "github_pat_", r"github_pat_\w{22,}"),
        ("gitlab token", "gl", rf"gl{_OF_GITLAB}-(?=[\w-]{{0,40}}\d)(?:[\w-]|\.(?=\w)){{18,}}"),
        ("slack token", "xox xapp-", r"(?:xox[abceoprs][-.]|xapp-)(?:[\w-]|\.(?=\w)){10,}"),
        ("slack webhook", "hooks.slack.com", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"),
        ("discord webhook", "/api/webhooks/", r"https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/\d{1,30}/[\w-]{20,}"),
        ("discord token", ".", r"[MNO](?=[A-Za-z_-]{0,27}\d)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
        ("google api key", "AIza", r"AIza[\w-]{30,}"),
        ("google oauth token", "ya29.", r"ya29\.[\w-]{20,}"),
        ("google client secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
        # "pk_live_…" is meant to be seen
        ("stripe key", "_live_ _test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
        ("huggingface token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
        ("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
        ("pypi token", "pypi-", r"pypi-(?=[\w-]{0,200}\d)[\w-]{50,}"),
        ("rubygems key", "rubygems_", r"rubygems_[a-f0-9]{40,}"),
        ("docker token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20,}"),
        ("sendgrid key", "SG.", r"SG\.[\w-]{16,80}\.[\w-]{16,}"),
        ("mailgun key", "key-", r"key-[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("mailchimp key", "-us", r"[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])"),
        ("brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{40,}(?:-\w{8,})?"),
        ("twilio key", "SK", r"SK[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("telegram token", ":AA", r"(?:bot)?(\d{8,10}:AA[\w-]{30,})"),
        ("digitalocean token", "_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
        ("shopify token", "shp", r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"),
        ("square token", "sq0 EAAA", r"(?:sq0(?:atp|csp|idp)-[\w-]{20,}|EAAA[A-Za-z0-9_-]{50,})"),
        ("facebook token", "EAA", r"EAA(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{60,}"),
        ("linear key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
        ("notion token", "secret_ ntn_", r"(?:secret_(?=[A-Za-z]{0,42}\d)[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{40,})"),
        ("figma token", "figd_", r"figd_[\w-]{30,}"),
        ("airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
        ("hubspot token", "pat-", r"pat-[a-z]{2}\d-[a-f0-9-]{36}"),
        ("atlassian token", "ATATT ATBB ATCTT", r"(?:ATATT3|ATCTT3|ATBB)[\w=-]{24,}"),
        ("grafana token", "glsa_ glc_", r"(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,})"),
        ("vault token", "hv", r"hv[sbr]\.[\w-]{24,}"),
        ("totp secret", "otpauth://", r"otpauth://[^\s\"'`<>]{1,300}?[?&]secret=([A-Za-z2-7]{8,200}={0,6})"),
        ("terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
        ("doppler token", "dp.", r"dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}"),
        ("planetscale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_(?:[\w-]|\.(?=\w)){30,}"),
        ("supabase token", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})"),
        ("databricks token", "dapi dose", r"(?:dapi|dose)[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
        ("postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
        ("new relic key", "NRAK- NRJS- NRAA-", r"NR(?:AK|JS|AA)-[A-Za-z0-9]{19,}"),
        ("new relic key", "NRAL", r"[a-f0-9]{32,36}(?:FFFF)?NRAL(?![A-Za-z0-9])"),
        ("sentry token", "sntry", r"sntry[su]_[\w+/=]{40,}"),
        ("tailscale key", "tskey-", r"tskey-[a-z]{2,10}-[\w-]{16,}"),
        ("fly token", "fm2_ fo1_", r"(?:fm2_[\w+/=]{40,}|fo1_[\w-]{40,})"),
        ("replicate token", "r8_", r"r8_[A-Za-z0-9]{36,}"),
        ("groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
        ("xai key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
        ("perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
        ("pinecone key", "pcsk_", r"pcsk_\w{40,}"),
        ("langsmith key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
        ("elevenlabs key", "sk_", r"sk_[a-f0-9]{40,}"),
        ("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
        ("1password token", "ops_eyJ", r"ops_eyJ[\w+/=-]{60,}"),
        ("amazon mws token", "amzn.mws.", r"amzn\.mws\.[a-f0-9-]{36}"),
        ("azure key", "Key=", r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})"),
        ("azure signature", "sig=", r"sig=([A-Za-z0-9%+/]{40,}={0,2})"),
        ("gitlab token", "GR1348941", r"GR1348941[\w-]{20}(?![\w-])"),
        ("zapier webhook", "hooks.zapier.com", r"https://hooks\.zapier\.com/hooks/catch/\d{4,12}/\w{6,20}/?"),
        ("teams webhook", "/webhookb2/", r"https://[\w.-]{1,60}/webhookb2/[\w@/-]{60,}"),
        ("infura key", ".infura.io", r"(?:https|wss)://[\w-]{1,40}\.infura\.io/(?:ws/)?v3/([a-f0-9]{32})(?![A-Za-z0-9])"),
        ("openai session", "sess-", r"sess-[A-Za-z0-9]{40}(?![\w-])"),
        ("nvidia key", "nvapi-", r"nvapi-[\w-]{60,80}"),
        ("together key", "tgp_v1_", r"tgp_v1_[\w-]{43}(?![\w-])"),
        ("cerebras key", "csk-", r"csk-(?=[a-z]{0,47}\d)[a-z0-9]{48}(?![\w-])"),
        ("tavily key", "tvly-", r"tvly-(?:[a-z]{3,4}-)?(?=[A-Za-z-]{0,31}\d)[\w-]{28,64}"),
        ("firecrawl key", "fc-", r"fc-[a-f0-9]{32}(?![\w-])"),
        ("jina key", "jina_", r"jina_[a-f0-9]{32}[\w-]{28}(?![\w-])"),
        ("fireworks key", "fw_", r"fw_(?=\w{0,21}\d)(?=\w{0,21}[A-Z])[A-Za-z0-9]{22,24}(?!\w)"),
        ("voyage key", "pa-", r"pa-(?=[A-Za-z_-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])"),
        ("google key", "AQ.Ab", r"AQ\.Ab(?=[A-Za-z_-]{0,40}\d)[\w-]{40,}"),
        ("google refresh token", "1//0", r"1//0(?=[\w-]{0,60}[A-Z])[\w-]{20,}"),
        ("wandb key", "wandb_v1_", r"wandb_v1_\w{60,}"),
        ("e2b key", "e2b_", r"e2b_[a-f0-9]{40}(?!\w)"),
        ("modal secret", "as-", r"as-(?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])"),
        ("circleci token", "CCIPAT_ CCIPRJ_", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}(?!\w)"),
        ("buildkite token", "bkua_", r"bkua_[a-f0-9]{40}(?!\w)"),
        ("sonar token", "sqp_ squ_ sqa_", r"sq[pua]_[a-f0-9]{40}(?!\w)"),
        ("pulumi token", "pul-", r"pul-[a-f0-9]{40}(?![\w-])"),
        ("sourcegraph token", "sgp_", r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}(?!\w)"),
        ("segment token", "sgp_", r"sgp_(?=[A-Za-z]{0,63}\d)[A-Za-z0-9]{64}(?!\w)"),
        ("nuget key", "oy2", r"oy2(?=[a-z]{0,42}\d)[a-z0-9]{43}(?!\w)"),
        ("crates token", "cio", r"cio(?=[A-Za-z]{0,31}\d)(?=[a-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}(?!\w)"),
        ("clojars token", "CLOJARS_", r"CLOJARS_[a-f0-9]{60}(?!\w)"),
        ("artifactory key", "AKCp cmVmdGtuOj", r"(?:AKCp[A-Za-z0-9]{60,72}|cmVmdGtuOj[A-Za-z0-9]{50,60})(?!\w)"),
        ("resend key", "re_", r"re_(?=\w{0,32}[A-Z])(?=[A-Za-z_]{0,32}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)"),
        ("mailersend token", "mlsn.", r"mlsn\.[a-f0-9]{64}(?!\w)"),
        ("mailgun key", "-", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![\w-])"),
        ("azure client secret", "Q~", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
        ("azure devops token", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)"),
        ("azure registry key", "+ACR", r"[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9]{6}(?!\w)"),
        ("heroku key", "HRKU-", r"HRKU-(?:[a-f0-9-]{36}|AA[\w-]{58})(?![\w-])"),
        ("netlify token", "nfp_", r"nfp_(?=[A-Za-z]{0,35}\d)[A-Za-z0-9]{36,40}(?!\w)"),
        ("vercel token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]{12,20}_[A-Za-z0-9]{24,36}(?!\w)"),
        ("vercel token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_(?=[A-Za-z]{0,55}\d)[A-Za-z0-9]{52,60}(?!\w)"),
        ("render key", "rnd_", r"rnd_(?=[A-Za-z]{0,27}\d)(?=[a-z0-9]{0,27}[A-Z])[A-Za-z0-9]{28,32}(?!\w)"),
        ("neon key", "napi_", r"napi_(?=[a-z]{0,63}\d)[a-z0-9]{64}(?!\w)"),
        ("mongodb atlas secret", "mdb_sa_sk_", r"mdb_sa_sk_[\w-]{40,}"),
        ("alibaba access key", "LTAI", r"LTAI(?=[A-Za-z]{0,19}\d)[A-Za-z0-9]{16,20}(?!\w)"),
        ("tencent secret id", "AKID", r"AKID(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}(?!\w)"),
        ("yandex key", "AQVN", r"AQVN(?=[A-Za-z_-]{0,35}\d)[\w-]{35,38}(?![\w-])"),
        ("yandex token", "y0_", r"y0_(?=[A-Za-z_-]{0,50}\d)[\w-]{50,60}(?![\w-])"),
        ("private key", "IBADANBgkqhkiG9w0BAQEFAASC", rf"MII[\w+/]{{3}}IBADANBgkqhkiG9w0BAQEFAASC{_LINES}"),
        ("private key", "IBAAKC IBAAKB", rf"MII[\w+/]{{3}}IBAAK[BC]{_LINES}"),
        ("aws session token", "IQoJb3JpZ2lu", r"IQoJb3JpZ2lu[\w+/=-]{100,}"),
        ("instagram token", "IGQVJ", r"IGQVJ[\w-]{100,}"),
        ("confluent secret", "cflt", r"cflt(?=[A-Za-z+/]{0,59}\d)[A-Za-z0-9+/]{60}(?![A-Za-z0-9])"),
        ("twitch token", "oauth:", r"oauth:((?=[a-z]{0,29}\d)[a-z0-9]{30})(?!\w)"),
        ("cloudflare origin key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}(?!\w)"),
        ("turnstile secret", "0x4AAAAAAA", r"0x4AAAAAAA[\w-]{25,27}(?![\w-])"),
        ("appsync key", "da2-", r"da2-(?=[a-z]{0,25}\d)[a-z0-9]{26}(?![\w-])"),
        ("digitalocean spaces key", "DO00", r"DO00[A-Z0-9]{16}(?!\w)"),
        ("openshift token", "sha256~", r"sha256~[\w-]{43}(?![\w-])"),
        ("rancher token", "token-", r"token-[a-z0-9]{5}:[a-z0-9]{54}(?!\w)"),
        ("dynatrace token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?!\w)"),
        ("dropbox token", "sl.", r"sl\.(?:u\.)?(?=[A-Za-z_-]{0,100}\d)[\w-]{100,}"),
        ("contentful token", "CFPAT-", r"CFPAT-[\w-]{43}(?![\w-])"),
        ("readme key", "rdme_", r"rdme_(?=[a-z]{0,69}\d)[a-z0-9]{70}(?!\w)"),
        ("typeform token", "tfp_", r"tfp_(?=[A-Za-z_-]{0,40}\d)[\w-]{40,70}"),
        ("trello token", "ATTA", r"ATTA[a-f0-9]{72}(?!\w)"),
        ("posthog key", "phx_", r"phx_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{40,50}(?!\w)"),
        ("launchdarkly key", "sdk- api-", r"(?:sdk|api)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![\w-])"),
        ("honeycomb key", "hcaik_", r"hcaik_[a-z0-9]{58}(?!\w)"),
        ("grafana key", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9+/]{50,}={0,2}"),
        ("cloudflare tunnel token", "eyJhIjoi", r"eyJhIjoi[A-Za-z0-9+/]{100,}={0,2}"),
        ("mapbox token", "sk.eyJ1", r"sk\.eyJ1[\w-]{20,}\.[\w-]{20,}"),
        ("cursor key", "key_", r"key_[a-f0-9]{64}(?!\w)"),
        ("shippo token", "shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}(?!\w)"),
        ("duffel token", "duffel_", r"duffel_(?:live|test)_[\w-]{43}(?![\w-])"),
        ("lob key", "live_ test_", r"(?:live|test)_[a-f0-9]{35}(?!\w)"),
        ("easypost key", "EZAK EZTK", r"EZ[AT]K(?=[A-Za-z]{0,53}\d)[A-Za-z0-9]{54}(?!\w)"),
        ("braintree token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}(?!\w)"),
        ("flutterwave key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,64}-X(?!\w)"),
        ("paddle key", "pdl_", r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}(?!\w)"),
        ("clickup token", "pk_", r"pk_\d{6,9}_[A-Z0-9]{32}(?!\w)"),
        ("klaviyo key", "pk_", r"pk_[a-f0-9]{34}(?!\w)"),
        ("asana token", "1/ 2/", r"[12]/\d{16}(?:/\d{16})?:[a-f0-9]{32}(?!\w)"),
        ("prefect key", "pnu_ pnb_", r"pn[ub]_(?=[A-Za-z]{0,35}\d)[A-Za-z0-9]{36}(?!\w)"),
        ("infisical token", "st.", r"st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}(?!\w)"),
        ("frame.io token", "fio-u-", r"fio-u-[\w-]{64}(?![\w-])"),
        ("stytch secret", "secret-", r"secret-(?:live|test)-[\w-]{32}="),
        ("alchemy key", "alcht_", r"alcht_[A-Za-z0-9]{30}(?!\w)"),
        ("1password key", "A3-", r"A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?(?:[A-Z0-9]{5}-){3}[A-Z0-9]{5}(?![\w-])"),
        ("password hash", "$2", r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"),
    )
    for needle in needles.split(" ")
)  # fmt: skip

_MARKS = "_-.=/$"  # of which most needles have one


def find_tokens(text: str) -> Iterator[tuple[str, Span]]:
    """Each token that is known by its shape, with its kind; those of the same place may overlap."""
    for kind, needle, pattern in _tokens_with("".join([mark for mark in _MARKS if mark in text])):
        if needle in text:
            yield from ((kind, match.span(pattern.groups)) for match in pattern.finditer(text))


@cache
def _tokens_with(marks: str) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Those whose needle has no marks but these: most texts have few of them."""
    missing = set(_MARKS) - set(marks)
    return tuple(token for token in _TOKENS if missing.isdisjoint(token[1]))
