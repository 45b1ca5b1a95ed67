#!/usr/bin/env bash
# Installs what some tests need besides Node, from Debian's packages. Called by .ci/run.
# Where it cannot (another system, not root, no network), those tests say that they are skipped, and why; the tests of
# the sandbox, of the order of syncs, of Postgres and of the studio fail instead where TECHNE_TEST_TOOLS is "required", as it is in .ci/run.
set -u
missing=()
for tool in git curl zsh fish script bwrap strace; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
# The run store on a database; its programs are in a folder of their own.
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null || missing+=(postgresql)
# The browser of the studio's tests.
command -v chromium >/dev/null || missing+=(chromium)
# What templates are compared with.
/usr/bin/python3 -c 'import jinja2' 2>/dev/null || missing+=(python3-jinja2)
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "not installed, so their tests are skipped: ${missing[*]}"
  exit 0
fi
packages=("${missing[@]/#script/bsdutils}")
packages=("${packages[@]/#bwrap/bubblewrap}")
echo "installing for the tests: ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1; then
  echo "could not be installed, so their tests are skipped: ${missing[*]}"
fi
