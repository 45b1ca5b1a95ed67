// Trust in skills and lasting decisions about their commands, as one table that is also the audit.
import { canonicalJson, parseJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { Approvals } from '../node/commands/approvals.ts';
import type { GivenRecord, GivenTrust } from '../ports/given-trust.ts';
import type { Database } from './database.ts';
import type { Statement } from './queries.ts';

interface GivenRow {
  readonly [name: string]: unknown;
  readonly id: string;
  readonly skill: string;
  readonly digest: string;
  readonly argv: string | null;
  readonly verdict: GivenRecord['verdict'];
  readonly by: string;
  readonly at: Date;
  readonly revoked_by: string | null;
  readonly revoked_at: Date | null;
}

export function createGivenTrust(database: Database): GivenTrust {
  const queries = createGivenQueries(database.address.schema);
  const first = async (statement: Statement, values: readonly unknown[]): Promise<GivenRecord | null> => {
    const [row] = await database.ask<GivenRow>(statement, [...values]);
    return row === undefined ? null : recordOf(row);
  };
  return {
    async grant({ skill, digest, by }) {
      const [row] = await database.ask<GivenRow>(queries.grant, [skill, digest, by], true);
      return recordOf(row as GivenRow);
    },
    async grantUnknown(grants, by) {
      if (grants.length === 0) return 0;
      const values = [grants.map(({ skill }) => skill), grants.map(({ digest }) => digest), by];
      return (await database.ask(queries.grantUnknown, values, true)).length;
    },
    revoke: async (what, by) =>
      (await database.ask<GivenRow>(queries.revoke, [what, by], true)).map(recordOf),
    trustIn: (digest) => first(queries.trustIn, [digest]),
    reliedOn: (digest) => first(queries.reliedOn, [digest]),
    earlier: (skill) => first(queries.earlier, [skill]),
    list: async (limit) => (await database.ask<GivenRow>(queries.list, [limit])).map(recordOf),
  };
}

/** The approvals of the commands of served runs: those of files, with who gave them. */
export function createGivenApprovals(database: Database): Approvals {
  const queries = createGivenQueries(database.address.schema);
  return {
    file: database.address.shown,
    async recall({ skill, digest, argv, cwd, stdin, sandboxed }) {
      const values = [skill, canonicalJson(argv as Json), digest, cwd, stdin, sandboxed];
      const rows = await database.ask<{ verdict: 'always' | 'never' }>(queries.recall, values);
      if (rows.some(({ verdict }) => verdict === 'never')) return 'never';
      return rows.length > 0 ? 'always' : null;
    },
    async remember({ skill, digest, argv, cwd, stdin, sandboxed }, verdict, by = 'the operator') {
      const values = [verdict, skill, digest, canonicalJson(argv as Json), cwd, stdin, sandboxed, by];
      await database.ask(queries.remember, values, true);
    },
  };
}

function recordOf(row: GivenRow): GivenRecord {
  const { id, skill, digest, argv, verdict, by, at, revoked_by: revokedBy, revoked_at: revokedAt } = row;
  return {
    id: Number(id),
    skill,
    digest,
    argv: argv === null ? null : (parseJson(argv) as readonly string[]),
    verdict,
    by,
    at: at.toISOString(),
    revokedBy,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

function createGivenQueries(schema: string) {
  const s = `"${schema}"`;
  const statement = (name: string, text: string): Statement => ({
    name: `given_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  const columns = 'id, skill, digest, argv, verdict, by, at, revoked_by, revoked_at';
  return {
    grant: statement(
      'grant',
      `with made as (
        insert into ${s}.given (verdict, skill, digest, by) values ('trusted', $1, $2, $3)
        on conflict (digest, skill) where verdict = 'trusted' and revoked_at is null do nothing returning ${columns})
      select ${columns} from made
      union all select ${columns} from ${s}.given
        where not exists (select 1 from made) and digest = $2 and skill = $1 and verdict = 'trusted' and revoked_at is null
      limit 1`,
    ),
    grantUnknown: statement(
      'grant_unknown',
      `insert into ${s}.given (verdict, skill, digest, by)
      select 'trusted', g.skill, g.digest, $3 from unnest($1::text[], $2::text[]) as g (skill, digest)
      where not exists (
        select 1 from ${s}.given o where o.digest = g.digest and o.skill = g.skill and o.verdict = 'trusted')
      on conflict (digest, skill) where verdict = 'trusted' and revoked_at is null do nothing returning id`,
    ),
    revoke: statement(
      'revoke',
      `update ${s}.given set revoked_by = $2, revoked_at = clock_timestamp()
      where (digest = $1 or skill = $1) and verdict <> 'never' and revoked_at is null returning ${columns}`,
    ),
    trustIn: statement(
      'trust_in',
      `select ${columns} from ${s}.given where digest = $1 and verdict = 'trusted' and revoked_at is null limit 1`,
    ),
    reliedOn: statement(
      'relied_on',
      `select ${columns} from ${s}.given where digest = $1 and verdict = 'trusted'
      order by revoked_at is null desc, id desc limit 1`,
    ),
    earlier: statement(
      'earlier',
      `select ${columns} from ${s}.given
      where skill = $1 and verdict = 'trusted' and revoked_at is null order by id desc limit 1`,
    ),
    list: statement('list', `select ${columns} from ${s}.given order by id desc limit $1`),
    recall: statement(
      'recall',
      `select verdict from ${s}.given where skill = $1 and argv = $2 and revoked_at is null
        and (verdict = 'never' or (verdict = 'always' and digest = $3 and cwd = $4 and stdin is not distinct from $5
          and ($6::boolean or not sandboxed)))`,
    ),
    // "Never" takes an "always" back.
    remember: statement(
      'remember',
      `with gone as (update ${s}.given set revoked_by = $8, revoked_at = clock_timestamp()
        where $1 = 'never' and skill = $2 and argv = $4 and verdict = 'always' and revoked_at is null)
      insert into ${s}.given (verdict, skill, digest, argv, cwd, stdin, sandboxed, by)
      select $1, $2, $3, $4, $5, $6, $7::boolean, $8 where not exists (
        select 1 from ${s}.given g where g.skill = $2 and g.argv = $4 and g.verdict = $1 and g.revoked_at is null
          and ($1 = 'never' or (g.digest = $3 and g.cwd = $5 and g.stdin is not distinct from $6
            and ($7::boolean or not g.sandboxed))))`,
    ),
  } as const satisfies { readonly [name: string]: Statement };
}
