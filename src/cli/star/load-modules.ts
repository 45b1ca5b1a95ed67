// `load` for `techne star --allow-load`.
//
//   load("lib/names.star", …) in FILE -> the program in the folder of FILE
//
// L1. Only files below the folder of the program that was started: a name is relative to the file that loads it, has
//     no "..", no empty part and no backslash, and ends in ".star".
// L2. No link is followed, neither to a file nor to a folder: the real path must be the path itself.
import { join, relative, sep } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { createNodeFiles } from '../../host/node-files.ts';
import type { Files } from '../../host/ports/files.ts';
import { FileFault } from '../../host/ports/files.ts';
import type { Program } from '../../starlark/compile/program.ts';
import { decodeSource, maxSourceBytes } from './read-program.ts';
import type { SourceFile } from './read-program.ts';

export type CompileModule = (text: string, path: string) => { readonly ok: true; readonly program: Program } | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `loaded` hears of every module text, so that errors in it can be shown. */
export function createLoader(main: SourceFile, compileModule: CompileModule, loaded: (path: string, text: string) => void, files: Files = createNodeFiles()) {
  const root = files.realPath(main.folder);
  /** Shown path -> its folder below the root, with `/`. */
  const folders = new Map<string, string>([[main.path, '']]);
  const base = main.path === '<stdin>' ? '' : main.path.slice(0, main.path.length - (main.path.split(/[\\/]/).at(-1) as string).length);
  return (name: string, from: string): Program | readonly Diagnostic[] | null => {
    if (root === null || !/^(?!\/)(?:[^/\\\0]+\/)*[^/\\\0]+\.star$/.test(name) || name.split('/').some((part) => part === '..' || part === '.')) return null;
    const inside = (folders.get(from) ?? '') + name;
    const path = join(root, ...inside.split('/'));
    const text = readInside(files, root, path);
    if (text === null) return null;
    const shown = base + inside;
    folders.set(shown, inside.slice(0, inside.lastIndexOf('/') + 1));
    loaded(shown, text);
    const compiled = compileModule(text, shown);
    return compiled.ok ? compiled.program : compiled.diagnostics;
  };
}

function readInside(files: Files, root: string, path: string): string | null {
  try {
    if (files.realPath(path) !== path || relative(root, path).startsWith(`..${sep}`)) return null;
    const read = files.readHead(path, maxSourceBytes + 1);
    return read === null || read.bytes.byteLength > maxSourceBytes ? null : decodeSource(read.bytes);
  } catch (error) {
    if (error instanceof FileFault) return null; // a folder, or not readable: there is no such module
    throw error;
  }
}
