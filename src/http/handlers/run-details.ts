// More of runs over HTTP: pages of journals and values, tests and files of runs, many runs at once.
//
// A value is given by its digest only to a request that names a run which has it: a digest alone opens nothing.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { mayAnswer } from '../../api/role.ts';
import { listAll } from '../../journal/each-run.ts';
import { choosePrunable, pruneRuns } from '../../journal/prune-runs.ts';
import { sweepBlobs } from '../../journal/sweep-blobs.ts';
import { recordedRun } from '../../measure/testing/record/script-of-run.ts';
import { runToTest } from '../../measure/testing/record/run-to-test.ts';
import { skillsOf } from '../../measure/testing/test-skills.ts';
import type { BlobDigest } from '../../ports/blobs.ts';
import type { RunSummary, StoredEntry } from '../../ports/run-store.ts';
import { neededBlobs } from '../../techne/run-file/format.ts';
import { exportRun, renderRunFile } from '../../techne/run-file/move-run.ts';
import { outermost } from '../../techne/seen-run.ts';
import { undoNotes } from '../../techne/undo-run.ts';
import { lastEntry } from '../run-feeds.ts';
import type { ApiService, Call, Handlers } from '../service.ts';
import { useRuns } from '../service.ts';

type Names = 'runJournal' | 'runValue' | 'testOfRun' | 'undoRun' | 'exportRun' | 'cancelRuns' | 'pruneRuns';

const usualEntries = 100;
const usualBytes = 65_536;
const mostNamed = 1_000;

export function runDetailHandlers(service: ApiService): Handlers<Names> {
  const { techne, homeFolder } = service;

  return {
    runJournal: ({ params: { run }, query: { from = 0, limit = usualEntries }, role }) =>
      useRuns(service, async ({ store }) => {
        const { seq: lastSeq } = await lastEntry(store, run);
        const found = from > lastSeq ? [] : (await store.read(run, from)).slice(0, limit);
        const after = (found.at(-1)?.seq ?? lastSeq) + 1;
        return {
          entries: found.map((one) => shownEntry(one, role)),
          next: after > lastSeq ? null : after,
          lastSeq,
        };
      }),

    runValue: ({ params: { run, digest }, query: { offset = 0, limit = usualBytes } }) =>
      useRuns(service, async ({ store, blobs }) => {
        if (!neededBlobs(await store.read(run)).has(digest as BlobDigest))
          throw new TechneError('FILE_MISSING', `run ${run} has no value ${digest}`, {
            hint: 'the entries of its journal name its values',
          });
        const bytes = await blobs.get(digest as BlobDigest);
        const start = Math.min(offset, bytes.length);
        const end = wholeUntil(bytes, Math.min(start + limit, bytes.length));
        return {
          digest,
          bytes: bytes.length,
          offset: start,
          text: new TextDecoder().decode(bytes.subarray(start, end)),
          next: end < bytes.length ? end : null,
        };
      }),

    testOfRun: ({ params: { run }, body }) =>
      useRuns(service, async ({ runner }) => {
        const recorded = await recordedRun((name) => runner.inspect(name), run);
        const { view } = recorded;
        const given = (body as typeof body | null) ?? {};
        const made = await runToTest({
          recorded,
          result: view.endedAt === null ? { envelope: null } : await runner.resume(run),
          name: given.name ?? `as in run ${run.slice(-6)}`,
          skills: skillsOf(techne.snapshot),
        });
        if (!made.ok)
          throw new TechneError('USAGE', `no test can be made of run ${run}: ${made.why.join('; ')}`, {
            hint: 'write one by hand: docs/guide/testing-skills.md',
          });
        const { text, changed, faults, notCompared, secrets } = made;
        return {
          run,
          skill: view.skill.name,
          test: text,
          changed: [...changed],
          faults: faults.map(({ what, message }) => `${what}: ${message}`),
          notCompared: [...notCompared],
          secrets: secrets as unknown as Json,
        };
      }),

    undoRun: ({ params: { run } }) =>
      useRuns(service, async ({ store, blobs, workspace }) => ({
        notes: (await undoNotes(
          techne.library,
          { store, blobs, workspace },
          run,
          join(homeFolder, '.techne'),
        )) as unknown as readonly JsonObject[],
      })),

    exportRun: ({ params: { run } }) =>
      useRuns(service, async (runs) => {
        const bytes = renderRunFile(await exportRun(runs, run));
        return new Response(new Uint8Array(bytes), {
          headers: {
            'content-type': 'text/plain; charset=utf-8',
            'content-disposition': `attachment; filename="${run}.techne-run"`,
            'cache-control': 'no-store',
          },
        });
      }),

    async cancelRuns({ body, identity, left }) {
      const { runs: wanted, reason = 'cancelled over HTTP' } = body;
      const cancelled: string[] = [];
      const refused: { run: string; code: string; message: string }[] = [];
      await useRuns(service, async ({ runner }) => {
        for (const given of new Set(wanted)) {
          if (left.aborted) return;
          try {
            const { run, endedAt, status } = await outermost(runner, given);
            if (endedAt !== null) throw new TechneError('RUN_ENDED', `run ${run} has ended: ${status}`);
            await runner.cancel(run, reason, `${identity.role} ${identity.name}`);
            cancelled.push(given);
          } catch (error) {
            if (!(error instanceof TechneError)) throw error;
            refused.push({ run: given, code: error.code, message: error.message });
          }
        }
      });
      return { cancelled, refused };
    },

    pruneRuns: ({ body }) =>
      useRuns(service, async ({ store, blobs, index }) => {
        const { olderThan, keep, statuses, skill, dryRun = false } = body;
        const options = {
          olderThanMs: olderThan * 1_000,
          ...(keep === undefined ? {} : { keep }),
          ...(statuses === undefined
            ? {}
            : { statuses: statuses.filter((one): one is RunSummary['status'] => one !== 'queued') }),
          ...(skill === undefined ? {} : { skill }),
        };
        const nowMs = service.nowMs();
        const { removed, inUse } = dryRun
          ? { removed: choosePrunable(await listAll(store), options, nowMs), inUse: [] }
          : await pruneRuns(store, options, nowMs, index.bulk);
        const { damaged, ...freed } = dryRun
          ? { blobs: 0, bytes: 0, damaged: [] }
          : await sweepBlobs(store, blobs, nowMs, index.bulk);
        return {
          removed: removed.slice(0, mostNamed).map(({ run }) => run),
          total: removed.length,
          inUse: inUse.map(({ run }) => run),
          dryRun,
          freed,
          damaged: [...damaged],
        };
      }),
  };
}

/** Nonces are only for those who may answer. */
function shownEntry(
  { seq, entry }: StoredEntry,
  role: Call<'runJournal'>['role'],
): { readonly seq: number; readonly entry: JsonObject } {
  const shown =
    entry.type === 'question.asked' && !mayAnswer(role, entry.audience) ? { ...entry, nonce: null } : entry;
  return { seq, entry: shown as unknown as JsonObject };
}

/** The end of a page that cuts no character of UTF-8 in two. */
export function wholeUntil(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && at < bytes.length && end - at < 4 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return at > 0 ? at : end;
}
