"""What sort of thing a word names, for the few sorts of which people mostly have one: two databases are two answers to
one question, a database and a cache are not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

__all__ = ["kind_in"]

_WORDS: Mapping[str, str] = {
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb cassandra cockroachdb oracle mssql "
    "duckdb couchdb firestore supabase neo4j",
    "cache": "redis memcached valkey",
    "queue": "kafka rabbitmq nats sqs celery pulsar zeromq",
    "frontend framework": "react vue angular svelte solid preact ember htmx",
    "web framework": "django flask fastapi rails express fastify koa hono nestjs laravel spring starlette tornado "
    "sinatra gin actix",
    "state store": "redux zustand mobx recoil jotai pinia vuex",
    "css framework": "tailwind bootstrap bulma foundation",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "package manager": "npm yarn pnpm bun pip poetry uv conda pipenv pdm",
    "test framework": "pytest unittest jest mocha vitest jasmine rspec junit nose",
    "browser tests": "selenium playwright cypress puppeteer",
    "formatter": "black prettier yapf gofmt rustfmt biome",
    "linter": "eslint pylint flake8 ruff",
    "cloud": "aws azure gcp digitalocean hetzner heroku vercel netlify fly.io",
    "container runtime": "docker podman containerd",
    "orchestration": "kubernetes k8s nomad swarm",
    "infrastructure code": "terraform pulumi ansible cloudformation",
    "ci": "jenkins circleci travis gitlab-ci buildkite teamcity",
    "signing algorithm": "rs256 hs256 es256 eddsa ps256 hs512 rs512",
    "password hash": "bcrypt argon2 argon2id scrypt pbkdf2",
    "hash": "sha1 sha256 sha512 md5 blake2 blake3",
    "login": "oauth oauth2 saml ldap passkeys magic-links",
    "license": "mit apache-2.0 gpl agpl lgpl bsd mpl",
    "editor": "vim neovim nvim emacs vscode vs-code visual-studio "
    "helix sublime nano zed intellij pycharm webstorm notepad++ cursor atom",
    "shell": "bash zsh fish powershell nushell",
    "operating system": "linux ubuntu debian fedora arch windows macos mac nixos mint centos",
    "indentation": "tabs tab spaces space",
    "theme": "dark-mode light-mode dark-theme light-theme",
    "quotes": "single-quotes double-quotes",
    "case": "snake_case camelcase snake-case camel-case kebab-case pascalcase",
    "drink": "coffee tea",
    "colour": "red green blue purple yellow orange pink black white grey gray brown cyan magenta teal violet",
    "units": "metric imperial celsius fahrenheit kilometers kilometres miles",
    "address": "tu vous du sie",
    "spoken language": "english german french spanish italian portuguese dutch polish russian chinese japanese korean "
    "turkish arabic hindi swedish norwegian danish finnish czech greek hebrew ukrainian romanian hungarian vietnamese",
    "orm": "sqlalchemy prisma typeorm sequelize peewee drizzle hibernate activerecord",
    "monorepo": "monorepo polyrepo multirepo",
    "api": "rest graphql grpc soap trpc",
    "render": "ssr csr ssg",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}


def kind_in(text: str) -> str | None:
    """The sort of thing that a short phrase names, if it names one; two words may make one name ("dark mode")."""
    words = [w.strip(".,;:!?()'\"") for w in text.lower().split()]
    pairs = [f"{a}-{b}" for a, b in pairwise(words)]
    versionless = [w.rstrip("0123456789.") for w in words]
    return next((_KINDS[w] for w in (*pairs, *words, *versionless) if w in _KINDS), None)
