// The pinned bytes of a run -> the interpreter that drives it.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { JsonObject } from '../../base/json.ts';
import { TechneError } from '../../base/error.ts';
import type { BlobDigest, Blobs } from '../../ports/blobs.ts';
import type { CompiledProgram } from '../program/program-interpreter.ts';
import { compileProgram, ProgramInterpreter } from '../program/program-interpreter.ts';
import type { Interpreter } from '../effect/effect.ts';
import type { LoadPlanRuns } from '../plan/runs.ts';
import type { RunFacts } from '../run-facts.ts';

const maxKept = 32;

/** Compiled programs by the digest of their bytes and their path. */
export class ProgramCache {
  readonly #blobs: Pick<Blobs, 'get'>;
  readonly #kept = new Map<string, CompiledProgram>();

  constructor(blobs: Pick<Blobs, 'get'>) {
    this.#blobs = blobs;
  }

  compile(digest: string, source: string, path: string): CompiledProgram {
    const name = `${digest} ${path}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const compiled = compileProgram(source, path);
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(name, compiled);
    return compiled;
  }

  async load(digest: BlobDigest, path: string): Promise<CompiledProgram> {
    return (
      this.#kept.get(`${digest} ${path}`) ??
      this.compile(digest, decodeUtf8(await this.#blobs.get(digest)).text, path)
    );
  }
}

export interface InterpreterCaches {
  readonly programs: ProgramCache;
  readonly plans: LoadPlanRuns;
}

/** Throws BLOB_MISSING, BLOB_CORRUPT, JOURNAL_CORRUPT. */
export async function createInterpreter(
  { programs, plans }: InterpreterCaches,
  facts: RunFacts,
  input: JsonObject,
): Promise<Interpreter> {
  const {
    meta,
    limits,
    settings: { program: path },
  } = facts;
  if (meta.skill.form !== 'program') return (await plans()).createInterpreter(facts, input);
  const digest = path === null ? undefined : meta.files[path];
  if (path === null || digest === undefined)
    throw new TechneError('JOURNAL_CORRUPT', `run ${meta.run} does not record what it executes`);
  const compiled = await programs.load(digest, path);
  if (!compiled.ok)
    throw new TechneError('PROFILE_UNSUPPORTED', `the program of run ${meta.run} does not compile any more`);
  return new ProgramInterpreter({ program: compiled.program, input, limits });
}
