// The order in which a document has the keys of its objects, where JavaScript would change it.
//
// An object of JavaScript lists keys that are written like integers first, by their size: {"10": …, "9": …} comes out as
// 9, 10. Python, whose dicts templates and programs have, keeps the order of the document. So that order is kept beside
// such an object, which must not change any more; a copy has none, unless it is noted again.
import type { Json, JsonObject } from './json.ts';

const orders = new WeakMap<object, readonly string[]>();
let isAnyNoted = false;

/** The keys of an object, in the order of its document. */
export function keysOf(object: object): readonly string[] {
  return (isAnyNoted ? orders.get(object) : undefined) ?? Object.keys(object);
}

/** Notes the order of the keys of `object`, if it is another than JavaScript's. */
export function noteKeys(object: object, keys: readonly string[]): void {
  const own = Object.keys(object);
  if (own.length !== keys.length || own.every((key, at) => key === keys[at])) return;
  orders.set(object, keys);
  isAnyNoted = true;
}

/** Notes the order of `from` for its copy. */
export function copyKeys(from: object, to: object): void {
  const keys = isAnyNoted ? orders.get(from) : undefined;
  if (keys !== undefined) orders.set(to, keys);
}

/** Whether an object anywhere in `value` has an order of its own. */
export function hasNotedKeys(value: Json): boolean {
  if (!isAnyNoted || value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasNotedKeys);
  return orders.has(value) || Object.values(value as JsonObject).some(hasNotedKeys);
}

/** A key that is written like an integer. Most documents have none, and looking takes a sixth of the time of parsing. */
const integerKey = /"\d+"\s*:/;

/** `text` is a JSON document, and `value` what `JSON.parse` gave of it. */
export function noteKeysOf(text: string, value: Json): void {
  if (value === null || typeof value !== 'object' || !integerKey.test(text)) return;
  new KeyReader(text).read(value);
}

const blank = /\s*/y;
const scalar = /[^\s,\]}]+/y;

class KeyReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** One value of the text; `value` is undefined where another of the same name replaced it. */
  read(value: Json | undefined): void {
    this.#take(blank);
    const first = this.#text[this.#at];
    if (first === '{') this.#object(value as JsonObject | undefined);
    else if (first === '[') this.#array(value as readonly Json[] | undefined);
    else if (first === '"') this.#string();
    else this.#take(scalar);
    this.#take(blank);
  }

  #object(value: JsonObject | undefined): void {
    const keys = new Set<string>();
    this.#items('}', () => {
      this.#take(blank);
      const key = JSON.parse(this.#string()) as string;
      keys.add(key);
      this.#take(blank);
      this.#at += 1; // the colon
      this.read(isHolder(value) && Object.hasOwn(value, key) ? value[key] : undefined);
    });
    if (isHolder(value)) noteKeys(value, [...keys]);
  }

  #array(value: readonly Json[] | undefined): void {
    let index = 0;
    this.#items(']', () => {
      this.read(Array.isArray(value) ? (value as readonly Json[])[index] : undefined);
      index += 1;
    });
  }

  #string(): string {
    const start = this.#at;
    let isEscaped = true;
    while (isEscaped) {
      this.#at = this.#text.indexOf('"', this.#at + 1);
      let before = this.#at;
      while (this.#text[before - 1] === '\\') before -= 1;
      isEscaped = (this.#at - before) % 2 === 1;
    }
    this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #items(end: string, item: () => void): void {
    this.#at += 1;
    this.#take(blank);
    while (this.#text[this.#at] !== end) {
      item();
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

function isHolder(value: JsonObject | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
