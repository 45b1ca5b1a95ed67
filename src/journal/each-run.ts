// Every run of a store, newest first, page by page.
import type { RunFilter, RunStore, RunSummary } from '../ports/run-store.ts';

export function fitsFilter(
  { skill, workspace, statuses }: RunFilter,
  run: Pick<RunSummary, 'skill' | 'workspace' | 'status'>,
): boolean {
  return (
    (skill === undefined || run.skill === skill) &&
    (workspace === undefined || run.workspace === workspace) &&
    (statuses === undefined || statuses.includes(run.status))
  );
}

interface PagesOptions {
  /** A cursor, to begin behind it. */
  readonly after: string | null;
  /** Of one page. */
  readonly limit: number;
  readonly only: RunFilter;
}

export async function* eachPage(
  store: Pick<RunStore, 'list'>,
  { after, limit, only }: PagesOptions,
): AsyncGenerator<Awaited<ReturnType<RunStore['list']>>> {
  let cursor = after;
  do {
    const page: Awaited<ReturnType<RunStore['list']>> = await store.list({
      limit,
      only,
      ...(cursor === null ? {} : { cursor }),
    });
    yield page;
    ({ cursor } = page);
  } while (cursor !== null);
}

/** `after`: a cursor, to begin behind it. */
export async function* eachRun(
  store: Pick<RunStore, 'list'>,
  after: string | null = null,
  { limit = 100, only = {} }: { readonly limit?: number; readonly only?: RunFilter } = {},
): AsyncGenerator<RunSummary> {
  for await (const { runs } of eachPage(store, { after, limit, only })) yield* runs;
}

export async function listAll(store: Pick<RunStore, 'list'>): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  for await (const run of eachRun(store, null, { limit: 1000 })) all.push(run);
  return all;
}
