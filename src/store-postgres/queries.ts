// Every statement that the store sends, by name.
//
// Each uses an index (queries.test.ts checks their plans with 100,000 runs). Lines of a journal are sent and read as one
// text with a line end between them: JSON has none, and both ends are spared an array of thousands of texts. Liveness is
// judged by the caller, who says which owner and which beat it has judged: a claim fails where either has changed.
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Queries = ReturnType<typeof createQueries>;

export function createQueries(schema: string) {
  const s = `"${schema}"`;
  const lines = (parameter: string): string =>
    `unnest(string_to_array(${parameter}::text, E'\\n')) with ordinality as t(line, at)`;
  /** Blobs that the entries name, so that removal need not read journals. */
  const references = (parameter: string, from: string, run: string): string =>
    `, named as (insert into ${s}.reference (run, digest)
        select ${run}, d.digest from ${from}, unnest(string_to_array(${parameter}::text, ',')) as d(digest)
        on conflict do nothing)`;
  const statement = (name: string, text: string): Statement => ({
    name,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  /** The run and those that it is inside of: where workers drive one of them and it is parked, there is news for it. */
  const woken = (from: string): string =>
    `above as (
        select r.run, r.parent from ${s}.run r where r.run = $1 and exists (select 1 from ${from})
        union select r.run, r.parent from ${s}.run r join above a on r.run = a.parent),
      woken as (update ${s}.served v set seen = null from above where v.run = above.run and v.seen is not null)`;
  const summary = `select r.run, r.skill, r.started_at, r.status, r.ended_at, r.parent, r.workspace, r.owner, w.record,
      w.beat_at < clock_timestamp() - $1 * interval '1 ms' as late
    from ${s}.run r left join ${s}.worker w on w.id = r.owner`;
  /**
   * Equal, and before the cursor ($3), written as a range of the index of both: by an equality the planner may hold the order of all
   * runs for that of these few, and read every run.
   */
  const onlyWith = (column: string, value: string, run: string): string =>
    `(${column}, ${run}) < (${value}, $3) and ${column} >= ${value}`;
  const append = (name: string, withReferences: boolean): Statement =>
    statement(
      name,
      `with fence as (
        update ${s}.run set seq = seq + $4, status = coalesce($6, status), ended_at = coalesce($7, ended_at)
        where run = $1 and epoch = $2 and seq = $3 and owner = $8 returning seq),
      added as (insert into ${s}.entry (run, seq, entry)
        select $1, $3 + t.at::int - 1, t.line from fence, ${lines('$5')})
      ${withReferences ? references('$9', 'fence', '$1') : ''}
      select seq from fence`,
    );
  return {
    create: statement(
      'create',
      `with made as (
        insert into ${s}.run (run, epoch, seq, owner, status, skill, started_at, ended_at, parent, workspace)
        values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning run),
      added as (insert into ${s}.entry (run, seq, entry)
        select $1, t.at::int - 1, t.line from made, ${lines('$10')})
      ${references('$11', 'made', '$1')}
      select run from made`,
    ),
    append: append('append', false),
    appendNaming: append('append_naming', true),
    /** The appends of several runs in one commit. A run whose fence does not hold is missing from the result. */
    appendGroup: statement(
      'append_group',
      `with fence as (
        update ${s}.run r set seq = r.seq + a.n, status = coalesce(a.status, r.status), ended_at = coalesce(a.ended_at, r.ended_at)
        from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::bigint[]) as a(run, epoch, seq, n, status, ended_at)
        where r.run = a.run and r.epoch = a.epoch and r.seq = a.seq and r.owner = $7 returning r.run),
      added as (insert into ${s}.entry (run, seq, entry)
        select f.run, l.seq, l.line from fence f
        join unnest($8::text[], $9::int[], string_to_array($10::text, E'\\n')) as l(run, seq, line) on l.run = f.run),
      named as (insert into ${s}.reference (run, digest)
        select f.run, d.digest from fence f join unnest($11::text[], $12::text[]) as d(run, digest) on d.run = f.run
        on conflict do nothing)
      select run from fence`,
    ),
    /** Who owns a run, and what a take-over is judged by. */
    look: statement(
      'look',
      `select r.epoch, r.seq, r.owner, r.ended_at, w.record, w.beat, pg_postmaster_start_time()::text as server,
        w.beat_at < clock_timestamp() - $2 * interval '1 ms' as late
      from ${s}.run r left join ${s}.worker w on w.id = r.owner where r.run = $1`,
    ),
    /** The epoch that follows the one that was looked at, if its owner is still the one that was judged to be dead. */
    claim: statement(
      'claim',
      `with recursive fence as (
        update ${s}.run r set epoch = r.epoch + 1, seq = r.seq + 1, owner = $4
        where r.run = $1 and r.epoch = $2 and r.owner is not distinct from $3 and r.ended_at is null
          and not exists (select 1 from ${s}.worker w where w.id = $3 and w.beat is distinct from $5::bigint)
        returning r.epoch, r.seq),
      added as (insert into ${s}.entry (run, seq, entry) select $1, f.seq - 1, $6::text from fence f),
      ${woken('fence')}
      select epoch, seq from fence`,
    ),
    release: statement(
      'release',
      `update ${s}.run set owner = null where run = $1 and epoch = $2 and owner = $3`,
    ),
    releaseAll: statement('release_all', `update ${s}.run set owner = null where owner = $1`),
    read: statement(
      'read',
      `select r.epoch, r.seq, (select string_agg(e.entry, E'\\n' order by e.seq) from ${s}.entry e
        where e.run = r.run and e.seq >= $2 and e.seq < $3) as lines
      from ${s}.run r where r.run = $1`,
    ),
    list: statement('list', `${summary} order by r.run desc limit $2`),
    listAfter: statement('list_after', `${summary} where r.run < $3 order by r.run desc limit $2`),
    /** Of a skill; also of a workspace, or with one of these statuses. */
    listOfSkill: statement(
      'list_of_skill',
      `${summary} where ${onlyWith('r.skill', '$4', 'r.run')} and ($5::text is null or r.workspace = $5)
        and ($6::text[] is null or r.status = any($6)) order by r.skill desc, r.run desc limit $2`,
    ),
    listOfWorkspace: statement(
      'list_of_workspace',
      `${summary} where ${onlyWith('r.workspace', '$4', 'r.run')} and ($5::text[] is null or r.status = any($5))
      order by r.workspace desc, r.run desc limit $2`,
    ),
    /** The newest of each status by its index, then of all. Those that have not ended are few: what else is asked is asked of them. */
    listOfStatus: statement(
      'list_of_status',
      `select r.run, r.skill, r.started_at, r.status, r.ended_at, r.parent, r.workspace, r.owner, w.record,
        w.beat_at < clock_timestamp() - $1 * interval '1 ms' as late
      from unnest($4::text[]) as s(status) cross join lateral (
        select * from ${s}.run o where ${onlyWith('o.status', 's.status', 'o.run')} and ($5::text is null or o.skill = $5)
          and ($6::text is null or o.workspace = $6) order by o.status desc, o.run desc limit $2) r
      left join ${s}.worker w on w.id = r.owner order by r.run desc limit $2`,
    ),
    names: statement('names', `select run from ${s}.run order by run desc limit $1`),
    named: statement('named', `select run from ${s}.run where run = $1`),
    beginningOrEnding: statement(
      'beginning_or_ending',
      `select run from ${s}.run where run >= $1 and run < $2
      union select run from ${s}.run where reverse(run) >= $3 and reverse(run) < $4
      order by run desc limit $5`,
    ),
    last: statement(
      'last',
      `select run from (
        (select run from ${s}.run where parent is null and workspace = $1 order by run desc limit 1)
        union all (select run from ${s}.run where parent is null and workspace is null order by run desc limit 1)
      ) newest order by run desc limit 1`,
    ),
    nested: statement(
      'nested',
      `with recursive inside as (
        select run from ${s}.run where parent = $1
        union select r.run from ${s}.run r join inside i on r.parent = i.run)
      select run from inside order by run`,
    ),
    beginExpiry: statement(
      'begin_expiry',
      `insert into ${s}.mark as m (name) values ('expiry')
      on conflict (name) do update set at = clock_timestamp() where m.at < clock_timestamp() - interval '1 day'
      returning name`,
    ),
    /** Ended runs that no process owns, many at a time. */
    removeMany: statement(
      'remove_many',
      `with gone as (delete from ${s}.run where run = any($1::text[]) and ended_at is not null and owner is null returning run),
      entries as (delete from ${s}.entry e using gone where e.run = gone.run),
      messages as (delete from ${s}.inbox i using gone where i.run = gone.run),
      named as (delete from ${s}.reference f using gone where f.run = gone.run),
      kept as (delete from ${s}.kept_files k using gone where k.run = gone.run)
      select run from gone`,
    ),
    /** Once for each token, however often it is sent. */
    post: statement(
      'post',
      `with recursive added as (insert into ${s}.inbox (run, message, token) select run, $2, $3 from ${s}.run where run = $1
        on conflict (token) do nothing returning run),
      ${woken('added')}
      select run from ${s}.run where run = $1`,
    ),
    messages: statement('messages', `select id, message from ${s}.inbox where run = $1 order by id`),
    acknowledge: statement(
      'acknowledge',
      `with fence as (select run from ${s}.run where run = $1 and epoch = $2 and owner = $3 for share),
      gone as (delete from ${s}.inbox i using fence where i.run = fence.run and i.id = $4)
      select run from fence`,
    ),
    remove: statement(
      'remove',
      `with gone as (
        delete from ${s}.run r where r.run = $1 and r.epoch = $2 and r.owner is not distinct from $3
          and (r.ended_at is not null or $5)
          and not exists (select 1 from ${s}.worker w where w.id = $3 and w.beat is distinct from $4::bigint)
        returning run),
      entries as (delete from ${s}.entry e using gone where e.run = gone.run),
      messages as (delete from ${s}.inbox i using gone where i.run = gone.run),
      named as (delete from ${s}.reference f using gone where f.run = gone.run),
      kept as (delete from ${s}.kept_files k using gone where k.run = gone.run)
      select run from gone`,
    ),
    /** For the poll: how far the journals of these runs are. */
    lengths: statement('lengths', `select run, seq from ${s}.run where run = any($1::text[])`),
    waiting: statement('waiting', `select run, id from ${s}.inbox where run = any($1::text[])`),
    beat: statement(
      'beat',
      `insert into ${s}.worker (id, record, beat, queues) values ($1, $2, 1, $3)
      on conflict (id) do update set beat = ${s}.worker.beat + 1, beat_at = clock_timestamp(), queues = excluded.queues`,
    ),
    beats: statement(
      'beats',
      `select id, beat, pg_postmaster_start_time()::text as server from ${s}.worker where id = any($1::text[])`,
    ),
    allBeats: statement(
      'all_beats',
      `select id, record, beat, queues, pg_postmaster_start_time()::text as server from ${s}.worker`,
    ),
    leave: statement('leave', `delete from ${s}.worker where id = $1`),
    /** Processes that ended without a word, once nothing is theirs. */
    forget: statement(
      'forget',
      `delete from ${s}.worker w where w.beat_at < clock_timestamp() - interval '1 day'
        and not exists (select 1 from ${s}.run r where r.owner = w.id)`,
    ),
    notify: statement('notify', `select pg_notify($1, $2)`),
    putBlob: statement(
      'put_blob',
      `insert into ${s}.blob (digest, bytes) values ($1, $2)
      on conflict (digest) do update set bytes = excluded.bytes, put_at = clock_timestamp()`,
    ),
    /**
     * Makes a blob that is there and whole young again; nothing where it is not. One that is young is only looked at: those who put the
     * same content at the same time need not wait for each other. A sweep takes what is older than an hour.
     */
    renewBlob: statement(
      'renew_blob',
      `with found as (select b.digest, b.put_at > clock_timestamp() - interval '10 minutes' as young from ${s}.blob b
        where b.digest = $1 and sha256(b.bytes) = $2),
      renewed as (update ${s}.blob b set put_at = clock_timestamp() from found f where b.digest = f.digest and not f.young
        returning b.digest)
      select digest from found where young union all select digest from renewed`,
    ),
    getBlob: statement('get_blob', `select bytes from ${s}.blob where digest = $1`),
    hasBlob: statement('has_blob', `select 1 from ${s}.blob where digest = $1`),
    listBlobs: statement(
      'list_blobs',
      `select digest, octet_length(bytes) as bytes, floor(extract(epoch from put_at) * 1000)::bigint as put_at_ms from ${s}.blob`,
    ),
    removeBlobs: statement(
      'remove_blobs',
      `delete from ${s}.blob where digest = any($1::text[]) and put_at < to_timestamp($2::double precision / 1000)
      returning octet_length(bytes) as bytes`,
    ),
    /**
     * Those that no run, manifest or workspace names and that were not put since. A look for each of them: a join may read
     * all references. What only a removed manifest named is removed the next time.
     */
    sweepBlobs: statement(
      'sweep_blobs',
      `with gone as (
        delete from ${s}.blob b where b.put_at < to_timestamp($1::double precision / 1000)
          and (select f.run from ${s}.reference f where f.digest = b.digest limit 1) is null
          and (select p.manifest from ${s}.part p where p.digest = b.digest limit 1) is null
          and (select w.name from ${s}.workspace w where w.digest = b.digest limit 1) is null
        returning b.digest, octet_length(b.bytes) as bytes),
      parts as (delete from ${s}.part p using gone where p.manifest = gone.digest)
      select bytes from gone`,
    ),
  } as const satisfies { readonly [name: string]: Statement };
}
