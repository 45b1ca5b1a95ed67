// A failure of the interpreter -> the same with hints about options of the command line.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Failure } from '../../starlark/options.ts';
import type { Program } from '../../starlark/compile/program.ts';
import type { FindModule, Refusal } from './load-modules.ts';

const hints: { readonly [code in DiagnosticCode]?: string } = {
  STEP_LIMIT: 'do less work in the program, or raise the limit with --steps',
  MEMORY_LIMIT: 'keep less data at once, or raise the limit with --memory',
  OUTPUT_LIMIT: 'print less, or raise the limit with --output',
  LOAD_DENIED: 'give --allow-load to let it read .star files in the folder of the program',
  EVAL_HOST: 'only a run of the skill has ask, command and the like',
};

/** The prompt has no file, and so no folder to load from. */
export function explainFailure(failure: Failure, place: 'file' | 'prompt' = 'file'): Failure {
  const { diagnostic } = failure;
  const hint =
    place === 'prompt' && diagnostic.code === 'LOAD_DENIED'
      ? 'put the program into a file, and run it with --allow-load'
      : hints[diagnostic.code];
  return hint === undefined ? failure : { ...failure, diagnostic: { ...diagnostic, hint } };
}

/** The `load` of a run, and the reason of the refusal that ended the run. */
export class Loading {
  /** Diagnostics of the module that could not be loaded. */
  diagnostics: readonly Diagnostic[] = [];
  private readonly find: FindModule;
  private readonly loaded: (path: string, text: string) => void;
  private refusal: (Refusal & { readonly name: string }) | null = null;

  /** `loaded` gets every module text, to show excerpts of errors. */
  constructor(find: FindModule, loaded: (path: string, text: string) => void) {
    this.find = find;
    this.loaded = loaded;
  }

  load(name: string, from: string): Program | null {
    const found = this.find(name, from);
    if ('reason' in found) {
      this.refusal = { name, ...found };
      return null;
    }
    this.loaded(found.path, found.text);
    if (found.program === null) {
      this.refusal = { name, reason: 'it has errors', hint: null };
      this.diagnostics = found.diagnostics;
    }
    return found.program;
  }

  explain(failure: Failure): Failure {
    const { refusal } = this;
    if (refusal === null || failure.diagnostic.code !== 'EVAL_LOAD') return explainFailure(failure);
    return {
      ...failure,
      diagnostic: {
        ...failure.diagnostic,
        message: `cannot load "${refusal.name}": ${refusal.reason}`,
        hint: refusal.hint,
      },
    };
  }
}
