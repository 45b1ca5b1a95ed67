// A call -> what makes it the same call as another one, and the values in which the two may differ.
//
//   git commit -m "Fix the tide"  ->  `git commit -m <value>`  +  { message: "Fix the tide" }
//
// N1. The key holds names only: the program and its subcommand, flags, the tool, the names of arguments. Values are slots.
// N2. A value that looks like a secret, or whose name says so, is marked; nothing else of techne may show or keep it.
// N3. Everything is bounded and printable, whatever was called.
import type { Json } from '../../base/json.ts';
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { redactSecrets } from '../../base/redact.ts';
import type { DoneCall } from './done-work.ts';

/** A value of a call. */
export interface Slot {
  /** What it is called where it becomes an input. */
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

/** A piece of the call as it is written: a word that stays, or the slot with this number. */
export type Piece = { readonly word: string } | { readonly slot: number };

export interface NormalCall {
  readonly kind: DoneCall['kind'];
  /** Equal for calls that are the same but for their slots. */
  readonly key: string;
  /** Words for a name: `git`, `commit`. */
  readonly words: readonly string[];
  readonly pieces: readonly Piece[];
  readonly slots: readonly Slot[];
}

const maxWord = 60;
const maxValue = 2000;
const maxSlots = 12;
const maxArgs = 40;
const maxDepth = 20;
/** Programs whose second word says what is done, too. */
const twoWords = new Set(
  'aws az cargo docker gcloud gh glab go helm kubectl npm pip pnpm techne terraform uv yarn'.split(' '),
);
const flagNames = new Map([
  ['m', 'message'],
  ['o', 'output'],
  ['f', 'file'],
  ['n', 'number'],
]);
/** Flags that a password follows, alone or after the name of the user. */
const passwordFlags = new Map([
  ['curl', ['u', 'user', 'U', 'proxy-user']],
  ['docker', ['p']],
  ['helm', ['p']],
  ['openssl', ['k', 'K', 'pass', 'passin', 'passout']],
  ['podman', ['p']],
  ['redis-cli', ['a']],
  ['sshpass', ['p']],
]);
const secretVariable = /key|pass|pwd|auth|cookie|session/i;
const secretName = /token|secret|passw|api[-_]?key|credential|authori[sz]ation|private[-_]?key/i;

export function normaliseCall({ kind, name, args }: DoneCall): NormalCall {
  if (kind === 'command' && Array.isArray(args['argv'])) return ofCommand(args['argv']);
  const names = Object.keys(args).sort().slice(0, maxSlots);
  const slots = names.map((one) => slotOf(one, args[one] as Json));
  const shown = word(name);
  return {
    kind: kind === 'command' ? 'tool' : kind,
    key: `${kind === 'skill' ? 'run ' : ''}${shown}(${names.map(word).join(', ')})`,
    words: [shown],
    pieces: [{ word: shown }, ...slots.map((_, slot) => ({ slot }))],
    slots,
  };
}

function ofCommand(argv: readonly Json[]): NormalCall {
  const texts = argv.slice(0, maxArgs).map((one) => textOfValue(one));
  const [program = '', ...rest] = texts;
  const shell = /^(?:ba|da|z|k)?sh$/.test(baseName(program))
    ? rest.findIndex((one) => /^-\w*c$/.test(one))
    : -1;
  // A line for a shell is what it calls.
  const script = shell < 0 ? null : (rest[shell + 1] ?? '');
  const parts = script === null ? [texts] : script.split(/&&|\|\||[;|\n]/).map(splitWords);
  const pieces: Piece[] = [];
  const slots: Slot[] = [];
  const words: string[] = [];
  for (const part of parts.filter((one) => one.length > 0).slice(0, 8)) {
    if (pieces.length > 0) pieces.push({ word: ';' });
    addCommand(part, { pieces, slots, words });
  }
  if (pieces.length === 0) pieces.push({ word: '_' });
  const key = pieces.map((piece) => ('word' in piece ? piece.word : '<value>')).join(' ');
  return { kind: 'command', key, words, pieces, slots };
}

function addCommand(
  texts: readonly string[],
  { pieces, slots, words }: { readonly pieces: Piece[]; readonly slots: Slot[]; readonly words: string[] },
): void {
  // Variables before a program are inputs of it: their values are often keys and passwords.
  const found = texts.findIndex((text) => !/^[A-Za-z_]\w*=/.test(text));
  const start = found < 0 ? texts.length : found;
  for (const text of texts.slice(0, start)) {
    const at = text.indexOf('=');
    const variable = text.slice(0, at);
    pieces.push({ word: word(`${variable}=`) });
    addSlot(secretVariable.test(variable) ? 'secret' : variable, text.slice(at + 1), pieces, slots);
  }
  const [program = '', ...rest] = texts.slice(start);
  if (program === '') return;
  const name = looksSecret(program) ? '_' : word(baseName(program));
  pieces.push({ word: name });
  words.push(name);
  let bare = twoWords.has(name) ? 2 : 1;
  let flag: string | null = null;
  for (const text of rest) {
    const [, dashes = '', option, given] =
      /^(--(?=\w{2})|-(?![A-Za-z]*[A-Z\d][A-Za-z\d]{3}))([A-Za-z][\w-]{0,40})(?:=([\s\S]*))?$/.exec(text) ??
      [];
    if (option !== undefined && !looksSecret(option) && !isPassword(name, dashes, option)) {
      pieces.push({ word: `${dashes}${option}${given === undefined ? '' : '='}` });
      flag = option;
      if (given !== undefined) addSlot(option, given, pieces, slots);
      continue;
    }
    if (bare > 0 && flag === null && /^[a-z][a-z:-]{0,30}$/.test(text)) {
      pieces.push({ word: text });
      words.push(text);
      bare -= 1;
      continue;
    }
    bare = 0;
    const isGlued = isPassword(name, text.slice(0, 1), text.slice(1));
    const isGiven = flag !== null && passwordFlags.get(name)?.includes(flag) === true;
    addSlot(
      isGlued || isGiven ? 'password' : flag === null ? '' : (flagNames.get(flag) ?? flag),
      text,
      pieces,
      slots,
    );
    flag = null;
  }
}

/** Clients of databases take a password without a space: `-pSECRET`. */
function isPassword(program: string, dashes: string, option: string): boolean {
  return (
    dashes === '-' && option.length > 1 && option.startsWith('p') && /^(?:mysql|maria|sshpass)/.test(program)
  );
}

/** Values that follow each other are one: `git add a b` is `git add <value>`. */
function addSlot(name: string, value: string, pieces: Piece[], slots: Slot[]): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'slot' in last) {
    const before = slots[last.slot] as Slot;
    slots[last.slot] = slotOf(before.name, `${before.value} ${value}`, before.isSecret);
    return;
  }
  if (slots.length >= maxSlots) return;
  pieces.push({ slot: slots.length });
  slots.push(slotOf(name, value));
}

function slotOf(name: string, value: Json, isSecret = false): Slot {
  const text = textOfValue(value);
  const isHidden = isSecret || secretName.test(name) || looksSecret(text) || hasSecretKey(value);
  return { name: inputName(name, text), value: isHidden ? '' : text.slice(0, maxValue), isSecret: isHidden };
}

export function looksSecret(text: string): boolean {
  return redactSecrets(text) !== text || text.split(/[\s"'=:,]+/).some(isRandom);
}

/** Letters and digits without a word in them, as in keys and hashes. */
function isRandom(text: string): boolean {
  return (
    /^[A-Za-z0-9_+=-]{24,}$/.test(text) &&
    (text.match(/\d/g) ?? []).length >= 4 &&
    /[A-Za-z]/.test(text) &&
    text.split(/[-_]/).some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part))
  );
}

function hasSecretKey(value: Json, depth = 0): boolean {
  if (depth > maxDepth) return true;
  if (Array.isArray(value)) return value.some((inner) => hasSecretKey(inner, depth + 1));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(
      ([key, inner]) => secretName.test(key) || hasSecretKey(inner as Json, depth + 1),
    )
  );
}

/** A text as it is; a value as JSON, where it is not nested too deeply to be one that a person would give. */
function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : isDeep(value, 0) ? '' : canonicalJson(value);
}

function isDeep(value: Json, depth: number): boolean {
  if (depth > maxDepth) return true;
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return inner.some((one) => isDeep(one as Json, depth + 1));
}

/** The given name, or one for what the value is. */
function inputName(name: string, value: string): string {
  const given = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
  if (given.length > 1 && /^[a-z]/.test(given)) return given;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'url';
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return 'number';
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return 'date';
  return /^\S*(?:\/|\.[A-Za-z0-9]{1,8})\S*$/.test(value) ? 'path' : 'text';
}

function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .slice(0, maxArgs)
    .map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A name that others gave: short, on one line, without what a reader does not see. */
function word(text: string): string {
  const plain = printableLine(text)
    .replaceAll(/[\s`<>]+/g, '_')
    .slice(0, maxWord);
  return plain === '' ? '_' : plain;
}
