// The program a command line names.
//
//   FILE, or `-` for standard input -> its text, how it is shown, and the folder its modules are in
import { dirname, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { createNodeFiles } from '../../host/node-files.ts';
import type { Files } from '../../host/ports/files.ts';
import { FileFault } from '../../host/ports/files.ts';
import type { Io } from '../io.ts';

export interface SourceFile {
  /** As it was given; shown in errors. */
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
  readonly text: string;
}

/** Beyond this no text is short enough to be compiled. */
export const maxSourceBytes = 4_000_000;

/** Throws FILE_MISSING, or a FileFault. */
export async function readProgram(given: string, io: Io, files: Files = createNodeFiles()): Promise<SourceFile> {
  if (given === '-') return { path: '<stdin>', folder: io.cwd, text: await readAll(io.stdin) };
  const path = resolve(io.cwd, given);
  const read = await files.read(path, maxSourceBytes);
  if (read === null) throw new TechneError('FILE_MISSING', `"${given}" does not exist`, { hint: `it was looked for at "${path}"` });
  return { path: given, folder: dirname(path), text: decodeSource(read.bytes) };
}

/** Bytes that are not UTF-8 become U+FFFD, which is only allowed in strings and comments; a byte order mark is dropped. */
export function decodeSource(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function readAll(stdin: Io['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxSourceBytes) throw new FileFault('too-large', '<stdin>', `standard input has more than ${maxSourceBytes} bytes, which no program may have`);
    chunks.push(bytes);
  }
  return decodeSource(Buffer.concat(chunks));
}
