// A fork in the store, owned by this process and not driven yet.
//
//   run + edits -> old journal -> checked input, judged and replanned files -> planFork -> the first entries of the new run
import type { JsonObject } from '../../base/json.ts';
import { foldRun } from '../../journal/run-state.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { Claim, StoredEntry } from '../../ports/run-store.ts';
import type { RunResult } from '../result/result.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { readFacts } from '../run-facts.ts';
import type { ResumeRequest, RunnerOptions } from '../runner.ts';
import type { InterpreterCaches } from '../start/admit-run.ts';
import { refusedToStart } from '../start/admit-run.ts';
import { mustContinue, recordedAnswerer } from '../start/may-continue.ts';
import { checkEditedInput, judgeEdited, replanEdited } from './edited-skill.ts';
import type { ForkRequest } from './fork.ts';
import { planFork } from './fork.ts';

interface ForkedRun {
  readonly claim: Claim;
  readonly entries: readonly StoredEntry[];
  readonly facts: RunFacts;
  readonly input: JsonObject;
  readonly answerer: Answerer;
}

/** A result says why there is none. */
export async function createFork(
  run: string,
  request: ForkRequest & ResumeRequest,
  options: Required<RunnerOptions>,
  caches: InterpreterCaches,
  values: StoredValues,
): Promise<ForkedRun | RunResult> {
  const { store, blobs, sha256, clock, ids, maximum, defaults } = options;
  const entries = await store.read(run);
  const old = foldRun(entries);
  const facts = readFacts(old.meta);
  await mustContinue(options, facts, old);
  const answerer = recordedAnswerer(options.answerers, facts, request.answerer ?? null);
  const { edits } = request;
  const checked =
    edits?.input === undefined
      ? null
      : await checkEditedInput({ ...options, ...caches }, facts, edits.input, edits.files ?? {});
  if (checked?.ok === false)
    return refusedToStart(
      facts.meta.skill.name,
      { code: 'INPUT_INVALID', message: checked.message, hint: checked.hint },
      defaults.resultUnits,
    );
  const name = ids.ulid();
  const fork = await planFork({
    run,
    name,
    entries,
    state: old,
    facts,
    request: checked === null ? request : { ...request, edits: { ...edits, input: checked.input } },
    values,
    blobs,
    sha256,
    clock,
    caches,
    maximum,
    defaults,
    answerer: answerer.name,
    judgeEdited: (files) => judgeEdited(options, facts, files),
    replan: (files) => replanEdited({ ...options, ...caches, answerer }, facts, files),
  });
  const claim = await store.create(name, fork.entries);
  const written = fork.entries.map((entry, seq) => ({ seq, entry }));
  return { claim, entries: written, facts: fork.facts, input: fork.input, answerer };
}
