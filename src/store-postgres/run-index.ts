// The RunIndex of runs in Postgres: each question is a look into an index of the table of runs.
import { append } from '../base/json.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { Database } from './database.ts';
import type { Queries, Statement } from './queries.ts';

/** In one transaction: short enough that no one waits long for its locks. */
const removedAtOnce = 500;
/** Behind every character of a name. */
const behindAll = '~';

export function createPostgresRunIndex(database: Database, queries: Queries): RunIndex {
  const runsOf = async (statement: Statement, values: readonly unknown[]): Promise<readonly string[]> =>
    (await database.ask<{ run: string }>(statement, values)).map(({ run }) => run);
  return {
    names: (limit) => runsOf(queries.names, [limit]),
    async matching(given, limit) {
      if (!/^[0-9A-Za-z_-]{1,64}$/.test(given)) return [];
      for (const form of new Set([given, given.toUpperCase()])) {
        const exact = await runsOf(queries.named, [form]);
        if (exact.length > 0) return exact;
      }
      // Ids are in upper case.
      const wanted = given.toUpperCase();
      const reversed = wanted.split('').reverse().join('');
      return runsOf(queries.beginningOrEnding, [
        wanted,
        wanted + behindAll,
        reversed,
        reversed + behindAll,
        limit,
      ]);
    },
    last: async (workspace) => (await runsOf(queries.last, [workspace.replaceAll('\0', '')]))[0] ?? null,
    nested: (run) => runsOf(queries.nested, [run]),
    beginExpiry: async () => (await database.ask(queries.beginExpiry, [], true)).length > 0,
    bulk: {
      async removeEnded(runs) {
        const removed: string[] = [];
        for (let from = 0; from < runs.length; from += removedAtOnce)
          append(removed, await runsOf(queries.removeMany, [runs.slice(from, from + removedAtOnce)]));
        return removed;
      },
      async removeUnnamedBlobs(beforeMs) {
        const rows = await database.ask<{ bytes: number }>(queries.sweepBlobs, [beforeMs], true);
        return { blobs: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
      },
    },
    placeOf: () => database.address.shown,
  };
}
