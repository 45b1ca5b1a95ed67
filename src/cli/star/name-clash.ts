// Two files that are loaded by the same words.
//
// The interpreter keeps one module for each name as it is written, whichever file loads it. Names that are relative can
// mean two files, and the second would silently get the first: such a program is refused before it runs.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import type { Program } from '../../starlark/compile/program.ts';
import type { FindModule } from './load-modules.ts';

export function findNameClash(main: Program, find: FindModule): Diagnostic | null {
  const meant = new Map<string, string>();
  const seen = new Set<string>();
  const waiting = [main];
  for (let program = waiting.pop(); program !== undefined; program = waiting.pop()) {
    for (const name of program.loads) {
      const found = find(name, program.path);
      // What is wrong with one is said when it is loaded.
      if ('reason' in found) continue;
      const other = meant.get(name) ?? found.path;
      if (other !== found.path) return clash(program.path, name, other, found.path);
      meant.set(name, other);
      if (found.program !== null && !seen.has(found.path)) waiting.push(found.program);
      seen.add(found.path);
    }
  }
  return null;
}

function clash(path: string, name: string, one: string, other: string): Diagnostic {
  const found: Diagnostic[] = [];
  collectInto(found, path)('EVAL_LOAD', null, `"${name}" means "${one}" in one file and "${other}" in another, which is not supported yet`, 'write one of them in another way, such as "./name.star"');
  return found[0] as Diagnostic;
}
