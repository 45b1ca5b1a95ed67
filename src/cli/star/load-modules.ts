// Resolves `load` for `techne star --allow-load`.
//
//   load("lib/names.star", …) in FILE -> the module, or why it is refused
//
// Only .star files in the folder of the started program and below it can be loaded. A name is relative to the loading file; it may
// contain "..", but not leave that folder. Links are not followed. Each file is read and compiled once.
import { join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { CompileResult } from '../../starlark/compile-source.ts';
import type { Program } from '../../starlark/compile/program.ts';
import { decodeProgram } from '../../techne/check/decode-program.ts';
import { maxSourceBytes } from './read-program.ts';
import type { SourceFile } from './read-program.ts';

export interface Refusal {
  /** The text after `cannot load "name": `. */
  readonly reason: string;
  readonly hint: string | null;
}

/** An existing file, whether it compiles or not. */
export interface Module {
  /** The path for messages. */
  readonly path: string;
  readonly text: string;
  /** `null` if it has errors. */
  readonly program: Program | null;
  readonly diagnostics: readonly Diagnostic[];
}

export type FindModule = (name: string, from: string) => Module | Refusal;

/** `from` is the shown path of the file that loads. */
export function createModules(
  main: SourceFile,
  compileFile: (file: Pick<SourceFile, 'path' | 'text' | 'fault'>) => CompileResult,
  files: Files = createNodeFiles(),
): FindModule {
  const root = files.realPath(main.folder);
  /** Shown path -> the folders between the root and the file. */
  const folders = new Map<string, readonly string[]>([[main.path, []]]);
  const found = new Map<string, Module>();
  return (name, from) => {
    const parts = resolveName(name, folders.get(from) ?? []);
    if ('reason' in parts) return parts;
    if (root === null) return { reason: 'the folder of the program does not exist', hint: null };
    const shown = main.base + parts.join('/');
    const known = found.get(shown);
    if (known !== undefined) return known;
    const read = readInside(files, join(root, ...parts), shown);
    if (!(read instanceof Uint8Array)) return read;
    const { text, fault } = decodeProgram(read, shown);
    const compiled = compileFile({ path: shown, text, fault });
    const module = {
      path: shown,
      text,
      program: compiled.ok ? compiled.program : null,
      diagnostics: compiled.diagnostics,
    };
    folders.set(shown, parts.slice(0, -1));
    found.set(shown, module);
    return module;
  };
}

/** The parts of the path below the root. */
function resolveName(name: string, folder: readonly string[]): readonly string[] | Refusal {
  const hint = 'name it relative to the file that loads it, such as "lib/names.star"';
  if (name === '') return { reason: 'the name is empty', hint };
  if (/[\\\0]/.test(name)) return { reason: 'a name must not contain a backslash or NUL', hint };
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return { reason: 'the name is absolute', hint };
  if (!name.endsWith('.star'))
    return { reason: 'only files whose name ends in .star can be loaded', hint: null };
  const parts = [...folder];
  for (const part of name.split('/')) {
    if (part === '') return { reason: 'the name has an empty part', hint };
    if (part === '..') {
      if (parts.pop() === undefined)
        return {
          reason: 'it is outside the folder of the program',
          hint: 'only files in the folder of the program that was started, and below it, can be loaded',
        };
    } else if (part !== '.') parts.push(part);
  }
  return parts;
}

function readInside(files: Files, path: string, shown: string): Uint8Array | Refusal {
  try {
    const real = files.realPath(path);
    if (real !== path) {
      if (real !== null || files.lstat(path) !== null)
        return {
          reason: 'it is a link, or reached through one',
          hint: 'links are not followed: replace the link with the file itself',
        };
      return { reason: 'it does not exist', hint: `techne looked for it at "${shown}"` };
    }
    const read = files.readHead(path, maxSourceBytes + 1);
    if (read === null) return { reason: 'it does not exist', hint: `techne looked for it at "${shown}"` };
    return read.bytes.byteLength > maxSourceBytes
      ? { reason: `it has more than ${maxSourceBytes} bytes`, hint: null }
      : read.bytes.slice();
  } catch (error) {
    if (error instanceof FileFault)
      return {
        reason: error.kind === 'not-a-file' ? 'it is not a file' : `it cannot be read (${error.kind})`,
        hint: null,
      };
    throw error;
  }
}
