"""Secrets are found by their shape or by the name they are given to; ordinary words of developers are left alone."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.types import Goal, State
from anaphora.understanding.once import forget_texts
from anaphora.understanding.redaction import _CLEAN, holds_secret, redact, redact_all
from tests.secrets import GIVEN, MARKER, SHAPED
from tests.talk import START

AROUND = ("{}", "use {} please", "It is {}.", "({})", '"{}", they said', "key={}", "キーは{}です", "line\n{}\nline")

ORDINARY = r"""
password = input("Password: ")
password = getpass.getpass("Enter your password: ")
token = get_token()
token = tokens[0]
api_key = os.environ["KEY"]
api_key = os.getenv("OPENAI_API_KEY")
api_key: str | None = None
secret: str
password: str = Field(min_length=8, max_length=128)
const token = localStorage.getItem("token");
const password = process.env.DB_PASSWORD
password: z.string().min(8)
password VARCHAR(255) NOT NULL
password: String!
if password == password2: raise ValueError
assert token != token2
token: uint256
secret = sha256
password: bcrypt.hash(password, 10)
password = user_password_v2
token = self.access_token_v2
token = config.token.v2
password=$DB_PASSWORD
POSTGRES_PASSWORD=${POSTGRES_PASSWORD}
DB_PASSWORD={{ db_password }}
API_KEY=<your-api-key>
API_KEY=your_api_key_here
OPENAI_API_KEY=sk-...
password: ********
password: "Enter your password"
password: "At least 8 characters"
"password": "string"
label.password = "Password"
secretName: db-credentials-2
secret: /run/secrets/db_password_1
private_key: ./certs/server1.pem
PASSWORD_MIN_LENGTH=12
MAX_TOKEN=4096
max_tokens: 4096, token_count: 128000
PWD=/srv/app/project1
primary_key=True, sort_key: created2
public_key = load_key("id_ed25519.pub")
<input type="password" id="pw1" name="password" autocomplete="off1">
["username", "password", "address1"]
The password is base64 encoded and hashed with sha256.
The token is v2 of the format, the password to user mapping is gone.
Forgot password: step 2 of 3
compass: a1b2c3d4, bypass: x9y8z7
the tokens: 12 of 4096 are used
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
git checkout 9f86d08 && git log --oneline 884c7d6..HEAD
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
id 550e8400-e29b-41d4-a716-446655440000 was not found
dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVy
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
python 3.11.9, node v20.11.1, numpy==1.26.4, 2025.11.03
call +49 30 901820 or (555) 123-4567 or 0800 1234567890
order 1234567890123456 of 20251103142000123
1699999999999999999 ns, 0.4111111111111111, pi 3.141592653589793
4111-1111-1111-1112 is not a card, nor is 4111 1111 11
http://localhost:8080/path/@user and https://example.org:443/@scope/pkg
https://example.org/users/ann@example.org?next=/home:8080
git@github.com:owner/repo.git and ssh://git@example.org:22/repo
postgres://${USER}:${PASSWORD}@localhost:5432/app
http://[::1]:8080/@user
mailto:ann@example.org, see https://en.wikipedia.org/wiki/Basic_access_authentication
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
use Basic authentication, not Bearer tokens-for-everything-and-everyone
the file starts with -----BEGIN RSA PRIVATE KEY----- and ends with -----END RSA PRIVATE KEY-----, right?
-----BEGIN CERTIFICATE-----
.sk-folding-cube-animation-container { color: red }
sk-loading-indicator-large is a class, task-management-and-scheduling-service2024 a name
AbstractSingletonProxyFactoryBeanConfigurationProviderFactory2
very_long_snake_case_identifier_with_a_number_42_in_the_middle_of_it
docker run -u 1000:1000 -p 3306:3306 --name mysql -p3307:3307 mysql:8
curl -u $USER:$PASS https://example.org
mysql -u root -p shop < dump1.sql
find . -path ./node_modules -prune -o -print
tests/test_password_reset2.py::test_token_is_refreshed
Fix the token refresh in auth/jwt.py, the secret is rotated twice a day.
const [password, setPassword] = useState("");
password.length >= 8 && /[A-Z0-9]/.test(password)
passwords: dict[str, str] = {}
it('rejects a password: too short', () => {})
The api key: where do I get one?
Can you add "forgot password" to page2?
""".strip().splitlines()  # fmt: skip

# Each looks like one of the wordings by which a secret is told, and tells none.
LOOK_ALIKES = r"""
pw = width2 + 3
pw = width2 - padding3
pass = pass1 if retry else pass2
password: min_length=8
password: maxlength=64, required
first token is 'hello123'
the next token is "world2024", then EOF
session key = session_2024
shared key 'user:1234'
cache key: user:1234
the access key is 'orders:2024'
token -> type2
password -> hash1
password -> sha256 -> base64
password → bcrypt
user - password - email2
password - step2
Password – see section3
pass: pass2
the password for the wifi is on the fridge
the password for the wifi is 8 characters long
the password for the router is wrong
the password for user2 is hashed with bcrypt
the password of the form is validated on page2
password for step2: see the docs
the password on staging was rotated in 2024
Password (optional): leave it empty
Password (min 8 characters): required
password (see RFC6238): hashed
the api key for staging is in 1password
the access token for the api is refreshed every 15min
use sha256 as the password hash
use argon2id as the password hasher
use bcrypt12 as the password encoder
use email2 as the password recovery field
use base64 for the password
use Keycloak for the password
use 1Password for the team password
try it as the password
Keycloak24 is the password manager
is the password policy ok? it says version2 is the password policy
my password is weak
my password is secret
my password is not working
my password is admin-only
the password is incorrect
our password is rotated
password is a dragon of a problem
the password is dragonproof
docker login -u bob -p $PASSWORD
docker login --password-stdin -u bob
docker run -p 8080:80 login-service
docker login and then docker run -p 8080:80 app
az login --use-device-code
ldapsearch -x -W -D cn=admin
ldapsearch -x -D cn=admin -w "$LDAP_PW"
smbclient -L //srv -U bob
sqlplus / as sysdba
sqlplus @scripts/load2.sql
run sqlplus scripts/load2.sql please
net use Z: \srv\share /user:bob *
net use Z: \srv\share /persistent:yes
the net use of /user:bob is unclear
JSESSIONID=<id>
document.cookie = "JSESSIONID=" + id
where does the JSESSIONID cookie come from
sessionid=12345678
session_id=current_session_2024
Set-Cookie: session=...; HttpOnly
Set-Cookie: theme=dark-mode-2024; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT
Cookie: lang=en-US; consent=2024-11-03
vault token: where is it
token = s.current.value2
otpauth://totp/Example:ann?issuer=Example
what does otpauth://...?secret=<base32> mean
DB_PASSWORD: required
MYSQL_ROOT_PASSWORD: the password of root
ERR_WRONG_PASSWORD: mismatch
AUTH_INVALID_PASSWORD: rejected
DB_PASSWORD: string;
DB_PASSWORD: ${DB_PASSWORD}
PASSWORD: incorrect
sess-storage-of-the-application, csk-sequence-key-for-the-table-of-customers-and-more
jina_embeddings_v2_base_en_of_the_model_that_is_loaded_first_here, re_compile_expression_and_search2
nfp_number_of_free_places, rnd_generator_with_a_seed_of_42, phx_start_of_the_template, napi_module_register_by_symbol
fw_update_2024_for_routers, pa-system-of-the-hall-with-loudspeakers-number-42, as-soon-as-possible-please-22
oy2 is short, cio is short, LTAI too, AKCp and GR1348941 are prefixes, DO00 as well
sha256~ is how an openshift token begins, v1.0-rc1 is a release, da2-region-east is a zone
https://hooks.zapier.com/hooks/catch/ is where they are sent
publishable: pk_test_TYooMQauvdEDq54NiTphI7jx and pk_live_TYooMQauvdEDq54NiTphI7jx
live_2024 test_9f86d081, key_9f86d081, st.button, 1/2: a half, 1//0 is a division, AQ.Able
cache_key = "9f86d081884c7d659a2feaa0c55ad015"
partition key: 9f86d081884c7d659a2feaa0c55ad015, sort_key=9f86d081884c7d659a2feaa0c55ad015
publicKey: "04a1b2c3d4e5f6a7b8c99f86d081884c7d65", public_key=aB3dE5gH7jK9mN1pQ2rS4tU6
NEXT_PUBLIC_SEARCH_KEY=9f86d081884c7d659a2feaa0c55ad015
STRIPE_KEY=pk_live_aB3dE5gH7jK9mN1pQ2rS4tU6
the key is 9f86d081884c7d659a2feaa0c55ad015, each key is one, the gpg key 9f86d081884c7d659a2feaa0c55ad015
"key": "9f86d081884c7d659a2feaa0c55ad015", data-key="9f86d081884c7d659a2feaa0c55ad015"
idempotency-key: 550e8400-e29b-41d4-a716-446655440000, storage_key: uploads/2024/05/9f86d081884c7d65.png
consumer_key = get_consumer_key_from_settings_v2(), write_key = config.WRITE_KEY_OF_THE_SEGMENT_42
ssh_key = "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7b3Z4"
monkey: 9f86d081884c7d659a2feaa0c55ad015, turkey=9f86d081884c7d659a2feaa0c55ad015
auth = oauth2, auth: basic, auth=session_cookie_of_the_application_v2
arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-a1B2c3
the order token is T-1001
JWT_SECRET=your-secret-goes-here, CLIENT_SECRET=replaceyoursecret
"password": "Passwort", "password": "Contraseña", "password": "Mot de passe", "password": "Kennwort"
"password": "Required", "forgotPassword": "Lost it?", "showPassword": "Reveal", "password_hint": "sunshine"
errors.password = "nope", labels: {password: "Secret word"}
password: "is required", password: "too short", password: "must contain 8 characters", 'password': 'Two words'
password: "does not match", password = "DB_PASSWORD", password: "db-credentials", password: 'auth.errors.weak'
type Hash = { password: "plain" | "hashed" }
{"pass": "green", "fail": "amber"}
mysql --user=root --password=PASSWORD, --password=<password>, --password=prompt, --password=$PW
https://example.org/login?user=USER&password=PASSWORD
curl -d "username=testuser&password=testpass" http://localhost:5000/login
self.password=value
this.form.password=entered
user.password=hashed
| password | required | string |
| name | type |
| password | varchar255 |
**Password:** required
Password:
required
token:
  type: string
curl -u user:password https://example.org
curl -u username:pass https://example.org
mysql -u root -ppassword shop
sshpass -p password ssh box
postgres://user:password@localhost/db and https://user:pass@example.org/ and redis://:password@cache:6379
mongodb://USER:PASSWORD@cluster.example.org
Authorization: Bearer YOUR_TOKEN_1
Authorization: Bearer your-token-123
Authorization: Bearer token123
Authorization: Bearer YOURACCESSTOKENGOESHERE
Authorization: see https://example.org/docs/authorization2024#bearer
authorization = build_authorization_header_v2_of_the_request(user)
headers["Authorization"] = f"Bearer {token}"
Authorization: request.headers.authorization2
https://example.org/search?key=customer-name-and-address-2024&code=en-US
https://example.org/reset?code=<code>&sig=...
https://my-very-long-user-name-of-the-team@example.org/repo.git
order number 4012 8888 8888 1881, orderId: 5105105105105100, snowflake id 4012888888881881
"id": 4012888888881881, tweet id 5105105105105100, phone 4012-8888-8888-1881
MIIC and IBAAKC are how a key begins
echo "$PASSWORD" | docker login --password-stdin -u bob
echo "done2024" | tee log.txt
echo bob:$PW | chpasswd
net user bob * /add
net user bob /delete
net user administrator /active:yes
requirepass is what redis2 asks for, masterauth too
zip -r archive2.zip src, 7z x archive2.7z -oout, unzip -P
openssl rsa -in key2.pem -passin env:PW2
ssh-keygen -t ed25519 -C ann@example.org -N ""
wandb login and then cargo login
wandb login --relogin
- name: DB_PASSWORD
- name: password-store, value: 12
{"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db2"}}}
{"name": "password", "type": "string", "value": "Password"}
{"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}
<input name="password" value="{{ form.password2 }}">
<input name="password" value="" type="password">
<add key="Theme" value="dark2024" />
auth=("user", "pass"), auth=(user, password2)
CREATE USER bob IDENTIFIED BY 'password';
IDENTIFIED BY VALUES, identified by its id2
ConvertTo-SecureString $password2 -AsPlainText
page.login("bob", "wrong")
mysql.connect(host, user, password2)
jwt.decode(token, key, "HS256")
the password will be hashed with sha256
password should be min8
the password's length2 is checked
the password is still wrong
the password was set to expire in 90days
the password has been reset to null
login: src/auth/login2024.ts
login: see https://example.org/wiki/login2024
login: step1, then step2
credentials: read / write
das Passwort ist falsch
das Passwort ist 12 Zeichen lang
contraseña: obligatoria
mot de passe oublié : voir page2
пароль: неверный
密码: 至少 8 位
the seed phrase is shown once and must be written down before the wallet can be used by anyone else
rules: { password: 'required|min:8' }, "password": "required,min=8", "password": "nullable"
"password": "bcrypt", strategy: {password: "local"}, providers = {"password": "email"}, icon: {password: "lock"}
authorization = AuthorizationServiceV2Implementation2024
pages/login2024 is the login page, foo/bar12345 is the login component
contraseña: min8caracteres, mot de passe: 8caracteres
the user asked for the password "again"
JWT_SECRET=your-256-bit-secret, JWT_SECRET=changemeinproduction
JWT_SECRET=changemeinproduction
PuTTY-User-Key-File-2: is what the first line says
Private-Lines: 14 means that 14 lines follow
""".strip().splitlines()  # fmt: skip

# what a long text could make slow, each repeated up to 400 kB
SLOW = """
import sys
from anaphora.understanding.redaction import redact
from anaphora.understanding.links import NUMBERED

for unit in sys.argv[1:]:
    text = (unit * (400_000 // len(unit) + 1))[:400_000]
    redact(text)
NUMBERED.findall("chat" + " " * 400_000)
NUMBERED.findall("chat  #  " * 40_000)
print("done")
"""
UNITS = (
    *("eyJ", "eyJ-", "eyJaaaaaaaa.eyJ", "sk-", "sk-a", "SG.", "a://:", "a://b:@", "ab://x:y", "curl ", "curl -u a:"),
    *("mysql -p", "password", "password=", "password is ", "pw=", "pwd='", 'pwd="', "PASSWORD=a", "token: a = ", "@"),
    *(
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END ",
        "4",
        "4 ",
        "4111 ",
        "bearer ",
        "Authorization: basic ",
    ),
    *("<password>", " ", "\\", "'", "[", "--password ", "M-", "-us", "define('password','", "x" * 50 + "_password=1a "),
    *("password for ", "password for a ", "password (", "my password is ", "use ", "use abcdef ", "abcdef1 is my "),
    *(
        "password - ",
        "docker login ",
        "ldapsearch -",
        "smbclient -U ",
        "sqlplus a",
        "sqlplus a/",
        "net use ",
        "net use /",
    ),
    *(
        "authorization: a ",
        "authorization: a",
        "https://aaaaaaaaaaaaaaaaaaaaaaaaa",
        "?key=a",
        "&sig=%",
        "a_key=",
        "x key: ",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----\n> ",
        "-----BEGIN PRIVATE KEY-----\n> aaaa\n",
        "MIIaaaIBAAKC",
        "IBAAKC\n",
        "password\n",
    ),
    *(
        "password:\n\n",
        "| password |",
        "**password**: ",
        "--set a.password=a",
        "password='a b ",
        "id 4111",
        "arn:secret:",
    ),
    *(
        "echo a|",
        "echo aaaa | ",
        "net user a ",
        "keytool -",
        "7z -p",
        "zip -",
        "ssh-keygen -N",
        "name: a\n",
        "name=a value=",
    ),
    *(
        "name='a' ",
        "key:a,type:b,",
        "auth=('a','",
        "identified by '",
        "user a password ",
        ".login('a','",
        "jwt.sign(a,",
    ),
    *("password's ", "password was set to ", "login: a/", "credentials: aaaa:", "a/aaaaaa is the ", "mot de passe a "),
    *("mnemonic ", "mnemonic abcdef ", "abcdef ", "пароль a ", "密码"),
    *("sessionid=", "connect.sid=", "cookie: ", "cookie: sess", "sess", "sid", "otpauth://a?", "DB_PASSWORD: aaaa "),
    *("PuTTY-User-Key-File-2:\n", "PuTTY-User-Key-File-2:\na\nPrivate-Lines: 1\n", "htpasswd -b a "),
)


@pytest.mark.requirement("K10")
@pytest.mark.parametrize("kind", SHAPED)
def test_a_secret_is_known_by_its_shape_wherever_it_stands(kind: str) -> None:
    for around in AROUND:
        clean, found = redact(around.format(SHAPED[kind]))
        assert len(found) == 1, around
        start, end = found[0].span
        assert SHAPED[kind] in around.format(SHAPED[kind])[start:end]
        assert clean == around.format(f"[redacted: {found[0].kind}]")


@pytest.mark.parametrize("prefix", ["> ", "# ", "// ", "   * ", "+", "17  ", "3: "])
@pytest.mark.parametrize("kind", ["private key", "private key of openssh", "private key of pgp"])
def test_a_private_key_is_known_where_something_stands_before_each_line(kind: str, prefix: str) -> None:
    lines = [prefix + line for line in SHAPED[kind].split("\n")]
    clean, found = redact("\n".join(["look:", *lines, prefix + "so far"]))
    assert clean == f"look:\n{prefix}[redacted: private key]\n{prefix}so far"
    clean, found = redact("\n".join(["look:", *lines[:-1]]))  # cut off
    assert all(line not in clean for line in SHAPED[kind].split("\n") if len(line) >= 64)
    assert [r.kind for r in found] == ["private key"]


@pytest.mark.parametrize("prefix", ["> ", "# "])
def test_what_is_said_of_a_private_key_in_lines_is_none(prefix: str) -> None:
    first, *_, last = SHAPED["private key"].split("\n")
    text = "\n".join(prefix + line for line in (first, "then", "many", "lines", last))
    assert redact(text) == (text, ())


@pytest.mark.parametrize("text", GIVEN)
def test_a_secret_is_known_by_the_name_it_is_given_to(text: str) -> None:
    clean, found = redact(text)
    assert GIVEN[text] in text
    assert GIVEN[text] not in clean
    assert len(found) == 1
    assert clean == text.replace(text[slice(*found[0].span)], f"[redacted: {found[0].kind}]")


def test_a_key_and_its_secret_are_two_in_one_line() -> None:
    key, secret = SHAPED["aws access key"], SHAPED["github token"][4:] + "aB3d"
    assert redact(f"Access key ID,Secret access key\n{key},{secret}\n")[0].endswith(
        "\n[redacted: aws access key],[redacted: aws secret key]\n"
    )


def test_at_least_thirty_kinds_of_secrets_are_known() -> None:
    assert len({redact(secret)[1][0].kind for secret in SHAPED.values()}) >= 30


@pytest.mark.parametrize("line", [*ORDINARY, *LOOK_ALIKES])
def test_ordinary_words_of_developers_come_back_as_they_were(line: str) -> None:
    assert redact(line) == (line, ())


def test_ordinary_lines_are_left_alone_in_one_text_too() -> None:
    text = "\n".join([*ORDINARY, *LOOK_ALIKES])
    assert redact(text) == (text, ())


def test_secrets_that_overlap_become_one_of_the_longer_kind() -> None:
    key = SHAPED["aws access key"]
    clean, found = redact(f"https://u:{key}x1@example.org and password={key}")
    assert [r.kind for r in found] == ["password in a url", "aws access key"]
    assert clean == "https://u:[redacted: password in a url]@example.org and password=[redacted: aws access key]"


def test_many_secrets_are_each_taken_out_with_their_place() -> None:
    secrets = list(SHAPED.values()) * 20
    text = " | ".join(secrets)
    clean, found = redact(text)
    assert [text[slice(*r.span)] for r in found] == secrets
    assert clean == " | ".join(f"[redacted: {r.kind}]" for r in found)


@given(
    st.lists(st.sampled_from([*SHAPED.values(), *GIVEN, *ORDINARY, " ", "=", ":", '"', "\n"]), max_size=6).map("".join)
)
def test_what_was_redacted_is_left_alone(text: str) -> None:
    clean, found = redact(text)
    assert [r.span for r in found] == sorted(r.span for r in found)
    assert all(a.span[1] <= b.span[0] for a, b in pairwise(found))
    assert redact(clean)[0] == clean


@pytest.mark.parametrize("kind", ["private key", "shopify token", "password in a url", "password"])
@pytest.mark.parametrize(
    "after",
    ["Winter2024 is my password for the wiki", " use it as the password", " pw: [redacted: password]", "\n# local"],
)
def test_a_mark_is_no_secret(kind: str, after: str) -> None:
    text = f"password: [redacted: {kind}]{after}"
    clean, _ = redact(text)
    assert clean.startswith(f"password: [redacted: {kind}]")
    assert "Winter2024" not in clean
    assert redact(clean)[0] == clean


@given(st.text(max_size=200))
def test_a_text_without_secrets_comes_back_and_others_keep_what_is_around(text: str) -> None:
    clean, found = redact(text)
    kept, end = "", 0
    for redaction in found:
        kept += text[end : redaction.span[0]] + f"[redacted: {redaction.kind}]"
        end = redaction.span[1]
    assert clean == kept + text[end:]


@pytest.mark.parametrize("part", range(4))
def test_no_text_takes_long_to_search(part: int) -> None:
    # Steps that grow with the square of 400,000 would take many minutes.
    run = subprocess.run([sys.executable, "-c", SLOW, *UNITS[part::4]], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("done\n", "")


def test_every_text_of_plain_data_is_redacted() -> None:
    data = {"note": f"use {MARKER}", "list": [MARKER, {"deep": (MARKER, 7, None, True, 1.5)}], MARKER: "key"}
    mark = "[redacted: anthropic key]"
    assert redact_all(data) == {
        "note": f"use {mark}",
        "list": [mark, {"deep": (mark, 7, None, True, 1.5)}],
        mark: "key",
    }


def test_a_key_gives_away_what_it_holds() -> None:
    data = {
        "password": "hunter2",
        "dbPassword": 12345678,
        "token": "required",
        "seen": 3,
        "card": int(SHAPED["card number"]),
    }
    assert redact_all(data) == {
        "password": "[redacted: password]",
        "dbPassword": "[redacted: password]",
        "token": "required",
        "seen": 3,
        "card": "[redacted: card number]",
    }


def test_a_key_gives_away_what_was_drawn_or_chosen_and_no_label() -> None:
    drawn = SHAPED["private key"][40:72]
    data = {"consumer_key": drawn, "cache_key": drawn, "password": "swordfish", "form": {"password": "Passwort"}}
    assert redact_all(data) == {
        "consumer_key": "[redacted: key]",
        "cache_key": drawn,
        "password": "[redacted: password]",
        "form": {"password": "Passwort"},
    }


def test_values_of_ours_are_redacted_and_stay_what_they_are() -> None:
    goal = Goal("goal-1", f"rotate {MARKER}", "pending", "high", START, "ann")
    state = State(goals=(goal,), entities={"concepts": ("hunter2x", "button")}, made=1)
    clean = redact_all(state, known=["hunter2x"])
    assert clean.goals[0].text == "rotate [redacted: anthropic key]"
    assert clean.entities == {"concepts": ("[redacted: secret]", "button")}
    assert redact_all(clean) == clean


def test_a_name_of_digits_alone_is_an_id_and_no_card() -> None:
    assert holds_secret(MARKER)
    assert not holds_secret(SHAPED["card number"])
    assert not holds_secret("ann")


def test_of_the_texts_that_are_known_none_holds_a_secret() -> None:
    """What was looked through is remembered for a while, so that it need not be again; a secret never is."""
    secret = f"use {SHAPED['private key']} please"
    for text in ("no secret here", secret) * 2:
        redact(text)
    assert "no secret here" in _CLEAN
    assert secret not in _CLEAN
    forget_texts()
    assert not _CLEAN
