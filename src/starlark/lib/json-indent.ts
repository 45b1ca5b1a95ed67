// JSON text -> the same JSON with each element and entry on a line of its own. An empty array or object stays `[]`, `{}`.
//
// Strings and numbers are copied as they are written; what is not JSON is refused as by decoding.
import { LimitReached } from '../../base/meter.ts';
import { MAX_VALUE_DEPTH } from '../value/depth.ts';
import type { Thread } from '../value/native.ts';
import { TextBuilder } from '../value/text-builder.ts';
import { JsonFault, nextToken, scanNumber, scanString, scanWord, shownUnit, skipSpace } from './json-scan.ts';

/** Throws a JsonFault when `text` is not JSON. */
export function indentJson(thread: Thread, text: string, prefix: string, indent: string): string {
  thread.meter.work(text.length >> 1);
  const indenter = new Indenter(thread, text, prefix, indent);
  const end = skipSpace(text, indenter.value(0, 0));
  if (end < text.length) throw new JsonFault(end, `unexpected character ${shownUnit(text, end)} after value`);
  return indenter.out.finish();
}

class Indenter {
  readonly out: TextBuilder;
  private readonly thread: Thread;
  private readonly text: string;
  private readonly prefix: string;
  private readonly indent: string;

  constructor(thread: Thread, text: string, prefix: string, indent: string) {
    this.thread = thread;
    this.text = text;
    this.prefix = prefix;
    this.indent = indent;
    this.out = new TextBuilder(thread.meter);
  }

  /** Writes the value at or after `from` and gives the place after it. */
  value(from: number, depth: number): number {
    const { text } = this;
    const at = nextToken(text, from);
    this.thread.meter.work(1);
    switch (text.charCodeAt(at)) {
      case 0x5b /* [ */:
        return this.container(at, ']', depth);
      case 0x7b /* { */:
        return this.container(at, '}', depth);
      case 0x22 /* " */:
        return this.copy(at, scanString(text, at).end);
      case 0x6e /* n */:
        return this.copy(at, scanWord(text, at, 'null'));
      case 0x74 /* t */:
        return this.copy(at, scanWord(text, at, 'true'));
      case 0x66 /* f */:
        return this.copy(at, scanWord(text, at, 'false'));
      default:
        return this.copy(at, scanNumber(text, at).end);
    }
  }

  private container(open: number, close: ']' | '}', depth: number): number {
    const { text } = this;
    if (depth >= MAX_VALUE_DEPTH)
      throw new LimitReached(
        'DEPTH_LIMIT',
        `json.indent: at offset ${open}, arrays and objects are nested more than ${MAX_VALUE_DEPTH} deep`,
      );
    this.out.add(text[open] as string);
    let at = nextToken(text, open + 1);
    if (text[at] !== close) {
      for (;;) {
        this.newLine(depth + 1);
        at = nextToken(text, close === '}' ? this.entry(at, depth) : this.value(at, depth + 1));
        if (text[at] === close) break;
        if (text[at] !== ',') throw new JsonFault(at, `got ${shownUnit(text, at)}, want ',' or '${close}'`);
        this.out.add(',');
        at = nextToken(text, at + 1);
      }
      this.newLine(depth);
    }
    this.out.add(close);
    return at + 1;
  }

  private entry(at: number, depth: number): number {
    const { text } = this;
    if (text[at] !== '"') throw new JsonFault(at, `got ${shownUnit(text, at)} for object key, want string`);
    const colon = nextToken(text, this.copy(at, scanString(text, at).end));
    if (text[colon] !== ':')
      throw new JsonFault(colon, `after object key, got ${shownUnit(text, colon)}, want ':'`);
    this.out.add(': ');
    return this.value(colon + 1, depth + 1);
  }

  private copy(from: number, to: number): number {
    this.out.add(this.text.slice(from, to));
    return to;
  }

  private newLine(depth: number): void {
    this.out.add('\n');
    this.out.add(this.prefix);
    for (let i = 0; i < depth; i++) this.out.add(this.indent);
  }
}
