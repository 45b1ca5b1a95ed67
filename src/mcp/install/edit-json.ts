// Adds a member to a JSON text and changes no other byte.
//
//   text, ['mcpServers'], 'techne', value -> the text with the member, or why that is not possible
//
// Comments and trailing commas are accepted, because editors have them in settings. A text that cannot be read is not changed, nor
// one with a duplicate key on the path, because readers differ in which one counts. Only our own parts of an existing entry are
// replaced (merge-entry.ts).
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import { isRemote, mergeEntry } from './merge-entry.ts';

export type EditedJson =
  | { readonly kind: 'added' | 'replaced' | 'same'; readonly text: string }
  /** `isThere`: an entry of this name exists, so a second one must not be added. */
  | { readonly kind: 'fault'; readonly message: string; readonly isThere?: boolean };

interface Member {
  readonly key: string;
  /** Of the key; `start` and `end` are those of the value. */
  readonly keyStart: number;
  readonly start: number;
  readonly end: number;
  readonly value: Json;
}

interface ObjectPlace {
  /** After the brace. */
  readonly open: number;
  /** At the closing brace. */
  readonly close: number;
  readonly members: readonly Member[];
}

class Unreadable extends Error {}

const maxDepth = 500;

/** Merges the entry into an existing one. */
export function putEntry(text: string, path: readonly string[], name: string, entry: JsonObject): EditedJson {
  const there = readMember(text, path, name);
  if (!isJsonObject(there)) return putMember(text, path, name, entry);
  if (isRemote(Object.keys(there)))
    return {
      kind: 'fault',
      message: `it already has "${name}", as a server with a URL`,
      isThere: true,
    };
  let edited: EditedJson = { kind: 'same', text };
  for (const [key, value] of Object.entries(mergeEntry(entry, there))) {
    const next = putMember(edited.text, [...path, name], key, value);
    if (next.kind === 'fault') return next;
    edited = next.kind === 'same' ? edited : { kind: 'replaced', text: next.text };
  }
  return edited;
}

/** undefined: there is none, or it cannot be read; `putMember` has the reason. */
function readMember(text: string, path: readonly string[], key: string): Json | undefined {
  try {
    const reader = new Reader(text);
    let place = text.trim() === '' ? null : reader.document();
    for (const step of path) {
      const member = place === null ? null : only(place, step);
      place = member === null ? null : reader.objectAt(member.start, step);
    }
    return place === null ? undefined : only(place, key)?.value;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

export function putMember(text: string, path: readonly string[], key: string, value: Json): EditedJson {
  if (text.trim() === '')
    return {
      kind: 'added',
      text: `${render(nested(path, key, value), '  ', '', newlineOf(text))}${newlineOf(text)}`,
    };
  try {
    const reader = new Reader(text);
    let place = reader.document();
    for (const [depth, step] of path.entries()) {
      const member = only(place, step);
      if (member === null)
        return {
          kind: 'added',
          text: insert(text, place, step, nested(path.slice(depth + 1), key, value), depth),
        };
      place = reader.objectAt(member.start, step);
    }
    const member = only(place, key);
    if (member === null) return { kind: 'added', text: insert(text, place, key, value, path.length) };
    if (canonicalJson(member.value) === canonicalJson(value)) return { kind: 'same', text };
    return {
      kind: 'replaced',
      text:
        text.slice(0, member.start) +
        render(value, unitOf(text), unitOf(text).repeat(path.length + 1), newlineOf(text)) +
        text.slice(member.end),
    };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'fault', message: error.message };
    throw error;
  }
}

/** Takes the entry out. `isOwn` judges it by its texts. */
export function removeEntry(
  text: string,
  path: readonly string[],
  name: string,
  isOwn: (texts: readonly string[]) => boolean,
): EditedJson {
  if (text.trim() === '') return { kind: 'same', text };
  try {
    const reader = new Reader(text);
    const way: { readonly place: ObjectPlace; readonly member: Member }[] = [];
    for (const step of [...path, name]) {
      const last = way.at(-1);
      const place =
        last === undefined ? reader.document() : reader.objectAt(last.member.start, last.member.key);
      const member = only(place, step);
      if (member === null) return { kind: 'same', text };
      way.push({ place, member });
    }
    if (!isOwn(textsIn(way.at(-1)?.member.value ?? null)))
      return { kind: 'fault', message: `it has "${name}", and it does not start techne`, isThere: true };
    // An object on the way that is empty without the entry goes with it.
    const first = way.findIndex((_one, at) => way.slice(at + 1).every(({ place }) => holdsOne(text, place)));
    const { place, member } = way[first] as (typeof way)[number];
    return { kind: 'replaced', text: withoutMember(text, place, member) };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'fault', message: error.message };
    throw error;
  }
}

/** One member, and no comment. */
function holdsOne(text: string, { open, close, members }: ObjectPlace): boolean {
  const [member] = members;
  return (
    member !== undefined &&
    members.length === 1 &&
    /^[\s,]*$/.test(text.slice(open, member.keyStart) + text.slice(member.end, close))
  );
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsIn);
}

const blanks = String.raw`(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*`;
const toComma = new RegExp(`^${blanks},`);

/** Comments beside the member stay. */
function withoutMember(text: string, { open, close, members }: ObjectPlace, member: Member): string {
  const at = members.indexOf(member);
  const before = members[at - 1];
  const [comma = ''] = toComma.exec(text.slice(member.end, close)) ?? [];
  const end = member.end + comma.length;
  const ahead = text.slice(0, member.keyStart);
  if (members.length === 1) {
    const inside = text.slice(open, member.keyStart) + text.slice(end, close);
    return text.slice(0, open) + (inside.trim() === '' ? '' : inside) + text.slice(close);
  }
  // The last of several: the comma before it goes, too.
  if (before !== undefined && members[at + 1] === undefined && comma === '') {
    const [own = ''] = toComma.exec(text.slice(before.end)) ?? [];
    const comment = text.slice(before.end + own.length, member.keyStart).trimEnd();
    return text.slice(0, before.end) + own.slice(0, -1) + comment + text.slice(end);
  }
  const [line = ''] = /^[ \t]*(?:\r?\n)?/.exec(text.slice(end)) ?? [];
  return line.includes('\n')
    ? ahead.replace(/[ \t]*$/, '') + text.slice(end + line.length)
    : ahead + text.slice(end + line.length);
}

/** Refuses duplicate keys. */
function only({ members }: ObjectPlace, key: string): Member | null {
  const found = members.filter((one) => one.key === key);
  if (found.length > 1)
    throw new Unreadable(
      `the key ${JSON.stringify(key)} occurs ${found.length} times, and it is not certain which one counts`,
    );
  return found[0] ?? null;
}

function nested(path: readonly string[], key: string, value: Json): Json {
  return [...path, key].reduceRight<Json>((inner, step) => ({ [step]: inner }), value);
}

function insert(
  text: string,
  { open, close, members }: ObjectPlace,
  key: string,
  value: Json,
  depth: number,
): string {
  const unit = unitOf(text);
  const newline = newlineOf(text);
  const indent = unit.repeat(depth + 1);
  const line = `${indent}${JSON.stringify(key)}: ${render(value, unit, indent, newline)}`;
  const last = members.at(-1);
  if (last === undefined) {
    const inside = text.slice(open, close).trimEnd();
    return `${text.slice(0, open)}${inside}${newline}${line}${newline}${unit.repeat(depth)}${text.slice(close)}`;
  }
  const rest = text.slice(last.end, close);
  const [, comma = ''] = /^((?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*,)?/.exec(rest) ?? [];
  const after = last.end + comma.length;
  // A comment behind the last member stays with it.
  const [tail = ''] = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/)?[ \t]*/.exec(text.slice(after, close)) ?? [];
  const at = after + tail.trimEnd().length;
  return `${text.slice(0, last.end)}${comma === '' ? ',' : comma}${text.slice(after, at)}${newline}${line}${text.slice(at)}`;
}

function render(value: Json, unit: string, indent: string, newline: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The indentation of the first line that has one. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): ObjectPlace {
    this.#at = this.#text.startsWith('\uFEFF') ? 1 : 0;
    this.#skip();
    const place = this.#object('the file');
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault('there is text after the end');
    return place;
  }

  objectAt(start: number, name: string): ObjectPlace {
    this.#at = start;
    this.#depth = 0;
    return this.#object(JSON.stringify(name));
  }

  #object(what: string): ObjectPlace {
    if (this.#text[this.#at] !== '{') throw new Unreadable(`${what} is not an object`);
    this.#enter();
    const open = (this.#at += 1);
    const members: Member[] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === '}') {
        this.#at += 1;
        this.#depth -= 1;
        return { open, close: this.#at - 1, members };
      }
      if (this.#text[this.#at] !== '"') throw this.#fault('a key is missing');
      const keyStart = this.#at;
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#fault('a colon is missing');
      this.#at += 1;
      this.#skip();
      const start = this.#at;
      const value = this.#value();
      members.push({ key, keyStart, start, end: this.#at, value });
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== '}') throw this.#fault('a comma is missing');
    }
  }

  #value(): Json {
    const first = this.#text[this.#at];
    if (first === '{')
      return Object.fromEntries(this.#object('a value').members.map(({ key, value }) => [key, value]));
    if (first === '"') return this.#string();
    if (first === '[') return this.#array();
    const [word] =
      /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/.exec(
        this.#text.slice(this.#at, this.#at + 400),
      ) ?? [];
    if (word === undefined) throw this.#fault('a value is missing');
    this.#at += word.length;
    return word === 'null' ? null : word === 'true' || word === 'false' ? word === 'true' : Number(word);
  }

  #array(): Json {
    const items: Json[] = [];
    this.#enter();
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === ']') {
        this.#at += 1;
        this.#depth -= 1;
        return items;
      }
      items.push(this.#value());
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== ']') throw this.#fault('a comma is missing');
    }
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#fault(`it is nested more than ${maxDepth} deep`);
  }

  #string(): string {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === '\\') this.#at += 1;
      else if (character === '\n') break;
      else if (character === '"') {
        this.#at += 1;
        try {
          return JSON.parse(this.#text.slice(start, this.#at)) as string;
        } catch (error) {
          if (error instanceof SyntaxError) throw this.#fault('a string is malformed');
          throw error;
        }
      }
    }
    throw this.#fault('a string is never closed');
  }

  /** Blanks and comments. */
  #skip(): void {
    const pattern = /(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/y;
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  #fault(what: string): Unreadable {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new Unreadable(`line ${line}: ${what}`);
  }
}
