// techne runs prune
//
// JSON: {removed: [run], inUse: [run], dryRun}.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { choosePrunable, pruneRuns } from '../../journal/prune-runs.ts';
import type { PruneOptions } from '../../journal/prune-runs.ts';
import type { RunStore, RunSummary } from '../../journal/run-store.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../render-table.ts';
import { ageText } from '../run/describe-effect.ts';
import { withArchive } from '../run/open-archive.ts';

export function runRunsPrune(context: CommandContext): Promise<number> {
  const { args, json, out, quiet, columns } = context;
  const keep = numberOption(args, 'keep', 0, 1_000_000);
  const statuses = args.values('status') as readonly RunSummary['status'][];
  const options: PruneOptions = { olderThanMs: parseAge(args.value('older-than') ?? '30d'), ...(keep === null ? {} : { keep }), ...(statuses.length === 0 ? {} : { statuses }) };
  const dryRun = args.flag('dry-run');
  return withArchive(context, async ({ store }) => {
    const nowMs = Date.now();
    const { removed, inUse } = dryRun ? { removed: choosePrunable(await listAll(store), options, nowMs), inUse: [] } : await pruneRuns(store, options, nowMs);
    if (json) {
      out.json({ removed: removed.map(({ run }) => run), inUse: inUse.map(({ run }) => run), dryRun });
      return 0;
    }
    const rows = removed.map(({ run, status, skill, startedAt }) => [`  ${run}`, status, printableLine(skill), ageText(nowMs - startedAt)]);
    out.line(`${counted(removed.length, 'run')} ${dryRun ? 'would be' : removed.length === 1 ? 'was' : 'were'} removed${removed.length === 0 || quiet ? '.' : ':'}`);
    if (!quiet) out.write(renderTable(rows, columns));
    for (const { run } of inUse) out.line(`Kept, since a process drives it: ${run}`);
    return 0;
  });
}

const unitsMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `45m`, `90s`, `2w`. Throws USAGE. */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count === undefined) throw new TechneError('USAGE', `--older-than must be a number and one of s, m, h, d, w, not "${printableLine(text)}"`, { hint: 'such as --older-than 30d' });
  return Number(count) * (unitsMs[unit] as number);
}

async function listAll(store: RunStore): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<RunStore['list']>> = await store.list(cursor === null ? { limit: 1000 } : { cursor, limit: 1000 });
    all.push(...page.runs);
    ({ cursor } = page);
  } while (cursor !== null);
  return all;
}
