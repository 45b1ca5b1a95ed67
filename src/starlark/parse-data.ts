// JSON <-> the data of a program, with ints of any size.
//
// Integers keep all their digits, both ways; `JSON` would round those beyond 2^53. Objects have no prototype.
import { emptyObject } from '../base/json.ts';
import { escapeUnsafe } from '../base/printable.ts';
import type { Data } from './options.ts';

/** The most that a program can take. */
const maxDepth = 500;
const maxDigits = 20_000;

/** Throws a SyntaxError. */
export function parseData(text: string): Data {
  // JSON.parse reports errors; the code below reads text that is known to be valid.
  JSON.parse(text);
  return new Reader(text).value(0);
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): Data {
    if (depth > maxDepth) throw new SyntaxError(`it is nested more than ${maxDepth} deep`);
    const token = this.token();
    switch (token.charAt(0)) {
      case '[':
        return this.array(depth);
      case '{':
        return this.object(depth);
      case '"':
        return JSON.parse(token) as string;
      case 'n':
        return null;
      case 't':
        return true;
      case 'f':
        return false;
      default:
        return parseNumber(token);
    }
  }

  private array(depth: number): Data {
    const items: Data[] = [];
    if (this.peek() === ']') this.token();
    else
      do items.push(this.value(depth + 1));
      while (this.token() === ',');
    return items;
  }

  private object(depth: number): Data {
    const object = emptyObject() as { [key: string]: Data };
    if (this.peek() === '}') {
      this.token();
      return object;
    }
    do {
      const key = JSON.parse(this.token()) as string;
      this.token(); // the colon
      object[key] = this.value(depth + 1);
    } while (this.token() === ',');
    return object;
  }

  private peek(): string | undefined {
    while (' \t\r\n'.includes(this.text[this.at] ?? '.')) this.at += 1;
    return this.text[this.at];
  }

  private token(): string {
    const first = this.peek() as string;
    const start = this.at;
    this.at += 1;
    if (first === '"') {
      while (this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
      this.at += 1;
    } else if (!'[]{},:'.includes(first)) {
      while (this.at < this.text.length && !' \t\r\n[]{},:'.includes(this.text[this.at] as string))
        this.at += 1;
    }
    return this.text.slice(start, this.at);
  }
}

function parseNumber(token: string): number | bigint {
  const value = Number(token);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(token)) return value;
  if (token.length > maxDigits)
    throw new SyntaxError(`a number has ${token.length} digits, more than ${maxDigits}`);
  return BigInt(token);
}

type Shown = Data | undefined | readonly Shown[] | { readonly [key: string]: Shown };

/** As `renderJson` with an indent of 2. Bytes become an array of numbers. */
export function renderData(data: Shown): string {
  return escapeUnsafe(render(data, '\n'));
}

function render(data: Shown, line: string): string {
  if (typeof data === 'bigint') return data.toString();
  if (data === null || typeof data !== 'object') return JSON.stringify(data);
  const inner = `${line}  `;
  if (data instanceof Uint8Array) return render([...data], line);
  if (Array.isArray(data))
    return data.length === 0
      ? '[]'
      : `[${(data as readonly Shown[]).map((item) => inner + render(item, inner)).join(',')}${line}]`;
  const members = Object.entries(data as { readonly [key: string]: Shown }).map(
    ([key, value]) => `${inner}${JSON.stringify(key)}: ${render(value, inner)}`,
  );
  return members.length === 0 ? '{}' : `{${members.join(',')}${line}}`;
}
