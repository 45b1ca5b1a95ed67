// Every run of a store, newest first, page by page.
import type { RunStore, RunSummary } from '../ports/run-store.ts';

/** `after`: a cursor, to begin behind it. */
export async function* eachRun(
  store: Pick<RunStore, 'list'>,
  after: string | null = null,
): AsyncGenerator<RunSummary> {
  let cursor = after;
  do {
    const page: Awaited<ReturnType<RunStore['list']>> = await store.list(
      cursor === null ? { limit: 100 } : { cursor, limit: 100 },
    );
    yield* page.runs;
    ({ cursor } = page);
  } while (cursor !== null);
}

export async function listAll(store: Pick<RunStore, 'list'>): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  for await (const run of eachRun(store)) all.push(run);
  return all;
}
