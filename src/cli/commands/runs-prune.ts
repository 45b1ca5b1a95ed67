// techne runs prune
//
// JSON: {removed: [run], inUse: [run], dryRun, freed: {blobs, bytes}, damaged: [run]}.
import { archivePlace } from '../archive-place.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { listAll } from '../../journal/each-run.ts';
import { choosePrunable, pruneRuns } from '../../journal/prune-runs.ts';
import { sweepBlobs } from '../../journal/sweep-blobs.ts';
import type { PruneOptions } from '../../journal/prune-runs.ts';
import type { RunSummary } from '../../ports/run-store.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { ageText } from '../run/describe-effect.ts';
import { withArchive } from '../../techne/open-archive.ts';

export function runRunsPrune(context: CommandContext): Promise<number> {
  const { args, json, out, quiet, columns } = context;
  const keep = numberOption(args, 'keep', 0, 1_000_000);
  const statuses = args.values('status') as readonly RunSummary['status'][];
  const ofSkill = args.value('skill');
  const chosen: PruneOptions = {
    olderThanMs: parseAge(args.value('older-than') ?? '30d'),
    ...(keep === null ? {} : { keep }),
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(ofSkill === null ? {} : { skill: ofSkill }),
  };
  const dryRun = args.flag('dry-run');
  return withArchive(archivePlace(context), async ({ store, blobs, index, workspace }) => {
    const options = args.value('workspace') === null ? chosen : { ...chosen, workspace };
    const nowMs = Date.now();
    const { removed, inUse } = dryRun
      ? { removed: choosePrunable(await listAll(store), options, nowMs), inUse: [] }
      : await pruneRuns(store, options, nowMs, index.bulk);
    const { damaged, ...freed } = dryRun
      ? { blobs: 0, bytes: 0, damaged: [] }
      : await sweepBlobs(store, blobs, nowMs, index.bulk);
    if (json) {
      out.json({
        removed: removed.map(({ run }) => run),
        inUse: inUse.map(({ run }) => run),
        dryRun,
        freed,
        damaged,
      });
      return 0;
    }
    const rows = removed.map(({ run, status, skill, startedAt }) => [
      `  ${run}`,
      status,
      printableLine(skill),
      ageText(nowMs - startedAt),
    ]);
    out.line(
      `${counted(removed.length, 'run')} ${dryRun ? 'would be' : removed.length === 1 ? 'was' : 'were'} removed${removed.length === 0 || quiet ? '.' : ':'}`,
    );
    if (!quiet) out.write(renderTable(rows, columns));
    for (const { run } of inUse) out.line(`Kept, since a process drives it: ${run}`);
    if (freed.blobs > 0)
      out.line(
        `${bytesText(freed.bytes)} of stored content that no run needs ${freed.blobs === 1 ? 'was' : 'were'} freed.`,
      );
    if (damaged.length > 0)
      out.line(
        `No stored content was freed, because a damaged journal may need it: ${damaged.join(', ')} (techne runs prune --status corrupt)`,
      );
    return 0;
  });
}

function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const unitsMs: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30d`, `12h`, `45m`, `90s`, `2w`. Throws USAGE. */
export function parseAge(text: string, option = 'older-than'): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count === undefined)
    throw new TechneError(
      'USAGE',
      `--${option} must be a number and one of s, m, h, d, w, not "${printableLine(text)}"`,
      { hint: `such as --${option} 30d` },
    );
  return Number(count) * (unitsMs[unit] as number);
}
