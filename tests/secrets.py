"""Made-up secrets of every kind. They are put together here, so that no scanner takes this file for a leak."""

from __future__ import annotations

from base64 import b64encode

__all__ = ["GIVEN", "MARKER", "SHAPED"]

_HEX = "9f86d081" + "884c7d65" + "9a2feaa0" + "c55ad015"
_HEX_64 = _HEX + "a3bf4f1b" + "2b0b822c" + "d15d6c15" + "b0f00a08"
_MIXED = "aB3dE5" + "gH7jK9" + "mN1pQ2" + "rS4tU6" + "vW8xY0" + "zA1bC2" + "dE3fG4" + "hJ5kL6"  # 48 characters
_UUID = "9f86d081-884c-" + "4d65-9a2f-" + "eaa0c55ad015"
_LINE = _MIXED + "Zz09Yy18Xx27Ww36"

MARKER = "sk-" + "ant-" + "api03-" + _MIXED
"""One that is known wherever it stands."""

# kind -> a secret that its shape gives away, with nothing around it
SHAPED: dict[str, str] = {
    "private key": "\n".join(
        ["-----BEGIN RSA " + "PRIVATE KEY-----", _LINE, _LINE, _MIXED[:20] + "==", "-----END RSA " + "PRIVATE KEY-----"]
    ),
    "private key of openssh": "\n".join(
        ["-----BEGIN OPENSSH " + "PRIVATE KEY-----", _LINE, _LINE, "-----END OPENSSH " + "PRIVATE KEY-----"]
    ),
    "private key on one line": "\\n".join(
        ["-----BEGIN " + "PRIVATE KEY-----", _LINE, _LINE, "-----END " + "PRIVATE KEY-----"]
    ),
    "private key that is cut off": "\n".join(["-----BEGIN EC " + "PRIVATE KEY-----", _LINE, _LINE]),
    "private key of pgp": "\n".join(
        ["-----BEGIN PGP " + "PRIVATE KEY BLOCK-----", "Version: 1", "", _LINE, "-----END PGP PRIVATE KEY BLOCK-----"]
    ),
    "private key of putty": "\n".join(
        [
            "PuTTY-User-" + "Key-File-2: ssh-rsa",
            "Encryption: none",
            "Comment: laptop",
            "Public-Lines: 1",
            _LINE,
            "Private-Lines: 2",
            _LINE,
            _MIXED[:30] + "==",
            "Private-" + "MAC: " + _HEX,
        ]
    ),
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJ" + "zdWIiOiIxMjM0In0" + "." + _MIXED[:43],
    "anthropic key": MARKER,
    "openrouter key": "sk-" + "or-v1-" + _HEX_64,
    "openai key": "sk-" + _MIXED,
    "openai project key": "sk-" + "proj-" + _MIXED + "_" + _MIXED[:20] + "-" + _MIXED,
    "aws access key": "AKIA" + "IOSFODNN7EXAMPLE",
    "aws session key": "ASIA" + "Y34FZKBOKMUTVV7A",
    "aws bedrock key": "ABSK" + _MIXED + _MIXED,
    "github token": "ghp" + "_" + _MIXED[:36],
    "github fine-grained token": "github" + "_pat_" + _MIXED[:22] + "_" + _MIXED,
    "gitlab token": "glpat" + "-" + _MIXED[:20],
    "slack token": "xoxb" + "-123456789012-" + _MIXED[:24],
    "slack app token": "xapp" + "-1-A012345-" + _MIXED[:24],
    "slack webhook": "https://hooks." + "slack.com/services/T0AB12CD3/B0EF45GH6/" + _MIXED[:24],
    "discord webhook": "https://discord." + "com/api/webhooks/123456789012345678/" + _MIXED,
    "discord token": "MTA" + _MIXED[:21] + "." + "Gx1yZ2" + "." + _MIXED[:38],
    "google api key": "AIza" + _MIXED[:34] + "-",
    "google oauth token": "ya29" + "." + _MIXED,
    "google client secret": "GOC" + "SPX-" + _MIXED[:28],
    "stripe key": "sk" + "_live_" + _MIXED[:24],
    "stripe test key": "rk" + "_test_" + _MIXED[:24],
    "webhook secret": "wh" + "sec_" + _MIXED[:32],
    "huggingface token": "hf" + "_" + _MIXED[:34],
    "npm token": "npm" + "_" + _MIXED[:36],
    "pypi token": "pypi" + "-AgEIcHlwaS5vcmc" + _MIXED,
    "rubygems key": "rubygems" + "_" + (_HEX + _HEX)[:48],
    "docker token": "dckr" + "_pat_" + _MIXED[:27],
    "sendgrid key": "SG" + "." + _MIXED[:22] + "." + _MIXED[:43],
    "mailgun key": "key" + "-" + _HEX,
    "mailchimp key": _HEX + "-us" + "12",
    "brevo key": "xkey" + "sib-" + _HEX_64 + "-" + _MIXED[:16],
    "twilio key": "SK" + _HEX,
    "telegram token": "123456789" + ":AA" + _MIXED[:33],
    "digitalocean token": "dop" + "_v1_" + _HEX_64,
    "shopify token": "shp" + "at_" + _HEX,
    "square token": "sq0" + "atp-" + _MIXED[:22],
    "facebook token": "EAA" + "CEdE1" + _MIXED + _MIXED,
    "linear key": "lin" + "_api_" + _MIXED[:40],
    "notion token": "ntn" + "_" + _MIXED[:46],
    "figma token": "figd" + "_" + _MIXED[:40],
    "airtable token": "pat" + _MIXED[:14] + "." + _HEX_64,
    "hubspot token": "pat" + "-na1-" + _UUID,
    "atlassian token": "ATA" + "TT3" + _MIXED + "=1A2B3C4D",
    "grafana token": "gl" + "sa_" + _MIXED[:32] + "_" + _HEX[:8],
    "vault token": "hv" + "s." + _MIXED,
    "terraform token": _MIXED[:14] + ".atlas" + "v1." + _MIXED + _MIXED[:19],
    "doppler token": "dp" + ".pt." + _MIXED[:43],
    "planetscale token": "pscale" + "_tkn_" + _MIXED[:43],
    "supabase token": "sbp" + "_" + _HEX_64[:40],
    "databricks token": "dapi" + _HEX,
    "postman key": "PMAK" + "-" + _HEX[:24] + "-" + _HEX_64[:34],
    "new relic key": "NRAK" + "-" + "ABCDEFGHJK1234567890ABCDEFG",
    "sentry token": "sntry" + "s_" + _MIXED + _MIXED,
    "tailscale key": "tskey" + "-auth-" + _MIXED[:12] + "-" + _MIXED[:20],
    "fly token": "fm2" + "_" + _MIXED,
    "replicate token": "r8" + "_" + _MIXED[:37],
    "groq key": "gsk" + "_" + _MIXED,
    "xai key": "xai" + "-" + _MIXED + _MIXED[:32],
    "perplexity key": "pplx" + "-" + _MIXED,
    "pinecone key": "pcsk" + "_" + _MIXED,
    "langsmith key": "lsv2" + "_pt_" + _HEX + "_" + _HEX[:10],
    "elevenlabs key": "sk" + "_" + (_HEX + _HEX)[:48],
    "age key": "AGE-" + "SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
    "1password token": "ops" + "_eyJ" + _MIXED + _MIXED,
    "amazon mws token": "amzn" + ".mws." + _UUID,
    "password hash": "$2b" + "$12$" + (_MIXED + _MIXED)[:53],
    "card number": "4111" + "1111" + "1111" + "1111",
    "card number in groups": "5500 " + "0055 " + "5555 " + "5559",
    "card number of amex": "3782-" + "822463-" + "10005",
}

_WEAK = "hunter2" + "secret!"

# a text -> the part of it that is secret, which nothing but the words before it give away
GIVEN: dict[str, str] = {
    f"DB_PASSWORD={_WEAK}": _WEAK,
    "POSTGRES_PASSWORD=" + "letmeinplease": "letmeinplease",
    "export OPENAI_API_KEY=" + _MIXED[:20]: _MIXED[:20],
    "PGPASSWORD=" + "correcthorse psql -h db": "correcthorse",
    "dbPassword: " + "Tr0ub4dor&3": "Tr0ub4dor&3",
    "GH_TOKEN=" + _MIXED[:20]: _MIXED[:20],
    "token: " + _HEX: _HEX,
    "secret_key_base: " + _HEX_64: _HEX_64,
    "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "redis://" + ":hunter2x@cache:6379/0": "hunter2x",
    "postgres://" + "user:p@ss/w0rd!@db.internal/app": "p@ss/w0rd!",
    "postgresql://" + "u:s3cr3t@db:5432/x?mail=a@b.co": "s3cr3t",
    "git clone https://" + "bot:s3cr3tpw@example.org/@scope/repo": "s3cr3tpw",
    "mongodb+srv://" + "app:S3cr3t%21@cluster0.example.net": "S3cr3t%21",
    "Authorization: Basic " + b64encode(b"admin:" + b"opensesame").decode(): b64encode(
        b"admin:" + b"opensesame"
    ).decode(),
    "-H 'Authorization: Bearer " + _MIXED[:12] + "'": _MIXED[:12],
    "send it with bearer " + _MIXED[:24]: _MIXED[:24],
    "Authorization: token " + _HEX: _HEX,
    "X-Api-Key: " + _HEX: _HEX,
    "curl -s -u admin:" + "s3cr3tpw https://example.org": "s3cr3tpw",
    "mysql -u root -p" + "hunter2x shop": "hunter2x",
    "sshpass -p " + "hunter2x ssh box": "hunter2x",
    "./deploy --db-password " + "hunter2x --yes": "hunter2x",
    "./deploy --token=" + _MIXED[:16]: _MIXED[:16],
    "https://example.org/v1?api_key=" + _MIXED[:16] + "&page=2": _MIXED[:16],
    "jdbc:mysql://db/shop?user=root&password=" + "hunter2x": "hunter2x",
    "Server=db;User=sa;Password=" + "hunter2x;Encrypt=true": "hunter2x",
    "AccountName=a;AccountKey=" + _MIXED + _MIXED[:38] + "==;": _MIXED + _MIXED[:38] + "==",
    "https://a.blob.example.net/c?sv=1&sig=" + _MIXED + "%3D": _MIXED,
    '{"password": "' + 'hunter2x", "user": "ann"}': "hunter2x",
    '{\\"password\\": \\"' + 'hunter2x\\"}': "hunter2x",
    'password = "' + 'ab\\"cd1ef"': 'ab\\"cd1ef',
    'password = "' + 'correct 9xK2vLq8 staple"': "9xK2vLq8",
    "<password>" + "hunter2x</password>": "hunter2x",
    "define('DB_PASSWORD', '" + "hunter2x');": "hunter2x",
    'token: str = "' + _MIXED[:16] + '"': _MIXED[:16],
    "const apiKey: string = '" + _MIXED[:16] + "';": _MIXED[:16],
    'os.environ["API_KEY"] = "' + _MIXED[:16] + '"': _MIXED[:16],
    "ALTER USER app WITH PASSWORD '" + "hunter2x';": "hunter2x",
    "//registry.example.org/:_authToken=" + _MIXED[:24]: _MIXED[:24],
    "my password is " + "hunter2": "hunter2",
    "the password is: " + "Tr0ub4dor&3.": "Tr0ub4dor&3",
    "set the root password to " + "S3cret!x": "S3cret!x",
    "the api key is " + _MIXED[:16]: _MIXED[:16],
    "log in as admin with password " + "hunter2": "hunter2",
    "password: " + "12345678": "12345678",
    "client_secret: " + "abc123": "abc123",
    "pw: " + "hunter2x": "hunter2x",
    "Passwort：" + "hunter2x": "hunter2x",
    "PASSWORD=" + "a1" * 300 + " next": "a1" * 300,
    'secret = "' + "a1B2" * 100 + '"': "a1B2" * 100,
    # told in a sentence, with words between the name and the value
    "the password for the wifi is " + "Sunshine99": "Sunshine99",
    "the password for our guest wifi is " + "sunshine99.": "sunshine99",
    "admin password on prod is " + "Winter2024": "Winter2024",
    "password of the router: " + "Winter2024": "Winter2024",
    "Password (case sensitive): " + "Winter2024": "Winter2024",
    'the password for bob is "' + 'Winter2024"': "Winter2024",
    "the api key for staging is " + _MIXED[:16]: _MIXED[:16],
    "wifi password - " + "Winter2024": "Winter2024",
    "wifi password → " + "Winter2024": "Winter2024",
    "use " + "Tr0ub4dor&3 as the password": "Tr0ub4dor&3",
    "try '" + "Winter2024' as the root password please": "Winter2024",
    "Winter" + "2024 is my password for the wiki": "Winter2024",
    "my password is " + "letmein": "letmein",
    "password: " + "qwertz": "qwertz",
    "our wifi password is " + "dragon.": "dragon",
    # in commands
    "docker login -u bob -p " + "hunter2x": "hunter2x",
    "docker login registry.example.org -u bob -p " + "hunter2x": "hunter2x",
    "az login --service-principal -u app -p " + "hunter2x --tenant t": "hunter2x",
    "ldapsearch -x -D cn=admin -w " + "hunter2x -b dc=example": "hunter2x",
    "smbclient //srv/share -U bob%" + "hunter2x": "hunter2x",
    "sqlplus scott/" + "tiger@db": "tiger",
    "net use Z: \\\\srv\\share /user:bob " + "hunter2x": "hunter2x",
    "net use Z: \\\\srv\\share " + "hunter2x /user:bob": "hunter2x",
    "sqlcmd -S db -U sa -P " + "hunter2x": "hunter2x",
    "mongosh db -u app -p " + "hunter2x": "hunter2x",
    # what holds a session open
    "JSESSIONID=" + _HEX.upper(): _HEX.upper(),
    "PHPSESSID=" + _MIXED[:26].lower(): _MIXED[:26].lower(),
    "curl -b sessionid=" + _HEX: _HEX,
    "connect.sid=s%3A" + _MIXED[:30]: "s%3A" + _MIXED[:30],
    "Set-Cookie: session=" + _MIXED[:20] + "; Path=/; Max-Age=86400": _MIXED[:20],
    "Cookie: theme=dark2024; auth_token=" + _MIXED[:20]: _MIXED[:20],
    # the rest
    "vault token: s." + _MIXED[:24]: "s." + _MIXED[:24],
    "otpauth://totp/Example:ann?secret=" + "JBSWY3DPEHPK3PXP&issuer=Example": "JBSWY3DPEHPK3PXP",
    "PGPASSWORD=" + "secret psql -h db": "secret",
    "MYSQL_ROOT_PASSWORD: " + "toor": "toor",
    "  DB_PASSWORD: " + "opensesame  # local": "opensesame",
}
