// A member put into a JSON text, with every other byte left as it is.
//
//   text, ['mcpServers'], 'techne', value -> the text with the member, what stood there before, or what is in the way
//
// E1. Comments and commas at the end are read over: editors keep them in their settings.
// E2. What cannot be read is not touched.
import type { Json } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';

export type EditedJson =
  | { readonly kind: 'added' | 'replaced' | 'same'; readonly text: string }
  | { readonly kind: 'fault'; readonly message: string };

interface Member {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

interface ObjectPlace {
  /** After the brace. */
  readonly open: number;
  /** At the closing brace. */
  readonly close: number;
  readonly members: readonly Member[];
}

class Unreadable extends Error {}

export function putMember(text: string, path: readonly string[], key: string, value: Json): EditedJson {
  if (text.trim() === '') return { kind: 'added', text: `${render(nested(path, key, value), '  ', '')}\n` };
  try {
    const reader = new Reader(text);
    let place = reader.document();
    for (const [depth, step] of path.entries()) {
      const member = place.members.find((one) => one.key === step);
      if (member === undefined) return { kind: 'added', text: insert(text, place, step, nested(path.slice(depth + 1), key, value), depth) };
      place = reader.objectAt(member.start, step);
    }
    const member = place.members.find((one) => one.key === key);
    if (member === undefined) return { kind: 'added', text: insert(text, place, key, value, path.length) };
    const before = text.slice(member.start, member.end);
    if (isSame(before, value)) return { kind: 'same', text };
    return { kind: 'replaced', text: text.slice(0, member.start) + render(value, unitOf(text), unitOf(text).repeat(path.length + 1)) + text.slice(member.end) };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'fault', message: error.message };
    throw error;
  }
}

function nested(path: readonly string[], key: string, value: Json): Json {
  return [...path, key].reduceRight<Json>((inner, step) => ({ [step]: inner }), value);
}

function isSame(before: string, value: Json): boolean {
  try {
    return canonicalJson(JSON.parse(before) as Json) === canonicalJson(value);
  } catch (error) {
    // It has comments, so it is not what we wrote.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function insert(text: string, { open, close, members }: ObjectPlace, key: string, value: Json, depth: number): string {
  const unit = unitOf(text);
  const indent = unit.repeat(depth + 1);
  const line = `${indent}${JSON.stringify(key)}: ${render(value, unit, indent)}`;
  const last = members.at(-1);
  if (last === undefined) {
    const inside = text.slice(open, close).trimEnd();
    return `${text.slice(0, open)}${inside}\n${line}\n${unit.repeat(depth)}${text.slice(close)}`;
  }
  const rest = text.slice(last.end, close);
  const [, comma = ''] = /^((?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*,)?/.exec(rest) ?? [];
  const after = last.end + comma.length;
  // A comment behind the last member stays with it.
  const [tail = ''] = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/)?[ \t]*/.exec(text.slice(after, close)) ?? [];
  const at = after + tail.trimEnd().length;
  return `${text.slice(0, last.end)}${comma === '' ? ',' : comma}${text.slice(after, at)}\n${line}${text.slice(at)}`;
}

function render(value: Json, unit: string, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
}

/** The indentation of the first line that has one. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): ObjectPlace {
    this.#at = this.#text.startsWith('\uFEFF') ? 1 : 0;
    this.#skip();
    const place = this.#object('the file');
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault('there is something behind its end');
    return place;
  }

  objectAt(start: number, name: string): ObjectPlace {
    this.#at = start;
    return this.#object(JSON.stringify(name));
  }

  #object(what: string): ObjectPlace {
    if (this.#text[this.#at] !== '{') throw new Unreadable(`${what} is no object`);
    const open = (this.#at += 1);
    const members: Member[] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === '}') {
        this.#at += 1;
        return { open, close: this.#at - 1, members };
      }
      if (this.#text[this.#at] !== '"') throw this.#fault('a key is missing');
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#fault('a colon is missing');
      this.#at += 1;
      this.#skip();
      const start = this.#at;
      this.#value();
      members.push({ key, start, end: this.#at });
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== '}') throw this.#fault('a comma is missing');
    }
  }

  #value(): void {
    const first = this.#text[this.#at];
    if (first === '{') void this.#object('a value');
    else if (first === '"') this.#string();
    else if (first === '[') this.#array();
    else {
      const [word] = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(this.#text.slice(this.#at, this.#at + 64)) ?? [];
      if (word === undefined) throw this.#fault('a value is missing');
      this.#at += word.length;
    }
  }

  #array(): void {
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === ']') {
        this.#at += 1;
        return;
      }
      this.#value();
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== ']') throw this.#fault('a comma is missing');
    }
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
          if (error instanceof SyntaxError) throw this.#fault('a string is not well written');
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
