// Manifests as blobs that name other blobs, and workspaces that name manifests.
//
// What a run keeps is a reference of the run, so it is kept as long as the run is. The files that it kept before are
// given up with the new ones, unless its journal names them. Only the owner of a run keeps files for it: one statement
// asks and writes.
import { TechneError } from '../base/error.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { runUnknown } from '../journal/run-state.ts';
import type { BlobDigest } from '../ports/blobs.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { KeptFiles, NamedFiles, RunTravel, SharedFiles } from '../ports/shared-files.ts';
import type { Database } from './database.ts';
import type { Statement } from './queries.ts';

interface NamedRow {
  readonly [name: string]: unknown;
  readonly name: string;
  readonly digest: BlobDigest;
  readonly files: number;
  readonly bytes: string;
  readonly source: string;
  readonly by: string;
  readonly at: Date;
}

/** `worker`: this process, as the owner of runs. */
export function createSharedFiles(database: Database, sha256: Sha256, worker: string): SharedFiles {
  const queries = createSharedQueries(database.address.schema);
  return {
    async putManifest(bytes, names) {
      const digest = `sha256:${sha256(bytes)}` as const;
      await database.ask(queries.putManifest, [digest, Buffer.from(bytes), [...new Set(names)]], true);
      return digest;
    },
    renewManifest: async (digest) => (await database.ask(queries.renewManifest, [digest], true)).length > 0,
    async missing(digests) {
      const rows = await database.ask<{ digest: BlobDigest }>(queries.renewAll, [[...digests]], true);
      const there = new Set(rows.map(({ digest }) => digest));
      return digests.filter((digest) => !there.has(digest));
    },
    async travelOf(run) {
      const [row] = await database.ask<{ entry: string }>(queries.startOf, [run]);
      if (row === undefined) throw runUnknown(run);
      const entry = parseJson(row.entry);
      const settings = isJsonObject(entry) ? entry['settings'] : null;
      if (!isJsonObject(settings) || !isJsonObject(settings['travel'])) return null;
      const { travel, forkedFrom } = settings;
      return {
        travel: travel as unknown as RunTravel,
        forkedFrom:
          isJsonObject(forkedFrom) && typeof forkedFrom['run'] === 'string' ? forkedFrom['run'] : null,
      };
    },
    async keptOf(run) {
      const [row] = await database.ask<KeptFiles & { readonly [name: string]: unknown }>(queries.keptOf, [
        run,
      ]);
      return row === undefined ? null : { digest: row.digest, fault: row.fault };
    },
    async keep(run, { digest, fault }) {
      const rows = await database.ask(queries.keep, [run, worker, digest, fault], true);
      if (rows.length === 0)
        throw new TechneError(
          'OWNER_LOST',
          `another process drives run ${run}, so its files are not kept here`,
        );
    },
    forgetFault: async (run) => void (await database.ask(queries.forgetFault, [run], true)),
    nameFiles: async ({ name, digest, files, bytes, source, by }) =>
      void (await database.ask(queries.nameFiles, [name, digest, files, bytes, source, by], true)),
    async findFiles(name) {
      const [row] = await database.ask<NamedRow>(queries.findFiles, [name]);
      return row === undefined ? null : namedOf(row);
    },
    listFiles: async () => (await database.ask<NamedRow>(queries.listFiles, [])).map(namedOf),
    removeFiles: async (name) => (await database.ask(queries.removeFiles, [name], true)).length > 0,
  };
}

function namedOf({ name, digest, files, bytes, source, by, at }: NamedRow): NamedFiles {
  return { name, digest, files, bytes: Number(bytes), source, by, at: at.toISOString() };
}

export function createSharedQueries(schema: string) {
  const s = `"${schema}"`;
  const statement = (name: string, text: string): Statement => ({
    name: `shared_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  return {
    putManifest: statement(
      'put_manifest',
      `with parts as (insert into ${s}.part (manifest, digest) select $1, d from unnest($3::text[]) as d on conflict do nothing)
      insert into ${s}.blob (digest, bytes) values ($1, $2)
      on conflict (digest) do update set bytes = excluded.bytes, put_at = clock_timestamp()`,
    ),
    renewManifest: statement(
      'renew_manifest',
      `update ${s}.blob set put_at = clock_timestamp()
      where digest = $1 and exists (select 1 from ${s}.part p where p.manifest = $1)
        and not exists (select 1 from ${s}.part p where p.manifest = $1
          and not exists (select 1 from ${s}.blob b where b.digest = p.digest)) returning digest`,
    ),
    startOf: statement('start_of', `select entry from ${s}.entry where run = $1 and seq = 0`),
    keptOf: statement('kept_of', `select digest, fault from ${s}.kept_files where run = $1`),
    keep: statement(
      'keep',
      `with fence as (select run from ${s}.run where run = $1 and owner = $2 for share),
      old as (select k.digest from ${s}.kept_files k join fence on fence.run = k.run),
      kept as (insert into ${s}.kept_files (run, digest, fault) select run, $3, $4 from fence
        on conflict (run) do update set digest = excluded.digest, fault = excluded.fault, at = clock_timestamp()),
      named as (insert into ${s}.reference (run, digest) select run, $3 from fence where $3::text is not null on conflict do nothing),
      gone as (delete from ${s}.reference f using old where f.run = $1 and f.digest = old.digest
        and old.digest is distinct from $3 and not exists (
          select 1 from ${s}.entry e where e.run = $1 and e.seq = 0 and position(old.digest in e.entry) > 0))
      select run from fence`,
    ),
    forgetFault: statement('forget_fault', `update ${s}.kept_files set fault = null where run = $1`),
    nameFiles: statement(
      'name_files',
      `with older as (delete from ${s}.workspace where name = $1 and digest <> $2)
      insert into ${s}.workspace (name, digest, files, bytes, source, by) values ($1, $2, $3, $4, $5, $6)
      on conflict (name, digest) do update set source = excluded.source, by = excluded.by, at = clock_timestamp()`,
    ),
    findFiles: statement(
      'find_files',
      `select name, digest, files, bytes, source, by, at from ${s}.workspace where name = $1 order by at desc limit 1`,
    ),
    listFiles: statement(
      'list_files',
      `select distinct on (name) name, digest, files, bytes, source, by, at from ${s}.workspace order by name, at desc`,
    ),
    removeFiles: statement('remove_files', `delete from ${s}.workspace where name = $1 returning name`),
    renewAll: statement(
      'renew_all',
      `update ${s}.blob set put_at = clock_timestamp() where digest = any($1::text[]) returning digest`,
    ),
  } as const satisfies { readonly [name: string]: Statement };
}
