// Templates made by chance over values from outside, out of a grammar.
//
// G1. The same numbers give the same template.
// G2. No constant holds what the markers of `oracle.ts` are recognised by ("q" and "evil"); "<" stands only where an escape
//     could be undone with it.
// G3. `§t` stands for a text, `§l` for a list, `§d` for a dict, `§n` for a number, `§c` for a condition, `§a` for arguments of
//     a macro, `§v` for a name, `§m` for a macro and `§b` for statements.
// G4. Some templates begin with a text that was made safe (`§s`) and do something to it that may undo that.
import type { Pick } from '../../support/random-program.ts';

const sources = [
  'inputs.user_message', 'inputs.user_message', 'outputs.a', 'outputs.a', "outputs['a']", "inputs.get('user_message', '')", 'outputs.data.note', 'inputs.obj.k',
  "'a'", "'-'", "''", "'k b'", 'outputs.data.kind', 'inputs.kind', '3', 'inputs.form.tone', '§v', '§v', '§v', '§v',
];

const texts = [
  '(§t) | xml_escape', '(§t) | xml_escape', '(§t) | xml_escape | truncate(20)', '(§t) | truncate(20)', '(§t) | truncate(200)', '(§t) | truncate(§n)', '(§t) | truncate(200000)', '(§t) | truncate(20, true, §t)',
  "(§t) | truncate(20, **{'leeway': §n})", '(§t) | truncate(length=20)', '(§t) | truncate(*[20])', '(§t) | truncate(20, end=§t)', "(§t) | truncate(20, **{'end': §t})", "(§t) | truncate(20, **{'killwords': true})",
  '(§t) | slugify', '(§t) | slugify', '(§t) | tojson', '(§t) | e', '(§t) | forceescape', '(§t) | safe', '(§t) | urlencode', '(§t) | tojson(§n)', '(§t) | tojson(indent=§t)', '§l | tojson(indent=§t)', '§d | xmlattr',
  '(§t) | lower', '(§t) | upper', '(§t) | title', '(§t) | trim', '(§t) | string', '(§t) | striptags', '(§t) | reverse', "(§t) | trim('-')", "(§t) | trim('\"')", "(§t) | trim('a')", '(§t) | capitalize', '(§t) | extract_path', '(§t) | trim(§t)',
  "(§t) | replace('-', '')", "(§t) | replace('-', 'a')", "(§t) | replace('-', '', 1)", "(§t) | replace('-', '', §n)", "(§t) | replace('a', §t)", "(§t) | replace(§t, 'b')", "(§t) | replace('&lt;', '<')", "(§t) | replace('lt', 'gt')",
  "(§t) | replace(*['-', §t])", "(§t) | replace('', '-')", "(§t) | replace('a', '-')", "(§t) | replace('-', '', -1)", "(§t) | replace(old='a', new=§t)",
  '(§t) | default(§t)', '(§t) | default(§t, true)', '(§t) | default(default_value=§t)', '(§t) | d(*[§t])',
  '§l | join', "§l | join(', ')", '§l | join(§t)', "§l | join('<')", "§l | join('-')", "[{'a': §t}] | join(',', attribute='a')", "§l | join(attribute='a')", '§l | first', '§l | last', '§l | min', '§l | max', '§l | string', '§l | tojson', '§l | xml_escape',
  "(§l[0] | default(''))", "(§l[1] | default(''))", '§l[-1]', "(§l[§n] | default(''))", '§l.0', '(§t)[:20]', '(§t)[1:]', '(§t)[-20:]', '(§t)[0]', '(§t)[2:5]', '(§t)[::2]', '(§t)[:-1]', '(§t)[§n:]', '(§t)[:§n]', '(§t)[::-1]', '(§t)[4:20]', '(§t) | first', '(§t) | slice(0, 20)', '(§t) | slice(0, §n)',
  '(§t).upper()', '(§t).strip()', "(§t).strip('-')", "(§t).lstrip('-')", "(§t).lstrip('a-')", '(§t).rstrip()', "(§t).replace('-', '')", "(§t).replace('-', '', 1)", "(§t).replace('a', §t)", "(§t).join([§t, 'a'])", '(§t).join(§l)', '(§t | e).unescape()',
  '(§t | safe).striptags()', '(§t).center(9)', "(§t).ljust(30, '-')", '(§t).ljust(30, (§t)[:1])', '(§t).rjust(§n)', "(§t).removeprefix('-')", "(§t).removeprefix('a')", '(§t).format(§t)', '(§t).zfill(9)', '(§t).title()', '(§t).swapcase()', "(§t).partition(',')[2]",
  "(§t).partition('&lt;') | join('<')", "(§t).rpartition('/')[0]", "(§t).replace('&lt;', '<')", '(§t).expandtabs()', "(§t).split('/')[1]", "(§t).split('&lt;') | join('<')", '(§t).casefold()', "(§t).removesuffix('a')",
  '(§t ~ §t)', '(§t ~ §t)', '(§t + §t)', "(§t ~ 'a')", "('a' ~ §t)", "('x/' ~ §t)", "(' ' ~ §t)", "('' ~ §t)", "(' ' + §t)", '(§t if §c else §t)', '(§t if §c)', '(§t or §t)', '(§t and §t)', '(§t * §n)', '(§n * §t)',
  "('%s' % §t)", "('a %s' % §t)", "('%s' % §t)", "('%.20s' % §t)", "('%20s' % (§t,))", "('%s-%s' % (§t, §t))", "('%r' % §t)", "('%(a)s' % §d)", "('%s' | format(§t))", "('%.20s' | format(§t))", "('%(a)s' | format(a=§t))", "('%s' | format(*[§t]))", "('%(a)s' | format(**§d))", '(§t | format)',
  "'{}'.format(§t)", "'a {}'.format(§t)", "'{0}'.format(*[§t])", "'{a}'.format(a=§t)", "'{0[0]}'.format(§l)", "'{0.a}'.format(§d)", "'{0[a]}'.format(§d)", "'{:>9}'.format(§t)", "'{!r}'.format(§t)", "'{a}'.format_map(§d)", "'{0.a.a}'.format(§d)",
  "('n' | int(§t))", '(§t | float(default=§t))', "('n' | int(*[§t]))", "('n' | float(**{'default': §t}))", "('2020-01-01' | date(§t))", '((§t) | indent(2))', '((§t) | indent(§t))', '((§t) | indent(2, true))', '((§t) | wordwrap(9))', '((§t) | wordwrap(9, true, §t))', '((§t) | center(§n))',
  "(§d.a | default(''))", "(§d['a'] | default(''))", "(§d['b'] | default(§t))", "§d.get('a')", "§d.get('c', §t)", "(§d[§t] | default(''))", "(§d['1'] | default(''))", "(§d[1] | default(''))", "{'a': {'a': §t}}.a.a", "(§d | attr('get'))('a')", "§d['get']('a')",
  "((§t) | attr('upper'))()", "((§t) | e | attr('unescape'))()", "(§t)['strip']()", "(§t | e)['unescape']()", '[§l, §t][1]', '(§l | sum(start=[]))[0]', '(§l + §l)[1]', '§m(§a)', '§m(§a)', '(§m if true else 1)(§a)', '(§m or 1)(§a)', "{'f': §m}.f(§a)", '[§m][0](§a)', "(§m | default(''))(§a)", '([§m] | first)(§a)',
];

const lists = [
  '[§t]', "['a', §t]", 'inputs.history', 'outputs.data.tags', "inputs.get('history', ['a'])", '(§t,)', '[§t, §t]', '[§t, §t]', "(§t).split(',')", '(§t).split()', '(§t).splitlines()', "(§t).split('&lt;')", "(§t).rsplit('/', 1)", "(§t).partition(',')", "(§t).split('/', 2)", "(§t).split(',')[:2]",
  '(§l + §l)', '§l[1:]', '§l[:1]', '§l[:2]', '§l[::-1]', '§l[§n:]', '§l[:-1]', '(§l | reverse | list)', '(§l | sort)', '(§l | unique | list)', '(§l | list)', "(§l | reject('equalto', 'a') | list)", "(§l | select('string') | list)", '(§l | select | list)',
  "(§l | map('truncate', 20) | list)", "(§l | map('xml_escape') | list)", "(§l | map('xml_escape') | map('truncate', 20) | list)", "(§l | map('upper') | list)", "(§l | map('slugify') | list)", "(§l | map('first') | list)", "(§l | map('default', §t) | list)", "(§l | map('replace', 'a', §t) | list)", '(§l | map(§t) | list)',
  '(§l | default(§l))', '(§l if §c else §l)', '(§l or §l)', '((§l | batch(2)) | list)[0]', '((§l | batch(3, §t)) | list)[0]', '((§l | slice(2)) | list)[0]', '((§l | slice(3, fill_with=§t)) | list)[2]', '((§l | slice(3, §t)) | list)[2]', '(§l | slice(0, 1))',
  '((§t) | list)', '((§t) | reverse | list)', "((§t) | map('upper') | list)", "((§t) | map('xml_escape') | list)", '(§d.values() | list)', '(§d.keys() | list)', '(§d | list)', '(§d.items() | first)', '(§d | dictsort | first)', '(§d | items | first)', '(§l * §n)', '§v.a', '§v.split()',
  "([{'a': §t}, {'a': 'b'}] | map(attribute='a') | list)", "([{'a': §t}] | map(attribute='z', default=§t) | list)", "([{'a': §t}] | groupby('a') | first)", "(([{'a': §t}] | groupby('a') | list)[0].list | map(attribute='a') | list)", "([{'a': {'b': §t}}] | map(attribute='a.b') | list)", "([[§t]] | sum(start=[]))", '[§l, §l][1]', '§d.a',
];

const dicts = ["{'a': §t}", "{'a': §t, 'b': 'k'}", "{'a': 'k', 'b': §t}", '{§t: §t}', "{'a': §t, §t: 'b'}", "{'1': §t, 1: 'k'}", "{1: §t, '1': 'k'}", 'inputs.obj', "{'a': {'a': §t}}", 'inputs', 'outputs', "{'a': §l}", "{'a': §t}.copy()", "(§d if §c else {'a': §t})", "(inputs.nothing | default({'a': §t}))"];
const numbers = ['0', '1', '2', '3', '-1', '20', '200', '5', '(§t | length)', '10 ** 9', '(2 if true else 20)', '-5', '(1 + 2)', 'true'];
const conditions = ['true', 'false', '§t', "(§t) == 'a'", "'a' in (§t)", "(§t) in ['a', 'b']", "§v == 'a'", "§v in ['k', 'a']", "inputs.kind == 'a'", 'not (§t)', '((§t) | length) > 3', "inputs.get('kind.k', 'k') == 'k'", "inputs.get('nothing', 'k') == 'k' and true"];
const given = ['', '§t', '§t', '§t, §t', 'a=§t', '*§l', "**{'a': §t, 'b': §t}", "'k', *[§t]", "**{'a': §t}", '*[§t], **{}', 'b=§t', '§t, b=§t', "*§l, **{}"];

const statements = [
  '{{ §t }}', '{{ §t }}', '{{ §t }}', '{{ §t }}', '{% set §v = §t %}', '{% set §v = §t %}', '{% set §v = §l %}', '{% set §v %}§b{% endset %}', '{% set §v | lower %}§b{% endset %}', '{% set §v | truncate(20) %}§b{% endset %}', '{% set §v | xml_escape | truncate(20) %}§b{% endset %}',
  '{% set §v, §v = §t, §t %}', '{% set x, y = [§t, §l] %}{{ y }}', '{% set x, y = (§l + §l)[:2] %}{{ y }}', '{% set x, y = {§t: 1, 2: 3} %}{{ x }}', '{% if §c %}§b{% else %}§b{% endif %}', '{% if §c %}§b{% endif %}', '{% if §c %}§b{% elif §c %}§b{% endif %}', '{% if §c %}{% set §v = §t %}§b{% endif %}{{ §v }}', "{% if x == 'a' %}{% set x = §t %}{{ x }}{% endif %}",
  '{% for §v in §l %}§b{% endfor %}', '{% for x in §l %}{{ x }}{% endfor %}', '{% for x in §l %}{{ x | xml_escape | truncate(20) }}{% endfor %}', '{% for x in §t %}{{ x | xml_escape }}{% endfor %}', '{% for §v in §l if §c %}§b{% endfor %}', '{% for x in §l %}§b{{ loop.cycle(§t, §t) }}{% endfor %}', "{% for x in §l %}{{ loop['cycle'](§t) }}{% endfor %}",
  '{% for x in §l %}{% set c = loop.cycle %}{{ c(§t) }}{% endfor %}', '{% for x in §l %}{{ loop.previtem | default("") }}{{ loop.index }}{% endfor %}', "{% for x in §l %}{{ '{0.nextitem}'.format(loop) if not loop.last else '' }}{% endfor %}", "{% for x in §l %}{{ (loop | attr('previtem')) | default('') }}{% endfor %}", '{% for x in §l recursive %}{{ x }}{% if loop.depth < 2 %}{{ loop(§l) }}{% endif %}{% endfor %}',
  '{% for x in §l recursive %}§b{% if loop.depth < 3 %}{{ loop([§t]) | replace("a", "b") }}{% endif %}{% endfor %}', '{% for x in §l %}{{ loop.changed(§t) }}{% else %}§b{% endfor %}', '{% for x, y in §d.items() %}§b{{ x }}{{ y }}{% endfor %}', '{% for x, y in §d | dictsort %}{{ y }}{% endfor %}', '{% for x, y in [[§t, §t]] %}{{ x }}{% endfor %}', '{% for x, y in [§l, §l] %}§b{{ y }}{% endfor %}',
  '{% for x in §l | batch(2, §t) %}{{ x[1] }}{% endfor %}', '{% for x in §l | slice(3, §t) %}{{ x }}{% endfor %}', '{% for x in (§t).split(",") %}{{ x | xml_escape | truncate(20) }}{% endfor %}', '{% for x in ((§t).split(",") | map("xml_escape") | map("truncate", 20)) %}§b{{ x }}{% endfor %}',
  '{% call §m(§a) %}§b{% endcall %}', "{% call §m(§a) %}{{ varargs | first | default('') }}{{ kwargs.a | default('') }}{% endcall %}", '{% call(x) §m(§a) %}§b{{ x }}{% endcall %}', '{% call §m(*§l) %}§b{% endcall %}', '{% filter upper %}§b{% endfilter %}', '{% filter truncate(20) %}§b{% endfilter %}', '{% filter xml_escape | truncate(20) %}§b{% endfilter %}', '{% filter trim %}§b{% endfilter %}', "{% filter replace('a', §t) %}§b{% endfilter %}", 
  '{% with §v = §t %}§b{% endwith %}', '{% with x = §t, y = x %}§b{{ y }}{% endwith %}', 'a', ' ', 'text ',
];

const macros = [
  "{% macro §M(a='', b='k') %}§b{{ b }}{% endmacro %}", '{% macro §M(a="", b="") %}{{ a }}{% endmacro %}', '{% macro §M(a="", b="") %}{{ a | truncate(20) }}§b{% endmacro %}', '{% macro §M(a=§t, b=1) %}§b{{ a }}{% endmacro %}', '{% macro §M() %}§b{{ varargs }}{{ kwargs }}{% endmacro %}', "{% macro §M() %}{{ varargs | first | default('') }}{{ kwargs | length }}{% endmacro %}", "{% macro §M() %}{{ kwargs.a | default('') }}{{ varargs | length }}{% endmacro %}",
  "{% macro §M(a='') %}§b{{ caller() if caller else a }}{% endmacro %}", "{% macro §M(a='') %}{{ caller(a) if caller else '' }}§b{% endmacro %}", '{% macro §M(a="", b="") %}{{ x }}{{ y | truncate(20) }}{% endmacro %}', "{% macro §M(a='', n=2) %}{{ a }}{% if n > 0 %}{{ §M(a ~ 'k', n - 1) }}{% endif %}{% endmacro %}", "{% macro §M(a='', n=2) %}{% if n > 0 %}{{ §M(§t, n - 1) }}{% else %}{{ a | xml_escape | truncate(20) }}{% endif %}{% endmacro %}",
];

const safe = [
  '(§u | slugify)', "(§u.lstrip('-') | truncate(50))", "(§u | tojson | truncate(50))", "('x/' ~ (§u | truncate(50)))", "(' ' ~ (§u | truncate(20)))", "(§u | truncate(50) | replace('-', ''))", "('a%s' % (§u | truncate(20)))", "'a {}'.format(§u | truncate(20))", "([§u | truncate(20)] | string)",
  '(§u | xml_escape | truncate(90))', '(§u | e | truncate(90))', '(§u | truncate(50) | xml_escape)', '(§u | forceescape | truncate(90))', "(§u | truncate(20) | tojson)",
];
/** The escapes of both brackets are undone, or nothing comes out that can be recognised. */
const undone = [
  '(§s)[1:]', '(§s)[2:]', '(§s) | trim', "(§s) | trim('\"')", "(§s) | trim('x/a')", "(§s) | replace('a', '')", "(§s) | replace('x/', '')", "(§s) | replace('-', '', 1)", "(§s) | replace('-', '', 0)", "(§s) | replace('-', '', -1)", "(§s).split('/')[1]", "(§s).split() | first", '(§s) | reverse', '(§s) | first', '(§s) | last',
  "(§s).removeprefix('x/')", "(§s).partition('/')[2]", "(§s).partition(' ')[2] | default('')", '(§s) | wordwrap(5)', '(§s) | indent(2)', "(§s).strip('ax/ ')", "(§s).strip('-')", "(§s).lstrip()", '(§s) | list | last', "(§s)[::-1]", "(§s) | striptags", '(§s) | upper', '(§s) | title', "(§s) | replace('', '-')", '(§s) | center(60) | trim', "('' ~ (§s))", "('%s' % (§s))", '(§s) | list | join', "(§s).splitlines() | join", '§s', '§s',
  "(§s) | replace('&lt;', '<') | replace('&gt;', '>')", "(§s).split('&lt;') | join('<') | replace('&gt;', '>')", "(§s).replace('&lt;', '<').split('&gt;') | join('>')", "(§s | e).unescape()", "(§s) | safe | e", "(§s | safe | e).unescape()", "(§s).partition('&lt;') | join | replace('&lt;', '<') | replace('&gt;', '>')", "(§s) | replace(*['&lt;', '<']) | replace(**{'old': '&gt;', 'new': '>'})",
];
const focused = ['{{ §o }}', '{{ §o }}', '{{ §o }}', '{% set x %}{% if false %}a{% endif %}{{ §o }}{% endset %}{{ x }}', '{% set x %}{{ §o }}{% endset %}{{ x }}', '{% if true %}{{ §o }}{% endif %}', '{% if false %}a{% endif %}{{ §s }}', '{% for x in [§o] %}{{ x }}{% endfor %}', '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(§o) }}', '{% filter trim %}{{ §s }}{% endfilter %}', '{% set x = §s %}{{ (x)[1:] }}', '{% set x = §o %}{{ x | truncate(90) }}'];

const tables: { readonly [sign: string]: readonly string[] } = { t: texts, l: lists, d: dicts, n: numbers, c: conditions, a: given, s: safe, o: undone, u: ['inputs.user_message', 'inputs.user_message', 'outputs.a', 'inputs.obj.k'] };
/** What is short, for where it has gone deep enough. */
const leaves: { readonly [sign: string]: readonly string[] } = { t: sources, l: ['inputs.history', 'outputs.data.tags', "['a', §v]", '[§v]'], d: ["{'a': §v}", 'inputs.obj'], n: ['1', '20'], c: ['true', 'false'], a: ['', '§v'], s: safe, o: undone, u: ['inputs.user_message'], b: ['{{ §v }}', 'a'] };

export function generateTemplate(pick: Pick): string {
  let left = 8 + pick(30);
  let made = 0;
  const known: string[] = [];
  const one = (all: readonly string[]): string => all[pick(all.length)] as string;
  const expand = (text: string, depth: number): string => text.replaceAll(/§(\w)/g, (_, sign: string) => {
    left -= 1;
    if (sign === 'v') return one(['x', 'y', 'a', 'x']);
    if (sign === 'm') return one(['m', ...known]);
    const isDeep = left < 0 || depth > 5;
    if (sign === 'b') return isDeep ? expand(one(leaves['b'] as readonly string[]), depth) : Array.from({ length: 1 + pick(2) }, () => expand(one(statements), depth + 1)).join('');
    return expand(one((isDeep || (sign === 't' && pick(4) === 0) ? leaves[sign] : tables[sign]) as readonly string[]), depth + 1);
  });
  if (pick(4) === 0) return expand(one(focused), 0);
  let template = expand("{% macro m(a='', b='') %}{{ a }}{% endmacro %}{% set y = 'a' %}{% set a = 'k' %}{% set x = 'a' %}{% set x = §t %}", 4);
  for (let count = 1 + pick(4); count > 0; count -= 1) {
    left = Math.max(left, 6);
    if (pick(5) === 0) {
      made += 1;
      template += expand(one(macros).replaceAll('§M', `m${made}`), 2);
      known.push(`m${made}`);
      template += expand(`{{ m${made}(§a) }}`, 1);
    } else template += expand(one(statements), 0);
  }
  return template;
}
