// What is known of the values of templates: each row is a template, and what may be in the text that it writes.
import { describe, expect, it } from 'vitest';
import { parseText } from '../parse-site.ts';
import type { Abstract, Atom } from './abstract-value.ts';
import { atom, choice, fromAtom, make, plain } from './abstract-value.ts';
import { abstractText } from './as-text.ts';
import { anyOf } from './sequence.ts';
import { runTemplate } from './run-template.ts';

/** `user` and `out` are texts without a bound, `short` has 40 characters, `tag` is escaped, `any` can be anything. */
const names: Readonly<Record<string, Abstract>> = {
  user: fromAtom(atom('user', 'user'), true),
  out: fromAtom(atom('output', 'out'), true),
  short: fromAtom(atom('user', 'short', 40), true),
  tag: make({ text: [{ ...atom('user', 'tag', 40), escaped: true }] }),
  slug: make({ text: [{ ...atom('user', 'slug', 40), escaped: true, slug: true, dash: false }] }),
  safe: make({ text: [{ ...atom('user', 'safe', 40), marked: true }] }),
  any: fromAtom(atom('user', 'any')),
  number: plain,
  kind: choice(['x', 'y']),
  rows: anyOf(fromAtom(atom('user', 'row', 10), true), { most: 5 }),
  lines: anyOf(fromAtom(atom('user', 'line', 10), true), { endless: true }),
};

/** Constants in quotes, `#` for a number, and each thing from outside with what is known of it. */
function written(template: string): string {
  const body = parseText(template);
  if (body === null) throw new Error(`not a template: ${template}`);
  const watch = { unknownName: () => undefined, neverEqual: () => undefined, noMember: () => undefined };
  return runTemplate(body, { look: (name) => names[name] ?? null }, watch)
    .map(({ value }) => shown(value))
    .join(' ; ');
}

function shown(value: Abstract): string {
  const { constants, text } = abstractText(value);
  const parts = [
    ...constants.map((one) => JSON.stringify(one)),
    ...(value.plain ? ['#'] : []),
    ...(text ?? []).map(ofAtom),
  ];
  return parts.length > 0 ? parts.join(' | ') : 'text';
}

function ofAtom({ what, bound, escaped, slug, dash, behind, marked, crumb }: Atom): string {
  const name = what.startsWith('a text that is too involved') ? 'lost' : what;
  return [
    name,
    ...(bound === Number.POSITIVE_INFINITY ? [] : [`≤${bound}`]),
    ...Object.entries({ escaped, slug, behind, marked, crumb }).flatMap(([key, holds]) =>
      holds ? [key] : [],
    ),
    ...(dash ? [] : ['no-dash']),
  ].join(' ');
}

/** Rows of `expression → what it may write`. */
function rows(table: string): readonly (readonly [string, string])[] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(' → ') as [string, string]);
}

const templates = `
{% set x = short %}{{ x }} → short ≤40
{% set x, y = short, out %}{{ y }} → out
{% set x %}a{{ short }}{% endset %}{{ x }} → short ≤40 behind
{% set x | truncate(3) %}{{ user }}{% endset %}{{ x }} → user ≤3
{% set x %}{% for c in user %}{{ c }}{% endfor %}{% endset %}{{ x | truncate(5) }} → user ≤5
{% if number %}{% set x = short %}{% endif %}{{ x }} → short ≤40
{% set x = out %}{% if number %}{% set x = short %}{% endif %}{{ x }} → short ≤40 | out
{% set x = out %}{% if number %}{% set x = short %}{% else %}{% set x = tag %}{% endif %}{{ x }} → short ≤40 | tag ≤40 escaped
{% set x = out %}{% if number %}{% set x = short %}{% elif kind %}{% set x = tag %}{% endif %}{{ x }} → short ≤40 | tag ≤40 escaped | out
{% if user == 'a' %}{{ user }}{% endif %} → "a"
{% if 'a' == user %}{{ user }}{% endif %} → "a"
{% if user in ['a', 'b'] %}{{ user }}{% endif %} → "a" | "b"
{% if user in ('a', 2) %}{{ user }}{% endif %} → "a" | #
{% if user in [] %}{{ user }}{% endif %} → #
{% if user in 'ab' %}{{ user }}{% endif %} → user
{% if user == 1 %}{{ user }}{% endif %} → #
{% if user != 'a' %}{{ user }}{% endif %} → user
{% if user == out %}{{ user }}{% endif %} → user
{% if user == 'a' or number %}{{ user }}{% endif %} → user
{% if user == 'a' and number %}{{ user }}{% endif %} → "a"
{% if user == 'a' == out %}{{ user }}{% endif %} → user
{% if user == 'a' %}x{% else %}{{ user }}{% endif %} → "x" ; user
{% if user == 'a' %}{% set user = out %}{{ user }}{% endif %} → out
{% if any.x == 'a' %}{{ any['x'] }}{{ any.get('x') }}{{ any.y }}{% endif %} → "a" ; "a" ; any
{% if any.get('x') == 'a' %}{{ any.x }}{% endif %} → "a"
{% if any.get('x', '') == 'a' %}{{ any.x }}{% endif %} → "a"
{% if any.get('x', out) == 'a' %}{{ any.x }}{% endif %} → any
{% if any[0] == 'a' %}{{ any[0] }}{{ any['0'] }}{% endif %} → "a" ; any
{% if any[out] == 'a' %}{{ any[out] }}{% endif %} → any
{% if user == 'a' %}{% with user = out %}{{ user }}{% endwith %}{% endif %} → out
{{ user if user == 'a' else 'b' }} → "a" | "b"
{{ (user if user == 'a' else 'b') ~ user }} → user behind
{% for x in rows %}{{ x }}{% endfor %} → row ≤10
{% for x in rows if x == 'a' %}{{ x }}{% endfor %} → "a"
{% for x in user %}{{ x }}{% endfor %} → user crumb
{% for x in short %}{{ x }}{% endfor %} → short ≤1
{% for x in out.split() %}{{ x | truncate(5) }}{% endfor %} → out ≤5
{% for x in user.split() %}{{ x | truncate(5) }}{% endfor %} → user crumb
{% for x in lines %}{{ short }}{% else %}{{ out }}{% endfor %} → short crumb ; out
{% for k, v in {'x': short}.items() %}{{ k }}{{ v }}{% endfor %} → "x" ; short ≤40
{% for x in {'x': short} %}{{ x }}{% endfor %} → "x"
{% for x in 'ab' %}{{ x }}{% endfor %} → "a" | "b"
{% for x in 'abcdefghijklmnop' %}{{ x }}{% endfor %} → "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p"
{% for x in 'abcdefghijklmnopq' %}{{ x }}{% endfor %} → text
{% for x in any %}{{ x }}{% endfor %} → any
{% for x in number %}{{ x }}{% endfor %} → text
{% for x in [short] %}{{ loop.index }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a', out) }}{{ loop.changed(x) }}{% endfor %} → # ; short ≤40 ; short ≤40 ; "a" | out ; #
{% for x in [short] %}{{ loop[kind] }}{% endfor %} → # | short ≤40
{% for x in [[short]] recursive %}{{ x if number else loop(x) }}{% endfor %} → short ≤40 | short ≤1 | short ≤40 behind | short marked
{% for x in rows recursive %}{{ loop(user) if number else x }}{% endfor %} → row crumb | user crumb | row marked crumb | user marked crumb
{% for x in rows recursive %}{{ loop([out]) if number else x }}{% endfor %} → row ≤10 | out
{% with x = short, y = x %}{{ x }}{{ y }}{% endwith %} → short ≤40 ; text
{% macro m(a, b=out) %}{{ a }}-{{ b }}{% endmacro %}{{ m(short) }} → short ≤40 | out behind
{% macro m(a, b=out) %}{{ a }}-{{ b }}{% endmacro %}{{ m(short, 'x') }} → short ≤40
{% macro m(a, b=out) %}{{ a }}-{{ b }}{% endmacro %}{{ m(b=short, a='x') }} → short ≤40 behind
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(*rows) }} → row ≤10
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(*[short, out]) }} → short ≤40
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(**{'a': short}) }} → short ≤40
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(**any) }} → any
{% macro m() %}{{ varargs }}{% endmacro %}{{ m(short) }} → short ≤40 behind
{% macro m() %}{{ kwargs }}{% endmacro %}{{ m(x=short) }} → short ≤40 behind
{% macro m() %}{{ kwargs.x }}{% endmacro %}{{ m(x=short, y=out) }} → short ≤40
{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(*rows) }} → row behind | row ≤10 behind
{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ short }}{% endcall %} → short ≤40
{% macro m() %}{{ caller(out) }}{% endmacro %}{% call(x) m() %}{{ x }}{% endcall %} → out
{% macro m(x) %}{{ x if number else m(x ~ 'a') }}{% endmacro %}{{ m(short) }} → short ≤40 | short marked
{% macro m(x) %}{{ x if number else m(out) }}{% endmacro %}{{ m(short) }} → short ≤40 | out | out marked
{% macro m(x) %}{% if number %}{{ m(x[1:]) }}{% endif %}{{ x }}{% endmacro %}{{ m(slug) }} → slug ≤40 escaped slug | slug marked | slug ≤40 escaped slug no-dash
{% macro m() %}{{ later }}{% endmacro %}{% set later = short %}{{ m() }} → short ≤40
{% filter upper %}{{ short }}{% endfilter %} → short ≤40
{% filter truncate(3) | upper %}{{ user }}{% endfilter %} → user ≤3
{% filter replace('a', out) %}x{% endfilter %} → out marked
a{{ short }}b → "a" ; short ≤40 ; "b"
{{ missing }} → text
{{ missing | default(short) }} → short ≤40
`;

const expressions = `
'%s' % user → user
'%s' % short → short ≤40
'%.5s' % user → user ≤5
'%.*s' % (5, user) → user behind | user
'%.5s %.3s' % (user, out) → user ≤5 behind | out ≤5 behind | user ≤5 | out ≤5
'%.90s' % short → short ≤40
'%r' % short → short ≤40
'%a' % short → short ≤40
'%c' % user → lost marked
'%c' % number → lost marked
'%d' % user → text
'%d%%' % number → text
'a%s' % short → short ≤40 behind
'%%%s' % short → short ≤40 behind
'%5.2s' % user → user ≤2
'%(x).5s' % {'x': user} → user ≤5 behind | user ≤5
'%s' % (short, out) → short ≤40 behind | out behind | short ≤40 | out
'%s' % [short] → short ≤40 behind | short ≤40
'none' % () → "none"
'100%' → "100%"
user % short → user marked | short marked
number % 3 → #
7 % 4 → "3"
-7 % 4 → "1"
kind % short → short marked
'{}'.format(user) → user
'{}'.format(short) → short ≤40
'a{}'.format(short) → short ≤40 behind
'{{{}'.format(short) → short ≤40 behind
'{:c}'.format(number) → lost marked
'{:{}}'.format(short, 5) → lost marked
'{0.x}'.format(short) → short marked
'{0[x]}'.format(short) → short marked
'{x}'.format(x=short) → short ≤40
'plain'.format(user) → "plain"
'{}'.format_map({'x': short}) → short ≤40 behind | short ≤40
'%s' | format(short) → short ≤40
'%.3s' | format(out) → out ≤3
slug * 3 → slug ≤120 escaped slug no-dash
short * 3 → short ≤120
3 * short → short ≤120
short * 0 → short ≤40
short * number → short
short * (1 if number else 7) → short ≤280
'ab' * 3 → text
'ab' * number → text
[short] * 3 → short ≤120 behind
[short] * number → short behind
2 * 3 → "6"
2 + 3 → "5"
2 - 5 → "-3"
2 ** 3 → "8"
2 ** -1 → #
7 // 2 → "3"
7 / 2 → #
number + 1 → #
short + out → short ≤40 | out
'a' + short → short ≤40 behind
short + 'a' → short ≤40
[short] + [out] → short ≤40 behind | out behind
[] + rows → row ≤50 behind
rows + lines → row behind | line behind
number + short → text
'a' ~ short → short ≤40 behind
'' ~ short → short ≤40
short ~ tag → short ≤40 | tag ≤40 escaped
(short if number else '') ~ tag → short ≤40 | tag ≤40 escaped
('a' if number else 'b') ~ tag → tag ≤40 escaped behind
('a' if number else 'b') ~ ('c' if number else 'd') → "ac" | "ad" | "bc" | "bd"
1 ~ true ~ none → "1TrueNone"
-number → #
-3 → "-3"
short | xml_escape → short ≤40 escaped
user | e → user escaped marked
safe | e → safe ≤40 marked
safe | forceescape → safe ≤40 escaped marked
short | forceescape → short ≤40 escaped marked
safe | xml_escape → safe ≤40 escaped marked
short | urlencode → short ≤40 escaped
safe | xmlattr → safe ≤40 marked
short | xmlattr → short ≤40 escaped
slug | xmlattr → slug ≤40 escaped slug
short | safe → short ≤40 marked
user | tojson → user escaped marked no-dash
short | tojson(2) → short ≤40 escaped marked no-dash
short | tojson(out) → short marked | out marked
user | slugify → user ≤128 escaped slug no-dash
short | slugify → short ≤40 escaped slug no-dash
user | truncate → user ≤1024
user | truncate(5) → user ≤5
short | truncate(90) → short ≤40
user | truncate(0) → user
user | truncate(100000) → user ≤100000
user | truncate(100001) → user
user | truncate(99990, leeway=10) → user ≤100000
user | truncate(99990, leeway=11) → user
user | truncate(5, leeway=-3) → user ≤5
user | truncate(5, end=out) → user ≤5 | out
user | truncate(100001, end=out) → user | out
user | truncate(number) → user
'abc' | truncate(3) → "abc"
'abcd' | truncate(3) → text
(5 if number else 9) | truncate(3) → "5" | "9"
user | default('x') → "x" | user
short | replace('a', 'bcd') → short ≤120
tag | replace('a', 'b') → tag ≤40 escaped
tag | replace('a', '<') → tag ≤40
tag | replace('&', 'b') → tag ≤40
tag | replace('lt', 'b') → tag ≤40
slug | replace('a', 'b') → slug ≤40 escaped slug
slug | replace('a', ' ') → slug ≤40 escaped
short | replace('-', '') → short ≤40 no-dash
short | replace('-', '-') → short ≤40
short | replace('-', '', 1) → short ≤40
short | replace('-', '', -1) → short ≤40 no-dash
short | replace('', 'ab') → short ≤120
short | replace(out, 'b') → short marked
short | replace('a', out) → short marked | out marked
tag | striptags → tag ≤40
short | trim → short ≤40
slug | trim → slug ≤40 escaped slug no-dash
slug | trim('-') → slug ≤40 escaped slug no-dash
short | trim('-') → short ≤40 no-dash
short | trim('a') → short ≤40
slug | upper → slug ≤40 escaped slug no-dash
user | string → user
'a' | string → "a"
5 | string → text
slug | center(80) → slug ≤40 escaped no-dash
slug | center(number) → slug marked
slug | indent → slug ≤40 escaped marked no-dash
slug | indent(out) → slug marked | out marked
slug | wordwrap(5) → slug ≤40 escaped
slug | wordwrap(5, true, out) → slug marked | out marked
slug | extract_path → slug ≤40 escaped slug
user | length → #
user | int → #
user | int(short) → # | short ≤40
user | filesizeformat → text
user | date → text
number | date(short) → short marked
any | attr('x') → any
rows | first → row ≤10
[short, out] | first → short ≤40
[short, out] | last → out
[] | first → text
rows | min → row ≤10
rows | list → row ≤50 behind
[short, out] | sort → short ≤80 behind | out behind
[short, out] | reverse → out behind | short ≤40 behind
([short, out] | reverse)[0] → out
slug | reverse → slug ≤40 escaped slug
any | reverse → any | any behind
rows | map('truncate', 3) → row ≤15 behind
rows | map('upper') | join → row ≤50
rows | map(number, short) → row behind marked | short behind marked
rows | map(attribute='x', default=out) → out behind
[{'x': short}] | map(attribute='x') | join → short ≤40
[{'x': {'y': short}}] | map(attribute='x.y') | join → short ≤40
[[out, short]] | map(attribute='1') | join → short ≤40
rows | join(', ') → row ≤50
rows | join(short) → row ≤50 | short
lines | join → line
[short, out] | join('-') → short ≤40 | out behind
rows | sum → row marked
[1, 2] | sum → text
[1] | sum(start=short) → short marked
rows | batch(2) → row behind
rows | batch(2, out) → row behind | out behind
rows | slice(2) → row behind
short | slice(0, 5) → short ≤5
rows | slice(2, out) → row behind | row behind | out behind
[{'x': short, 'y': out}] | groupby('x') → short ≤40 behind | short ≤40 behind | out behind
([{'x': short, 'y': out}] | groupby('x'))[0].grouper → "None" | short ≤40
([{'x': short, 'y': out}] | groupby('x'))[0].list → short ≤40 behind | out behind
{'x': short} | items → short ≤40 behind
{'x': short} | dictsort → short ≤40 behind
any | items → any behind
rows | unknown_filter → row marked
short[:5] → short ≤5
short[2:5] → short ≤3
user[-5:] → user ≤5
user[5:] → user
user[:-5] → user
user[-7:-2] → user ≤5
user[-7:2] → user
user[5:2] → user ≤0
user[::2] → user
user[::-1] → user
user[:number] → user
user[:(3 if number else 8)] → user ≤8
rows[:3] → row ≤30 behind
rows[:9] → row ≤50 behind
lines[:3] → line ≤30 behind
lines[1:] → line behind
[short, out][1:] → out behind
[short, out][-1:] → out behind
[short, out][::1] → short ≤80 behind | out behind
'abc'[1] → "b"
'abc'[-1] → "c"
'abc'[9] → #
'abc'[number] → text
short[0] → short ≤1
any[0] → any
[short, out][1] → out
[short, out][-1] → out
[short, out][7] → text
[short, out][number] → short ≤40 | out
{'x': short, 'y': out}.x → short ≤40
{'x': short, 'y': out}['y'] → out
{'x': short}.z → text
{'x': short, 'y': out}[kind] → short ≤40 | out
{kind: short, 'y': out}.y → short ≤40 | out
{user: 1} → user behind
{'x': short} → short ≤40 behind
{'x': short}.keys() → text
{'x': short}.values() → short ≤40 behind
{'x': short}.items() → short ≤40 behind
{'x': short}.get('x', out) → short ≤40 | out
{'x': short}.get('z', out) → out
{'x': short}.copy() → short ≤40 behind
any.get('x') → "None" | any
any.keys() → any behind
any.values() → any behind
any.items() → any behind
[short].copy() → short ≤40 behind
short.upper() → short ≤40
short.startswith('a') → #
short.replace('a', 'bc') → short ≤80
short.replace('-', '', 2) → short ≤40
short.strip() → short ≤40
slug.strip() → slug ≤40 escaped slug no-dash
short.lstrip('-') → short ≤40 no-dash
slug.removeprefix('a') → slug ≤40 escaped slug
'a,b'.split(',') → text
'a,b'.split(',')[1] → "b"
'a b'.split()[1] → text
'a,b'.split(',', 1)[1] → text
kind.split(',')[1] → text
([{'x': short}] | groupby('x') if number else [[out, tag]])[0].grouper → "None" | short ≤40 | out
([[out, tag]] if number else [{'x': short}] | groupby('x'))[0].grouper → "None" | out | short ≤40
'a b'.split() → text
'a,b'.split(',', 1) → text
short.split() → short behind
tag.split('&') → tag behind
tag.split('a') → tag escaped behind
user.split() → user behind
out.split() → out behind
out.splitlines() → out behind
short.partition('-') → short ≤40 behind
tag.partition(';') → tag ≤40 behind
'-'.join(rows) → row ≤50
'-'.join([short, out]) → short ≤40 | out behind
short.join(['a', 'b']) → short ≤40 behind
tag.unescape() → tag ≤40
slug.center(5) → slug ≤40 escaped no-dash
slug.ljust(number) → slug marked
slug.ljust(5, short) → slug marked | short marked
slug.zfill(5) → slug ≤40 escaped no-dash
short.nothing() → short marked
number.x → #
rows.x → text
kind → text
kind == 'x' → #
user is defined → #
not user → #
user and out → user | out
user or 'x' → "x" | user
short if number else out → short ≤40 | out
short if kind == 'x' → "" | short ≤40
[short, out] → short ≤40 behind | out behind
rows → row ≤50 behind
lines → line behind
any → any
`;

describe('what an expression may write', () => {
  it('is known', () => {
    const expected = rows(expressions);
    expect(expected.map(([row]) => [row, written(`{{ ${row} }}`)])).toEqual(expected);
  });
});

describe('what a template may write', () => {
  it('is known', () => {
    const expected = rows(templates);
    expect(expected.map(([row]) => [row, written(row)])).toEqual(expected);
  });
});

describe('macros with loops that call themselves', () => {
  /** `levels` macros, each of which calls the next one in a recursive loop over an expression of some height. */
  const nested = (levels: number): string => {
    const high = `${'['.repeat(60)}short${']'.repeat(60)}`;
    const macros = Array.from(
      { length: levels },
      (_, at) =>
        `{% macro m${at}(x) %}{% for r in rows recursive %}{% set y = ${high} %}${at === 0 ? '{{ x }}' : `{{ m${at - 1}(x) }}`}{% endfor %}{% endmacro %}`,
    );
    return `${macros.join('')}{{ m${levels - 1}(kind) }}`;
  };

  it('are followed as deep as the loops and the macros together allow', () => {
    expect(written(nested(3))).not.toContain('lost');
    expect(written(nested(6))).toContain('lost');
  });
});

describe('a macro that is never called', () => {
  it('is read all the same, once', () => {
    const unknown: string[] = [];
    runTemplate(
      parseText(
        '{% macro m(a) %}{{ a }}{{ gone }}{% endmacro %}{% macro n() %}{{ m(1) }}{{ lost }}{% endmacro %}',
      ) ?? [],
      { look: () => null },
      { unknownName: (name) => unknown.push(name), neverEqual: () => undefined, noMember: () => undefined },
    );
    expect(unknown).toEqual(['gone', 'lost']);
  });
});
