// techne runs list
//
// JSON: {runs: [{run, skill, form, status, startedAt, endedAt, usage, answered}], cursor}; `usage` and `form` are null for a
// damaged run.
import { archivePlace } from '../archive-place.ts';
import { inStore } from '../in-store.ts';
import { printableLine } from '../../base/printable.ts';
import { eachPage } from '../../journal/each-run.ts';
import type { RunFilter } from '../../ports/run-store.ts';
import type { ListedRun, ListedStatus } from '../../techne/listed-runs.ts';
import { listedRuns, storedAs } from '../../techne/listed-runs.ts';
import type { RunUsage } from '../../run/result/result.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { parseAge } from './runs-prune.ts';
import { ageText, spentTexts } from '../run/describe-effect.ts';
import { lookInto } from '../../techne/history/look-into-run.ts';
import type { RunArchive } from '../../techne/open-archive.ts';
import { withArchive } from '../../techne/open-archive.ts';

const defaultLimit = 20;
/** Runs that are read at a time. */
const pageSize = 100;

export function runRunsList(context: CommandContext): Promise<number> {
  const { args, json, out, quiet, columns, colour } = context;
  const limit = numberOption(args, 'limit', 1, 1000) ?? defaultLimit;
  const since = args.value('since');
  return withArchive(archivePlace(context), async ({ store, find, workspace, serving }) => {
    const after = args.value('cursor');
    const statuses = args.values('status') as readonly ListedStatus[];
    const skill = args.value('skill');
    const page = await pageOf(
      { store, serving },
      {
        limit,
        after: after === null ? null : await find(after),
        statuses,
        sinceMs: since === null ? null : Date.now() - parseAge(since, 'since'),
        only: {
          ...(skill === null ? {} : { skill }),
          ...(args.value('workspace') === null ? {} : { workspace }),
          ...(statuses.length === 0 ? {} : { statuses: statuses.flatMap(storedAs) }),
        },
      },
    );
    const runs = await Promise.all(
      page.runs.map(async (summary) => ({ ...summary, ...(await lookInto(store, summary)) })),
    );
    if (json) {
      out.json({ runs, cursor: page.cursor });
      return 0;
    }
    if (runs.length === 0) {
      if (!quiet)
        out.line(
          after === null &&
            ['status', 'skill', 'workspace', 'since'].every((name) => args.values(name).length === 0)
            ? inStore('There is no run yet. "techne run NAME" starts one.', args.value('store'))
            : 'No run matches.',
        );
      return 0;
    }
    const paint = createPaint(colour);
    const nowMs = Date.now();
    const rows = runs.map(({ run, skill: of, status, startedAt, usage, answered, form, parent }) => [
      run,
      paintStatus(status, paint) + (answered ? ', answered: resume it' : ''),
      `${printableLine(of)}${parent === null ? '' : ` (nested in ${parent.slice(-8)})`}`,
      ageText(nowMs - startedAt),
      usage === null ? '' : usedText(usage, form !== null && form !== 'program'),
    ]);
    out.write(
      renderTable(
        [['RUN', 'STATUS', 'SKILL', 'AGE', 'USED'].map((title) => paint.dim(title)), ...rows],
        columns,
      ),
    );
    if (page.cursor !== null && !quiet)
      out.line(
        inStore(
          `\nOlder ones: techne runs list${againOptions(args)} --cursor ${page.cursor}`,
          args.value('store'),
        ),
      );
    return 0;
  });
}

/** The options of this page, for the next one. */
function againOptions(args: CommandContext['args']): string {
  return ['status', 'skill', 'workspace', 'since', 'limit']
    .flatMap((name) =>
      args
        .values(name)
        .map(
          (value) =>
            ` --${name} ${/^[\w@./:-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`,
        ),
    )
    .join('');
}

interface Wanted {
  readonly limit: number;
  readonly after: string | null;
  readonly statuses: readonly ListedStatus[];
  readonly sinceMs: number | null;
  readonly only: RunFilter;
}

async function pageOf(
  { store, serving }: Pick<RunArchive, 'store' | 'serving'>,
  { limit, after, statuses, sinceMs, only }: Wanted,
): Promise<{ readonly runs: readonly ListedRun[]; readonly cursor: string | null }> {
  const found: ListedRun[] = [];
  for await (const { runs } of eachPage(store, { after, limit: pageSize, only }))
    for (const run of await listedRuns(runs, serving?.served ?? null)) {
      // Newer ones come first.
      if (sinceMs !== null && run.startedAt < sinceMs) return { runs: found, cursor: null };
      if (statuses.length > 0 && !statuses.includes(run.status)) continue;
      if (found.length === limit) return { runs: found, cursor: found.at(-1)?.run ?? null };
      found.push(run);
    }
  return { runs: found, cursor: null };
}

function usedText(
  { asks, commands, inputTokens, outputTokens, costMicros }: RunUsage,
  ofPlan: boolean,
): string {
  return [
    `${counted(asks, 'ask')}, ${counted(commands, ofPlan ? 'tool call' : 'command')}`,
    ...spentTexts(inputTokens + outputTokens, costMicros),
  ].join(', ');
}

export function paintStatus(status: string, paint: Paint): string {
  if (status === 'completed') return paint.green(status);
  if (status === 'failed' || status === 'corrupt') return paint.red(status);
  return status === 'cancelled' || status === 'running' ? status : paint.yellow(status);
}
