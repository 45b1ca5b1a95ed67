// The lines of a host -> the messages that the protocol library can read; every other line is answered here.
//
// The library drops what it cannot read without a word, so that a client waits for a reply that never comes, and it ends the server
// when a message is too long. Here a request with an id gets an error reply, and the server goes on; anything else is reported.
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';

interface StdioGateOptions {
  readonly maxMessageBytes: number;
  /** Gets a line for the host. */
  readonly reply: (line: string) => void;
  /** Gets what was left out and has no id to reply to. */
  readonly onFault: (message: string) => void;
}

type Id = string | number;

const codes = { parse: -32_700, request: -32_600 } as const;
const lineEnd = 0x0a;
/** Of a message that is too long, what can hold its id. */
const edgeBytes = 4_096;

export class StdioGate extends Transform {
  readonly #options: StdioGateOptions;
  #line: Buffer[] = [];
  #bytes = 0;

  constructor(options: StdioGateOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    done();
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    this.#line.push(part);
    // A long message is not kept: its beginning and its end may hold the id.
    if (this.#bytes <= this.#options.maxMessageBytes) return;
    const kept = Buffer.concat(this.#line);
    if (kept.length > 2 * edgeBytes)
      this.#line = [kept.subarray(0, edgeBytes), Buffer.from(kept.subarray(-edgeBytes))];
    else this.#line = [kept];
  }

  #finish(): void {
    const line = Buffer.concat(this.#line);
    const isTooLong = this.#bytes > this.#options.maxMessageBytes;
    this.#line = [];
    this.#bytes = 0;
    const text = line.toString('utf8').trim();
    if (isTooLong)
      return this.#refuse(
        [idAtEdge(text)],
        codes.request,
        `the message is longer than ${this.#options.maxMessageBytes} bytes`,
      );
    if (text === '') return;
    let message: Json;
    try {
      message = parseJson(text);
    } catch {
      return this.#refuse([idAtEdge(text)], codes.parse, 'the message is not JSON');
    }
    try {
      parseJSONRPCMessage(message);
    } catch {
      const ids = Array.isArray(message) ? (message as readonly Json[]).map(idOf) : [idOf(message)];
      return this.#refuse(
        ids,
        codes.request,
        Array.isArray(message)
          ? 'the message is not a valid request: batches are not part of MCP'
          : 'the message is not a valid request of JSON-RPC 2.0',
      );
    }
    this.push(line);
    this.push('\n');
  }

  #refuse(ids: readonly (Id | null)[], code: number, message: string): void {
    const known = ids.filter((id) => id !== null);
    if (known.length === 0) this.#options.onFault(`a message from the host was ignored: ${message}`);
    for (const id of known)
      this.#options.reply(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** Of a request; a response has no reply. */
function idOf(message: Json): Id | null {
  if (!isJsonObject(message) || 'result' in message || 'error' in message) return null;
  const { id } = message;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

const id = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.){0,1000}"|-?\d{1,16})`;
const word = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
const atStart = new RegExp(String.raw`^\{\s*(?:${word}\s*,\s*)*${id}\s*,`);
const atEnd = new RegExp(String.raw`[,{]\s*${id}\s*(?:,\s*${word}\s*)*\}$`);

/** The id among the first or the last members of a message that cannot be parsed. */
function idAtEdge(text: string): Id | null {
  const [, found] = atStart.exec(text) ?? atEnd.exec(text.slice(-edgeBytes)) ?? [];
  if (found === undefined) return null;
  try {
    return JSON.parse(found) as Id;
  } catch (error) {
    // It looks like an id and is none: 007, a bad escape, a control character.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
