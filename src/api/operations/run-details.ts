// More of runs: their journals and large values in pages, tests and files of them, and what an operator does to many at once.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, runId, skillName, statuses } from '../schemas.ts';

const tag = 'runs';
const params = { run: runId } as const;
const texts = list({ type: 'string' });
const age = {
  type: 'integer',
  minimum: 0,
  maximum: 315_360_000,
  description: 'Only runs that began at least this many seconds ago',
} as const;

export const runDetailOperations = {
  runJournal: {
    method: 'GET',
    path: '/v1/runs/{run}/journal',
    tag,
    summary: 'A page of the entries of its journal, as they are',
    role: 'viewer',
    params,
    query: {
      from: { ...count, description: 'The first number. Default: 0' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    },
    status: 200,
    answers: 'json',
    response: object({
      entries: list(object({ seq: count, entry: { type: 'object', additionalProperties: true } })),
      next: { type: ['integer', 'null'], description: 'For the next page; null: there is none yet' },
      lastSeq: { type: 'integer' },
    }),
  },
  runValue: {
    method: 'GET',
    path: '/v1/runs/{run}/values/{digest}',
    tag,
    summary:
      'A page of the text of a value that was too large for an entry of this run, or of a file that it executes',
    role: 'viewer',
    params: { run: runId, digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' } },
    query: {
      offset: { ...count, description: 'The first byte. Default: 0' },
      limit: { type: 'integer', minimum: 1, maximum: 262_144, description: 'Bytes. Default: 65536' },
    },
    status: 200,
    answers: 'json',
    response: object({
      digest: { type: 'string' },
      bytes: count,
      offset: count,
      text: { type: 'string', description: 'Bytes that are not UTF-8 are replaced' },
      next: { type: ['integer', 'null'], description: 'The offset of the next page' },
    }),
  },
  testOfRun: {
    method: 'POST',
    path: '/v1/runs/{run}/to-test',
    tag,
    summary: 'Make a test of a run: the text of its file. Nothing is written',
    role: 'runner',
    params,
    body: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 200 } },
      additionalProperties: false,
    },
    bodyOptional: true,
    status: 200,
    answers: 'json',
    response: object({
      run: { type: 'string' },
      skill: { type: 'string' },
      test: { type: 'string' },
      changed: { ...texts, description: 'Skills that changed since this run' },
      faults: { ...texts, description: 'What of the test fails now' },
      notCompared: texts,
      secrets: { description: 'What was taken out' },
    }),
  },
  undoRun: {
    method: 'POST',
    path: '/v1/runs/{run}/undo',
    tag,
    summary: 'Take back the notes that a run wrote',
    role: 'operator',
    params,
    status: 200,
    answers: 'json',
    response: object({ notes: list({ type: 'object', additionalProperties: true }) }),
  },
  exportRun: {
    method: 'GET',
    path: '/v1/runs/{run}/export',
    tag,
    summary:
      'The run with those inside of it as one file, for techne runs import. It holds open questions with their nonces',
    role: 'operator',
    params,
    status: 200,
    answers: 'text',
  },
  cancelRuns: {
    method: 'POST',
    path: '/v1/bulk/cancel-runs',
    tag,
    summary: 'Cancel several runs; those that have ended or are not there are named',
    role: 'operator',
    body: closed(
      {
        runs: { type: 'array', items: runId, minItems: 1, maxItems: 200 },
        reason: { type: 'string', maxLength: 1_000 },
      },
      ['reason'],
    ),
    status: 200,
    answers: 'json',
    response: object({
      cancelled: texts,
      refused: list(
        object({ run: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } }),
      ),
    }),
  },
  pruneRuns: {
    method: 'POST',
    path: '/v1/bulk/prune-runs',
    tag,
    summary: 'Remove ended runs, and content that no run needs',
    role: 'operator',
    body: closed(
      {
        olderThan: age,
        keep: { type: 'integer', minimum: 0, maximum: 1_000_000 },
        statuses: { type: 'array', items: { enum: statuses }, maxItems: 10 },
        skill: skillName,
        dryRun: { type: 'boolean', description: 'Only say what would be removed' },
      },
      ['keep', 'statuses', 'skill', 'dryRun'],
    ),
    status: 200,
    answers: 'json',
    response: object({
      removed: { ...texts, description: 'The first 1,000 of them' },
      total: { ...count, description: 'How many in all' },
      inUse: texts,
      dryRun: { type: 'boolean' },
      freed: object({ blobs: count, bytes: count }),
      damaged: texts,
    }),
  },
} as const satisfies { readonly [name: string]: Operation };
