// techne runs list
//
// JSON: {runs: [{run, skill, form, status, startedAt, endedAt, usage, answered}], cursor}; `usage` and `form` are null for a
// damaged run.
import { archivePlace } from '../archive-place.ts';
import { printableLine } from '../../base/printable.ts';
import { eachRun } from '../../journal/each-run.ts';
import type { RunStore, RunSummary } from '../../ports/run-store.ts';
import type { RunUsage } from '../../run/result/result.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { parseAge } from './runs-prune.ts';
import { ageText, spentTexts } from '../run/describe-effect.ts';
import { lookInto } from '../../techne/history/look-into-run.ts';
import { withArchive } from '../../techne/open-archive.ts';

const defaultLimit = 20;

export function runRunsList(context: CommandContext): Promise<number> {
  const { args, json, out, quiet, columns, colour } = context;
  const limit = numberOption(args, 'limit', 1, 1000) ?? defaultLimit;
  const since = args.value('since');
  return withArchive(archivePlace(context), async ({ store, find, workspace }) => {
    const after = args.value('cursor');
    const page = await pageOf(
      store,
      limit,
      after === null ? null : await find(after),
      isWanted({
        statuses: args.values('status'),
        skill: args.value('skill'),
        workspace: args.value('workspace') === null ? null : workspace,
        sinceMs: since === null ? null : Date.now() - parseAge(since, 'since'),
      }),
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
            ? 'There is no run yet. "techne run NAME" starts one.'
            : 'No run matches.',
        );
      return 0;
    }
    const paint = createPaint(colour);
    const nowMs = Date.now();
    const rows = runs.map(({ run, skill, status, startedAt, usage, answered, form, parent }) => [
      run,
      paintStatus(status, paint) + (answered ? ', answered: resume it' : ''),
      `${printableLine(skill)}${parent === null ? '' : ` (nested in ${parent.slice(-8)})`}`,
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
        `\nOlder ones: techne runs list${limit === defaultLimit ? '' : ` --limit ${limit}`} --cursor ${page.cursor}`,
      );
    return 0;
  });
}

interface Filters {
  readonly statuses: readonly string[];
  readonly skill: string | null;
  readonly workspace: string | null;
  readonly sinceMs: number | null;
}

function isWanted({ statuses, skill, workspace, sinceMs }: Filters): (run: RunSummary) => boolean {
  return (run) =>
    (statuses.length === 0 || statuses.includes(run.status)) &&
    (skill === null || run.skill === skill) &&
    (workspace === null || run.workspace === workspace) &&
    (sinceMs === null || run.startedAt >= sinceMs);
}

async function pageOf(
  store: RunStore,
  limit: number,
  after: string | null,
  wanted: (run: RunSummary) => boolean,
): Promise<{ readonly runs: readonly RunSummary[]; readonly cursor: string | null }> {
  const runs: RunSummary[] = [];
  for await (const run of eachRun(store, after)) {
    if (!wanted(run)) continue;
    if (runs.length === limit) return { runs, cursor: runs.at(-1)?.run ?? null };
    runs.push(run);
  }
  return { runs, cursor: null };
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
