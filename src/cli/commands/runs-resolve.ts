// techne runs resolve
//
// JSON: as for techne run after the run resumed; {run, key, delivery} with --no-resume, or if another process drives it.
import { inStore } from '../in-store.ts';
import { archivePlace } from '../archive-place.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Decision } from '../../run/runner.ts';
import { requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { continueRun } from '../run/continue-run.ts';
import { describeCall } from '../run/describe-effect.ts';
import { withArchive } from '../../techne/open-archive.ts';
import type { RunArchive } from '../../techne/open-archive.ts';
import { parseValue } from '../../techne/run-input.ts';
import { seenRun } from '../../techne/seen-run.ts';

export async function runRunsResolve(context: CommandContext): Promise<number> {
  const { args, json, out, err, quiet, io } = context;
  const as = args.value('as') as Decision['as'] | null;
  if (as === null)
    throw new TechneError('USAGE', '--as is missing: what happened to the call?', {
      hint: '--as done, --as retry or --as fail',
    });
  requirePerson(io, 'deciding about a call', 'run it in a terminal');
  const given = args.value('value');
  if (given !== null && as === 'retry')
    throw new TechneError('USAGE', '--value has no meaning with --as retry');
  const value: Json = given === null ? null : parseValue(given, '--value');
  const decided = await withArchive(archivePlace(context), async (archive) => {
    const { run, key } = await callMeant(
      archive,
      await archive.find(args.positionals[0] as string),
      args.positionals[1] ?? null,
    );
    return { run, key, delivery: await archive.runner.decide(run, { key, as, value, by: 'operator' }) };
  });
  if (decided.delivery === 'recorded' && !args.flag('no-resume'))
    return continueRun(context, decided.run, args.value('answer'));
  if (json) out.json(decided);
  else
    (quiet ? err : out).line(
      decided.delivery === 'posted'
        ? `The process that drives run ${decided.run} continues it with the decision.`
        : inStore(`Recorded. To resume: techne runs resume ${decided.run}`, args.value('store')),
    );
  return 0;
}

/** Of the run or of one nested in it: a person sees them as one. */
async function callMeant(
  archive: RunArchive,
  run: string,
  key: string | null,
): Promise<{ readonly run: string; readonly key: string }> {
  const { undecided, nested } = await seenRun(archive, run);
  const own = undecided.filter((one) => one.run === run && one.key === key);
  const meant = key === null ? undecided : own.length > 0 ? own : undecided.filter((one) => one.key === key);
  const [first] = meant;
  if (first !== undefined && meant.length === 1) return first;
  const inside = nested.find((one) => one.key === key)?.run;
  const within = undecided.find((one) => one.run === inside);
  if (first === undefined && within !== undefined)
    throw new TechneError('USAGE', `call "${key}" is a nested run, in which a call waits for a decision`, {
      hint: `techne runs resolve ${within.run} ${within.key} --as done|retry|fail`,
    });
  // The engine reports the reason.
  if (first === undefined && key !== null) return { run, key };
  if (first === undefined)
    throw new TechneError('DECISION_UNKNOWN', `run ${run} does not wait for a decision`, {
      hint: `techne runs show ${run}`,
    });
  throw new TechneError(
    'USAGE',
    `run ${run} waits for ${meant.length} decisions${key === null ? ': KEY is missing' : ` about a call "${key}"`}`,
    {
      hint: `one of ${meant.map((one) => `${one.run === run ? '' : `${one.run} `}${one.key} (${describeCall(one.kind, one.request)})`).join(', ')}`,
    },
  );
}
