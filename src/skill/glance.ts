// A plain skill at a glance: what listing needs of its head, without parsing it.
//
//   frontmatter text -> SkillCard | null
//
//   head  = "---" EOL entry+ "---" EOL
//   entry = inert-key ":" (plain | 'single' | "double" | [words] | block) EOL
//         | inert-key ":" EOL (indent "- " plain EOL)+
//         | "metadata:" EOL ("  " key ":" … EOL)+
//
// G1. `null` means doubt, never an error: `parseHead` decides then.
// G2. Where it answers, `parseHead` gives a head without the YAML library, with this card and without an
//     error (property test). Warnings and notes come from that head, when someone asks for them.
// G3. Only keys that cannot change the card are read over. Everything that makes a skill executable, hidden
//     or demanding is doubt.
//
// A process that lists skills has just started, so this code runs before the compiler has seen it: it is
// made of a few searches and sticky patterns, which are machine code from the second use on. Parsing the
// same heads character by character takes eight times as long there.
import { descriptionLimit } from './description.ts';
import { fields } from './fields.ts';
import type { SkillCard } from './card.ts';
import { plainCard } from './card.ts';
import { forbiddenKeys } from './yaml/node.ts';

const inertKeys: ReadonlySet<string> = new Set(
  fields
    .map(({ name }) => name)
    .filter((name) => !demandingKeys().includes(name)),
);

/** Fields that decide form, invocation or requirements. `glance.test.ts` finds any that is missing. */
function demandingKeys(): readonly string[] {
  return [
    'metaskill', 'metaskill_language', 'kind', 'composition', 'steps', 'chain',
    'user-invocable', 'disable-model-invocation', 'agent_ready', 'always',
    'tools', 'requires', 'prerequisites', 'platforms', 'os', 'skills', 'dependencies', 'install', 'required_environment_variables',
  ];
}

/** Flags that say what holds anyway. */
const usualFlags: ReadonlyMap<string, string> = new Map([
  ['user-invocable', 'true'],
  ['disable-model-invocation', 'false'],
  ['agent_ready', 'true'],
  ['always', 'false'],
]);

/** Anything but printable text and line feeds: controls, tabs, CR, odd separators, byte order and replacement marks. */
const unwelcome = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff-\uffff]/;
const entryLine = /\n*([a-z][a-z_-]*):(?: +([^ \n].*))?\n/y;
const itemLine = /( *)- +[A-Za-z0-9(](?:[^:#\n]*[^:# \n])?\n/y;
const memberLine = /( +)([A-Za-z][A-Za-z0-9_-]*):(?: +([^ \n].*))?\n/y;
const blockLine = /(\n*)( +)([^ \n](?:.*[^ \n])?)\n/y;
/** A further line of a plain value: begins like text, and nothing in it or at its ends has a meaning. */
const furtherLine = /( +)([A-Za-z0-9("'`/](?:.*[^ :\n])?)\n/y;
const closingFence = /\n*--- *(?:\n|$)/y;
const flowWords = /^\[(?:[A-Za-z0-9][A-Za-z0-9_.+-]*(?: [A-Za-z0-9_.+-]+)*(?:, ?(?=[A-Za-z0-9])|(?=\])))*\]$/;
const inDoubt = -1;

/** `text` holds the frontmatter with its closing fence; what follows the fence is not looked at. */
export function glance(text: string): SkillCard | null {
  if (!text.startsWith('---\n') || unwelcome.test(text)) return null;
  const seen: string[] = [];
  let description: string | null = null;
  let at = 4;
  for (;;) {
    entryLine.lastIndex = at;
    const line = entryLine.exec(text);
    if (line === null) break;
    const key = line[1] as string;
    const value = line[2];
    if (seen.includes(key) || !(inertKeys.has(key) || (value !== undefined && usualFlags.get(key) === value))) return null;
    seen.push(key);
    at = entryLine.lastIndex;
    if (value === undefined) {
      at = key === 'metadata' ? endOfMembers(text, at) : key === 'description' || key === 'name' ? inDoubt : endOfItems(text, at, 0);
      if (at === inDoubt) return null;
      continue;
    }
    const first = value.charCodeAt(0);
    if (first === 62 /* > */ || first === 124 /* | */) {
      at = endOfBlock(text, at, value);
      if (at === inDoubt) return null;
      if (key === 'description') description = blockText;
      continue;
    }
    let scalar = textOf(value, first);
    if (scalar === null) return null;
    if (text.charCodeAt(at) === 32) {
      if (scalar !== value) return null;
      at = endOfPlain(text, at);
      if (at === inDoubt) return null;
      scalar += furtherText;
    }
    if (key === 'description') description = scalar;
  }
  closingFence.lastIndex = at;
  if (!closingFence.test(text) || description === null) return null;
  description = description.trim();
  // A comment would be taken out, and a word alone may be no text to YAML.
  if (!description.includes(' ') || description.includes('<!--') || description.length > descriptionLimit) return null;
  return plainCard(description);
}

/** The value of a scalar on one line, or `null`. */
function textOf(value: string, first: number): string | null {
  const last = value.length - 1;
  if (first === 39 /* ' */) {
    if (last === 0 || value.charCodeAt(last) !== 39) return null;
    const inner = value.slice(1, last);
    if (!inner.includes("'")) return inner;
    const undoubled = inner.replaceAll("''", '');
    return undoubled.includes("'") ? null : inner.replaceAll("''", "'");
  }
  if (first === 34 /* " */) {
    const closes = last > 0 && value.indexOf('"', 1) === last && !value.includes('\\');
    return closes ? value.slice(1, last) : null;
  }
  if (first === 91 /* [ */) return flowWords.test(value) ? '' : null;
  return isPlain(value, first) ? value : null;
}

/** Begins with a letter, a digit or a parenthesis, and holds nothing that YAML gives a meaning. */
function isPlain(value: string, first: number): boolean {
  const begins = (first >= 97 && first <= 122) || (first >= 65 && first <= 90) || (first >= 48 && first <= 57) || first === 40 || first > 0x2fff;
  const last = value.charCodeAt(value.length - 1);
  return begins && last !== 58 && last !== 32 && !value.includes(': ') && !value.includes(' #');
}

/** After the items of a list that are all plain and equally indented, at least by `least`. */
function endOfItems(text: string, start: number, least: number): number {
  let at = start;
  let indent = -1;
  for (;;) {
    itemLine.lastIndex = at;
    const item = itemLine.exec(text);
    if (item === null) break;
    const spaces = (item[1] as string).length;
    if (indent === -1) indent = spaces;
    if (spaces !== indent || spaces < least) return inDoubt;
    at = itemLine.lastIndex;
  }
  return indent === -1 ? inDoubt : at;
}

/** After the members of a mapping that are scalars or lists of plain items. Mappings below it may mean something. */
function endOfMembers(text: string, start: number): number {
  const seen: string[] = [];
  let at = start;
  let indent = 0;
  for (;;) {
    memberLine.lastIndex = at;
    const line = memberLine.exec(text);
    if (line === null) break;
    const spaces = (line[1] as string).length;
    const key = line[2] as string;
    if (indent === 0) indent = spaces;
    if (spaces !== indent || seen.includes(key) || forbiddenKeys.has(key)) return inDoubt;
    seen.push(key);
    at = memberLine.lastIndex;
    const value = line[3];
    if (value === undefined) {
      at = endOfItems(text, at, indent);
      if (at === inDoubt) return inDoubt;
    } else if (textOf(value, value.charCodeAt(0)) === null) return inDoubt;
  }
  const next = text.charCodeAt(at);
  return indent === 0 || next === 32 || next === 10 ? inDoubt : at;
}

/** Set by `endOfBlock`. */
let blockText = '';

/** After a block scalar whose lines are equally indented. */
function endOfBlock(text: string, start: number, header: string): number {
  if (header !== '>' && header !== '>-' && header !== '|' && header !== '|-') return inDoubt;
  const folds = header.charCodeAt(0) === 62;
  let at = start;
  let indent = 0;
  blockText = '';
  for (;;) {
    blockLine.lastIndex = at;
    const line = blockLine.exec(text);
    if (line === null) break;
    const blank = (line[1] as string).length;
    const spaces = (line[2] as string).length;
    if (indent === 0) {
      if (blank > 0) return inDoubt;
      indent = spaces;
      blockText = line[3] as string;
    } else {
      if (spaces !== indent) return inDoubt;
      const gap = folds ? (blank === 0 ? ' ' : '\n'.repeat(blank)) : '\n'.repeat(blank + 1);
      blockText += gap + (line[3] as string);
    }
    at = blockLine.lastIndex;
  }
  const next = text.charCodeAt(at);
  return indent === 0 || next === 32 ? inDoubt : at;
}

/** Set by `endOfPlain`. */
let furtherText = '';

/** After the further lines of a plain value. */
function endOfPlain(text: string, start: number): number {
  let at = start;
  furtherText = '';
  for (;;) {
    furtherLine.lastIndex = at;
    const line = furtherLine.exec(text);
    if (line === null) break;
    const words = line[2] as string;
    if (words.includes(': ') || words.includes(' #')) return inDoubt;
    furtherText += ` ${words}`;
    at = furtherLine.lastIndex;
  }
  const next = text.charCodeAt(at);
  return next === 32 || next === 10 ? inDoubt : at;
}
