"""Renders templates with Jinja2 itself: the model that the tests compare with.

One JSON object on each line of the input: {"template": text} or {"expression": text}, and "variables", where a float is
{"$float": "1.5"}, a large int {"$int": "123"} and an object that holds a key with "$" is not used. One answer a line:
{"text": …}, {"truth": …}, or {"error": class, "message": …, "phase": "compile" | "render"}.

The environment is that of compositions: sandboxed, immutable, strict, nothing escaped, no globals; Jinja's own filters,
and in place of some of them those that compositions bring.
"""

import html
import json
import re
import sys

import jinja2
import jinja2.sandbox


def truncate(value, length=1024):
    text = str(value)
    return text if length <= 0 else text[:length]


def slugify(value):
    return re.sub(r"[^a-zA-Z0-9_-]+", "-", str(value)).strip("-").lower()[:128]


def contains_cjk(value):
    return any("\u3400" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff" for c in str(value or ""))


def to_int(value, default=0):
    if isinstance(value, (int, float)):
        return int(value)
    text = str(value or "").strip()
    if not text:
        return default
    for found in (text, (re.findall(r"-?\d+", text) or [""])[0]):
        try:
            return int(found)
        except ValueError:
            pass
    return default


def slice_filter(value, slices, fill_with=None):
    whole = [x for x in (slices, fill_with) if isinstance(x, int) and not isinstance(x, bool)]
    if len(whole) == 2:
        known = (str, list, tuple, dict, type(None), int, float, jinja2.Undefined)
        return (value if isinstance(value, known) else list(value))[slices:fill_with]
    return jinja2.filters.sync_do_slice(value, slices, fill_with)


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)
    env.globals.clear()
    for name in ("random", "pprint", "urlize"):
        del env.filters[name]
    env.filters.update(
        xml_escape=lambda value: html.escape(str(value), quote=True),
        truncate=truncate,
        slugify=slugify,
        contains_cjk=contains_cjk,
        int=to_int,
        lower=lambda value: str(value).lower(),
        slice=slice_filter,
    )
    return env


def revive(value):
    if isinstance(value, dict):
        if "$float" in value:
            return float(value["$float"])
        if "$int" in value:
            return int(value["$int"])
        return {key: revive(each) for key, each in value.items()}
    return [revive(each) for each in value] if isinstance(value, list) else value


def answer(env, question):
    phase = "compile"
    try:
        variables = revive(question["variables"])
        if "expression" in question:
            expression = env.compile_expression(question["expression"])
            phase = "render"
            return {"truth": bool(expression(**variables))}
        template = env.from_string(question["template"])
        phase = "render"
        return {"text": template.render(**variables)}
    except RecursionError:
        return {"error": "RecursionError", "message": "", "phase": phase}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error), "phase": phase}


def main():
    env = environment()
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogatepass")
    for line in sys.stdin:
        print(json.dumps(answer(env, json.loads(line))), flush=False)


if __name__ == "__main__":
    main()
