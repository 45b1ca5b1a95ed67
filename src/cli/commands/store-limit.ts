// techne store limit
//
// JSON: list: {limits: [{kind, name, concurrency, rate, driven, begun, queued}]}; set: {set: {kind, name, concurrency, rate}};
// remove: {removed: {kind, name}}.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { LimitState, RunLimit } from '../../ports/served-runs.ts';
import { limitName, limitText } from '../../techne/describe-wait.ts';
import { withStoreAdmin } from '../../techne/store/open-admin.ts';
import { mustBeQueue } from '../../techne/queue-name.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { numberOption } from '../parse-arguments.ts';
import { storePlace } from './store.ts';

export function runStoreLimit(context: CommandContext): Promise<number> {
  const { args, json, out, err, columns } = context;
  const [action = 'list'] = args.positionals;
  const tenant = args.value('tenant');
  const which = whichOf(context);
  const concurrency = numberOption(args, 'concurrency', 0, 1_000_000);
  const rate = rateOf(args.value('rate'));
  if (action !== 'set' && (concurrency !== null || rate !== null))
    throw new TechneError('USAGE', `--concurrency and --rate are for techne store limit set`);
  if (action === 'set' && concurrency === null && rate === null)
    throw new TechneError('USAGE', 'techne store limit set needs --concurrency, --rate or both', {
      hint: 'techne store limit set --skill report --concurrency 2 --rate 10/60',
    });
  return withStoreAdmin(storePlace(context), async (admin) => {
    if (action === 'list') {
      const limits = await admin.limits(tenant);
      if (json) out.json({ limits });
      else if (limits.length === 0) err.line('There is no limit. "techne store limit set" makes one.');
      else out.write(renderLimits(limits, columns));
      return exitCodes.fine;
    }
    if (action === 'set') {
      const limit: RunLimit = { ...which, concurrency, rate };
      await admin.setLimit(tenant, limit);
      if (json) out.json({ set: limit });
      else out.line(`${printableLine(limitName(limit))}: ${limitText(limit)}`);
      return exitCodes.fine;
    }
    if (!(await admin.removeLimit(tenant, which)))
      throw new TechneError('USAGE', `there is no limit of ${limitName(which)}`, {
        hint: 'techne store limit list',
      });
    if (json) out.json({ removed: which });
    else out.line(`${printableLine(limitName(which))}: no limit`);
    return exitCodes.fine;
  });
}

export function renderLimits(limits: readonly LimitState[], columns: number | null): string {
  return renderTable(
    [
      ['LIMIT OF', 'LIMIT', 'DRIVEN', 'BEGUN', 'QUEUED'],
      ...limits.map((one) => [
        printableLine(limitName(one)),
        limitText(one),
        `${one.driven}`,
        one.rate === null ? '' : `${one.begun}`,
        `${one.queued}`,
      ]),
    ],
    columns,
  );
}

/** Throws USAGE. */
function whichOf({ args }: CommandContext): Pick<RunLimit, 'kind' | 'name'> {
  const [queue, skill] = [args.value('queue'), args.value('skill')];
  if (queue !== null && skill !== null)
    throw new TechneError('USAGE', 'a limit is for a queue or for a skill, not for both', {
      hint: 'set two limits: both hold',
    });
  if (skill !== null && (skill === '' || skill.length > 200))
    throw new TechneError('USAGE', `"${printableLine(skill)}" cannot be the name of a skill`);
  if (queue !== null) return { kind: 'queue', name: mustBeQueue(queue) };
  return skill === null ? { kind: 'all', name: '' } : { kind: 'skill', name: skill };
}

/** `RUNS/SECONDS`. Throws USAGE. */
function rateOf(given: string | null): RunLimit['rate'] {
  if (given === null) return null;
  const [, runs, seconds] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/.exec(given) ?? [];
  if (runs === undefined || Number(seconds) > 86_400)
    throw new TechneError('USAGE', `--rate must be RUNS/SECONDS, not "${printableLine(given)}"`, {
      hint: 'such as 10/60: ten runs begin in any minute; at most a day (86400)',
    });
  return { runs: Number(runs), seconds: Number(seconds) };
}
