// Every run of a store, newest first, page by page.
import type { RunStore, RunSummary } from '../ports/run-store.ts';

/** `after`: a cursor, to begin behind it. */
export async function* eachRun(
  store: Pick<RunStore, 'list'>,
  after: string | null = null,
  limit = 100,
): AsyncGenerator<RunSummary> {
  let cursor = after;
  do {
    const page: Awaited<ReturnType<RunStore['list']>> = await store.list(
      cursor === null ? { limit } : { cursor, limit },
    );
    yield* page.runs;
    ({ cursor } = page);
  } while (cursor !== null);
}

export async function listAll(store: Pick<RunStore, 'list'>): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  for await (const run of eachRun(store, null, 1000)) all.push(run);
  return all;
}
