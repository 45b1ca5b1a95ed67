// A YAML file that people write for techne (scripted answers, tests of a skill) -> its tree, or its faults.
//
// It is read by the parser of skill heads, within the same bounds. A skill is read leniently; here everything unclear
// is an error, because a silently repaired test tests something else. Every fault has its place, and unknown keys get
// a suggestion.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { describeValue } from '../skill/fields/read-value.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import { nodeParseFull } from '../node/yaml.ts';

/** The mapping that the file is, or null after reporting why there is none. Reports every doubt as SCRIPT_SYNTAX; `example` is what an empty file could begin with. */
export function parseYamlFile(
  text: string,
  report: Report,
  example = 'write "answers:" and a list',
): YamlMap | null {
  // The library would take the byte order mark away and be off by one.
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (text.trim() === '') {
    report('SCRIPT_SYNTAX', null, 'the file is empty', example);
    return null;
  }
  let faulty = false;
  const map = nodeParseFull(text, start, text.length, (code, at, message, hint) => {
    faulty = true;
    if (code === 'FRONTMATTER_NOT_A_MAP')
      report(
        'SCRIPT_SYNTAX',
        at,
        message.replace('the frontmatter', 'the file'),
        message.includes('is empty')
          ? example
          : `write keys such as ${firstKey(example)} at the start of a line`,
      );
    else
      report(
        'SCRIPT_SYNTAX',
        at,
        message.replace('the frontmatter', 'the file'),
        hint?.replace('move data into a file of its own', 'write a shorter one'),
      );
  });
  return faulty ? null : map;
}

/** `"tests:"` of `write "tests:" and a list`. */
function firstKey(example: string): string {
  return /"[^"]+:"/.exec(example)?.[0] ?? '"answers:"';
}

/** The entries of `map` by key; a key that is not among `known` is reported. `what` is "an answer", "a command" … */
export function entriesOf(
  what: string,
  map: YamlMap,
  known: readonly string[],
  report: Report,
): ReadonlyMap<string, YamlEntry> {
  const entries = new Map<string, YamlEntry>();
  for (const entry of map.entries) {
    if (known.includes(entry.key)) {
      entries.set(entry.key, entry);
      continue;
    }
    const meant = nearest(entry.key, known) ?? known.find((key) => key.startsWith(entry.key)) ?? null;
    report(
      'SCRIPT_UNKNOWN_KEY',
      entry.keySpan,
      `"${printableLine(entry.key)}" is not a key of ${what}`,
      meant === null ? `known keys: ${known.join(', ')}` : `did you mean "${meant}"?`,
    );
  }
  return entries;
}

/** The text that was written; a number or boolean is its source text. */
export function textIn(label: string, node: YamlNode, report: Report): string | null {
  if (node.kind === 'scalar' && node.value !== null)
    return typeof node.value === 'string' ? node.value : node.raw;
  report('SCRIPT_VALUE', node.span, `${label} must be text, not ${describeValue(node)}`);
  return null;
}

/** As `textIn`, where a list or a mapping stands for its JSON. */
export function textOrJsonIn(label: string, node: YamlNode, report: Report): string | null {
  return node.kind === 'scalar' ? textIn(label, node, report) : JSON.stringify(toJson(node));
}

export function booleanIn(label: string, node: YamlNode, report: Report): boolean | null {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  report('SCRIPT_VALUE', node.span, `${label} must be true or false, not ${describeValue(node)}`);
  return null;
}

export function integerIn(
  label: string,
  node: YamlNode,
  { min, max }: { readonly min: number; readonly max: number },
  report: Report,
): number | null {
  if (
    node.kind === 'scalar' &&
    typeof node.value === 'number' &&
    Number.isSafeInteger(node.value) &&
    node.value >= min &&
    node.value <= max
  )
    return node.value;
  report(
    'SCRIPT_VALUE',
    node.span,
    `${label} must be a whole number from ${min} to ${max}, not ${describeValue(node)}`,
  );
  return null;
}

/** The items of a list of texts; null after reporting. */
export function textListIn(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind !== 'seq') {
    report('SCRIPT_VALUE', node.span, `${label} must be a list of texts, not ${describeValue(node)}`);
    return null;
  }
  const texts = node.items.map((item) => textIn(`an item of ${label}`, item, report));
  return texts.every((text) => text !== null) ? texts : null;
}
