// Reads what listing needs of a head, without parsing it.
//
//   frontmatter text -> Glimpse | null -> SkillCard
//
//   head  = "---" EOL entry+ "---" EOL
//   entry = key ":" value EOL block
//   value = nothing | plain | 'single' | "double" | [words] | "|" | ">"
//   block = (indented line | "-" item | blank line)*
//
// `null` means doubt, never an error: then `parseHead` decides. Otherwise `parseHead` gives the same card (property
// test); warnings and notes come from it, on demand. Entries that cannot change the card are skipped, however long they
// are. Those that can (requirements, hosts' metadata, unknown keys) are parsed when the card is needed. Of the executable
// forms only the composition is recognised.
//
// A process that lists skills has just started, so this runs before the compiler has optimised it: it consists of a few
// searches and sticky patterns, which are machine code from the second use on. Parsing the same heads takes about eight
// times as long there, and most of the result is never used.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import type { SkillCard } from '../parse-head.ts';
import { cardOf, plainCard, parseHead } from '../parse-head.ts';
import { frontmatterFields, metadataVendors } from '../fields/field-table.ts';
import type { ParseFull } from '../yaml/node.ts';
import { yamlLimits } from '../yaml/node.ts';

/** Fields that decide form, invocation or requirements. `glance.test.ts` finds any that is missing. */
const demanding: ReadonlySet<string> = new Set([
  'metaskill',
  'metaskill_language',
  'kind',
  'composition',
  'steps',
  'chain',
  'user-invocable',
  'disable-model-invocation',
  'agent_ready',
  'always',
  'tools',
  'requires',
  'prerequisites',
  'platforms',
  'os',
  'skills',
  'dependencies',
  'install',
  'required_environment_variables',
]);
const structural: ReadonlySet<string> = new Set([
  'metaskill',
  'metaskill_language',
  'composition',
  'steps',
  'chain',
]);
const inert: ReadonlySet<string> = new Set(
  frontmatterFields.map(({ name }) => name).filter((name) => !demanding.has(name)),
);
/** Demanding fields with the value that changes nothing. */
const usual: ReadonlyMap<string, string> = new Map([
  ['user-invocable', 'true'],
  ['disable-model-invocation', 'false'],
  ['agent_ready', 'true'],
  ['always', 'false'],
]);

/** Anything but printable text and line feeds: controls, tabs, CR, odd separators, byte order and replacement marks. */
const unwelcome = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufff9-\uffff]/;
const passedOver = /(?:\n|#.*\n)*/y;
const keyLike = /^[a-z][a-z_-]*$/;
const closingFence = /(?:\n|#.*\n)*--- *(?:\n|$)/y;
/** A line end before a line that belongs to no block: not indented, not blank, not an item or a comment. */
const blockEnd = /\n(?=[^ \n#-]|--)/g;
const flowList = /^\[[^[\]{}#]*\]$/;
const blockLine = /(\n*)( +)([^ \n](?:.*[^ \n])?)\n/y;
/** A further line of a plain value: begins like text, and nothing at its end has a meaning. */
const furtherLine = /( +)([A-Za-z0-9("'`/](?:.*[^ :\n])?)\n/y;
/** A further line of a quoted value, without the blanks around it. */
const quotedLine = / +([^ \n#](?:.*[^ \n])?) *\n/y;
/** Below `metadata`: a host's own mapping, and in it what could make the skill demanding. */
const hasVendor = new RegExp(`(?:${[...metadataVendors.keys()].join('|')})["']? *:`);
const vendorDemands = /require|always|install|platform|tools|bins|env|commands|config|\bos\b/i;
const hasSteps = /^ +steps:\n(?: *#.*\n|\n)* +- +[a-z]/;

const inDoubt = -1;

/** What was seen: enough for the card. */
export interface Glimpse {
  readonly description: string;
  readonly form: 'instructions' | 'composition';
  /** The entries that can change the rest of the card, as written. */
  readonly demands: string;
}

/** `text` holds the frontmatter with its closing fence; what follows the fence is not looked at. */
export function glance(text: string): Glimpse | null {
  if (!text.startsWith('---\n') || unwelcome.test(text)) return null;
  const seen: string[] = [];
  let description: string | null = null;
  let kind = 'skill';
  let composed = false;
  let demands = '';
  let at = 4;
  for (;;) {
    const before = at;
    at = startOfEntry(text, at);
    // Searches instead of a pattern with groups: the arrays it gives are most of the garbage of listing.
    const lineEnd = text.indexOf('\n', at);
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > lineEnd) {
      at = before;
      break;
    }
    const key = text.slice(at, colon);
    if (!inert.has(key) && !demanding.has(key) && !keyLike.test(key)) return null;
    if (seen.includes(key)) return null;
    seen.push(key);
    const value = valueAfter(text, colon + 1, lineEnd);
    if (value === null) return null;
    at = lineEnd + 1;
    if (key === 'description') {
      at = endOfDescription(text, at, value);
      if (at === inDoubt) return null;
      description = found;
      continue;
    }
    let isDemand = false;
    if (inert.has(key)) {
      if (
        value !== '' &&
        value !== '|' &&
        value !== '>' &&
        value !== '>-' &&
        value !== '|-' &&
        textOf(value) === null
      )
        return null;
    } else if (key === 'kind') {
      kind = value;
    } else if (key === 'composition' && value === '') {
      composed = true;
      if (!hasSteps.test(text.slice(at, at + 4000))) return null;
    } else if (usual.get(key) !== value) {
      if (structural.has(key)) return null;
      isDemand = true;
    }
    const start = at;
    at = endOfBlock(text, at);
    if (at === inDoubt) return null;
    if (isDemand || (key === 'metadata' && at > start && isDemanding(text.slice(start, at))))
      demands += text.slice(before, at);
  }
  if (at - 4 > yamlLimits.bytes) return null;
  closingFence.lastIndex = at;
  if (!closingFence.test(text) || description === null) return null;
  description = description.trim();
  // A comment would be taken out, and a word alone may be no text to YAML.
  if (!description.includes(' ') || description.includes('<!--')) return null;
  if (composed ? kind !== 'meta' : kind !== 'skill') return null;
  return { description, form: composed ? 'composition' : 'instructions', demands };
}

/** Skills of one author tend to demand the same, to the letter. */
const known = new Map<string, SkillCard>();
const knownLimit = 1000;

export function cardOfGlimpse({ description, form, demands }: Glimpse, parseFull: ParseFull): SkillCard {
  if (demands === '')
    return form === 'instructions' ? plainCard(description) : { ...plainCard(description), form };
  let card = known.get(demands);
  if (card === undefined) {
    if (known.size >= knownLimit) known.clear();
    card = cardOfEntries(demands, parseFull);
    known.set(demands, card);
  }
  return { ...card, description, form };
}

/** The card of a skill that had these entries only. */
function cardOfEntries(entries: string, parseFull: ParseFull): SkillCard {
  const text = `---\nname: x\ndescription: x y\n${entries}---\n`;
  const diagnostics: Diagnostic[] = [];
  const head = parseHead(
    text,
    { folderName: 'x', entries: [], complete: true, fileBytes: text.length, parseFull },
    collectInto(diagnostics, ''),
  );
  if (head === 'more') throw new Error('parseHead asked for more than all there is');
  return cardOf(head, diagnostics, null);
}

/** After the blank lines and comments at `at`. */
function startOfEntry(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first !== 10 && first !== 35) return at;
  passedOver.lastIndex = at;
  passedOver.test(text);
  return passedOver.lastIndex;
}

/** The text between a colon and the end of its line: nothing, or a value after blanks. Else `null`. */
function valueAfter(text: string, start: number, end: number): string | null {
  if (start === end) return '';
  let at = start;
  while (text.charCodeAt(at) === 32) at += 1;
  return at === start || at === end ? null : text.slice(at, end);
}

function isDemanding(metadata: string): boolean {
  return hasVendor.test(metadata) && vendorDemands.test(metadata);
}

/** After the lines from `start` on that belong to the entry above them. */
function endOfBlock(text: string, start: number): number {
  const first = text.charCodeAt(start);
  const isItem = first === 45 && text.charCodeAt(start + 1) !== 45;
  if (first !== 32 && first !== 10 && first !== 35 && !isItem) return start;
  blockEnd.lastIndex = start;
  const end = blockEnd.exec(text);
  return end === null ? inDoubt : end.index + 1;
}

/** The text of a scalar on one line, or `null`. */
function textOf(value: string): string | null {
  const first = value.charCodeAt(0);
  const last = value.length - 1;
  if (first === 39 /* ' */) {
    if (last === 0 || value.charCodeAt(last) !== 39) return null;
    const inner = value.slice(1, last);
    if (!inner.includes("'")) return inner;
    return inner.replaceAll("''", '').includes("'") ? null : inner.replaceAll("''", "'");
  }
  if (first === 34 /* " */) {
    const closes = last > 0 && value.indexOf('"', 1) === last && !value.includes('\\');
    return closes ? value.slice(1, last) : null;
  }
  if (first === 91 /* [ */) return flowList.test(value) ? '' : null;
  // Plain: begins with a letter, a digit or a parenthesis, and holds nothing that YAML gives a meaning.
  const begins =
    (first >= 97 && first <= 122) ||
    (first >= 65 && first <= 90) ||
    (first >= 48 && first <= 57) ||
    first === 40 ||
    first > 0x2fff;
  const end = value.charCodeAt(last);
  return begins && end !== 58 && end !== 32 && !value.includes(': ') && !value.includes(' #') ? value : null;
}

/** Set by the functions below. */
let found = '';

function endOfDescription(text: string, start: number, value: string): number {
  if (value === '>' || value === '>-' || value === '|' || value === '|-')
    return endOfBlockText(text, start, value.charCodeAt(0) === 62);
  if (value === '') return inDoubt;
  const mark = value.charAt(0);
  if ((mark === '"' || mark === "'") && value.length > 1 && !value.includes(mark, 1))
    return endOfQuotedLines(text, start, value, mark);
  const scalar = textOf(value);
  if (scalar === null) return inDoubt;
  found = scalar;
  if (text.charCodeAt(start) !== 32)
    return text.charCodeAt(start) === 45 && text.charCodeAt(start + 1) !== 45 ? inDoubt : start;
  return scalar === value ? endOfFurtherLines(text, start) : inDoubt;
}

/** After a block scalar whose lines are equally indented. */
function endOfBlockText(text: string, start: number, folds: boolean): number {
  let at = start;
  let indent = 0;
  for (;;) {
    blockLine.lastIndex = at;
    const line = blockLine.exec(text);
    if (line === null) break;
    const blank = (line[1] as string).length;
    const spaces = (line[2] as string).length;
    if (indent === 0) {
      if (blank > 0) return inDoubt;
      indent = spaces;
      found = line[3] as string;
    } else {
      if (spaces !== indent) return inDoubt;
      const gap = folds ? (blank === 0 ? ' ' : '\n'.repeat(blank)) : '\n'.repeat(blank + 1);
      found += gap + (line[3] as string);
    }
    at = blockLine.lastIndex;
  }
  return indent === 0 || text.charCodeAt(at) === 32 ? inDoubt : at;
}

/** After the further lines of a quoted value that holds neither escapes nor quotation marks. */
function endOfQuotedLines(text: string, start: number, value: string, mark: string): number {
  if (value.includes('\\')) return inDoubt;
  let at = start;
  found = value.slice(1).trimEnd();
  for (;;) {
    quotedLine.lastIndex = at;
    const line = quotedLine.exec(text);
    if (line === null) return inDoubt;
    const words = line[1] as string;
    at = quotedLine.lastIndex;
    const close = words.indexOf(mark);
    if (words.includes('\\') || (close >= 0 && (close === 0 || close < words.length - 1))) return inDoubt;
    found += close < 0 ? ` ${words}` : ` ${words.slice(0, -1)}`;
    if (close >= 0) break;
  }
  const next = text.charCodeAt(at);
  return next === 32 || (next === 45 && text.charCodeAt(at + 1) !== 45) ? inDoubt : at;
}

/** After the further lines of a plain value. */
function endOfFurtherLines(text: string, start: number): number {
  let at = start;
  for (;;) {
    furtherLine.lastIndex = at;
    const line = furtherLine.exec(text);
    if (line === null) break;
    const words = line[2] as string;
    if (words.includes(': ') || words.includes(' #')) return inDoubt;
    found += ` ${words}`;
    at = furtherLine.lastIndex;
  }
  const next = text.charCodeAt(at);
  return next === 32 || next === 10 ? inDoubt : at;
}
