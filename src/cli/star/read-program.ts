// Reads the program of a command line.
//
//   FILE, `-` for standard input, or --code -> its text, its name for messages, and the folder of its modules
//
// Files, pipes and standard input are read up to `maxSourceBytes`; folders, sockets and devices are refused. A file that is not
// UTF-8 text has a `fault` and is not compiled.
import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { faultOf, leadsNowhere } from '../../node/files/file-fault.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { Io } from '../io.ts';
import { decodeProgram } from '../../techne/check/decode-program.ts';

export interface SourceFile {
  /** The given name, for messages. */
  readonly path: string;
  /** The prefix of module names in messages: empty, or ends in a slash. */
  readonly base: string;
  /** Absolute. */
  readonly folder: string;
  readonly text: string;
  /** Why the text cannot be compiled. */
  readonly fault: Diagnostic | null;
}

/** Longer texts cannot be compiled. */
export const maxSourceBytes = 4_000_000;

/** Throws FILE_MISSING, or a FileFault. */
export async function readProgram(given: string, io: Io): Promise<SourceFile> {
  const bytes = await readBytes(given, io, maxSourceBytes);
  if (isStandardInput(given))
    return { path: '<stdin>', base: '', folder: io.cwd, ...decodeProgram(bytes, '<stdin>') };
  const base = given.slice(0, given.length - (given.split(/[\\/]/).at(-1) as string).length);
  return { path: given, base, folder: dirname(resolve(io.cwd, given)), ...decodeProgram(bytes, given) };
}

/** The program of --code. */
export function givenCode(code: string, io: Io): SourceFile {
  return { path: '<code>', base: '', folder: io.cwd, text: code, fault: null };
}

export function isStandardInput(given: string): boolean {
  return given === '-' || given === '/dev/stdin' || given === '/dev/fd/0';
}

/** A file, a pipe, or standard input, whole. Throws FILE_MISSING, or a FileFault. */
export async function readBytes(given: string, io: Io, maxBytes: number): Promise<Uint8Array> {
  if (isStandardInput(given)) return readStream(io.stdin, 'standard input', maxBytes);
  const path = resolve(io.cwd, given);
  if (isPipe(path)) return readStream(fs.createReadStream(path), `"${given}"`, maxBytes);
  const read = await createNodeFiles().read(path, maxBytes);
  if (read === null)
    throw new TechneError('FILE_MISSING', `"${given}" does not exist`, {
      hint: `techne looked for it at "${path}"`,
    });
  return read.bytes;
}

function isPipe(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  } catch (error) {
    if (leadsNowhere(error)) return false;
    throw faultOf(error, path);
  }
}

async function readStream(
  stream: AsyncIterable<Buffer | string>,
  shown: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) throw new FileFault('too-large', shown, `${shown} has more than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
