// Skills of others: hubs, what is installed and whether it is as locked, and the jobs that fetch, show and install.
//
// Whatever fetches is a job: it is started, followed on `GET /v1/changes`, and what it shows is agreed to by digest.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import {
  digest,
  job,
  jobResult,
  notTaken,
  nullableTime,
  report,
  reportKeys,
  scope,
  texts,
  time,
  verdict,
} from '../hub-schemas.ts';
import { count, nullableText, runId, skillName } from '../schemas.ts';

const tag = 'hub';
const jobId = { ...runId, description: 'The id of a job' } as const;
const names = { type: 'array', items: skillName, minItems: 1, maxItems: 200 } as const;
const skillParams = { skill: skillName } as const;
const jobParams = { job: jobId } as const;

export const hubOperations = {
  listInstalled: {
    method: 'GET',
    path: '/v1/hub/installed',
    tag,
    summary: 'Installed skills, and whether they are as their lock says, file by file',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({
      places: list(
        object({
          scope: { type: 'string' },
          folder: { type: 'string' },
          lock: { type: 'string' },
          hasLock: { type: 'boolean' },
        }),
      ),
      skills: list(
        object({
          name: { type: 'string' },
          scope: { enum: ['workspace', 'user'] },
          digest: { type: 'string' },
          verdict,
          files: count,
          source: { type: 'string' },
          from: { type: 'string', description: 'Where the bytes come from' },
          version: { type: 'string' },
          signer: nullableText,
          hasOtherSource: {
            type: 'boolean',
            description: 'The lock names a source that is not where the bytes come from',
          },
          pinned: { type: 'boolean' },
          adopted: { type: 'boolean' },
          trusted: { type: 'boolean' },
          drift: { ...texts, description: 'What differs, as sentences; none: it is as locked' },
          driftFiles: list(
            object({
              path: { type: 'string' },
              what: { enum: ['changed', 'mode', 'added', 'missing', 'not-a-file'] },
            }),
          ),
          added: { ...texts, description: 'In its folder, and no part of a skill' },
          isMissing: { type: 'boolean' },
          hint: { type: 'string', description: 'What can be done about drift' },
        }),
      ),
      notInLock: {
        type: 'array',
        description: 'Installed on this machine, and gone from the lock',
        items: object({
          name: { type: 'string' },
          scope: { enum: ['workspace', 'user'] },
          hint: { type: 'string' },
        }),
      },
    }),
  },
  removeInstalled: {
    method: 'POST',
    path: '/v1/hub/installed/{skill}/remove',
    tag,
    summary: 'Remove an installed skill, its entry in the lock and the trust in it',
    role: 'operator',
    params: skillParams,
    body: {
      type: 'object',
      properties: {
        scope,
        force: { type: 'boolean', description: 'Also with changes that are lost with it' },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    status: 200,
    answers: 'json',
    response: object({ name: { type: 'string' }, scope: { type: 'string' } }),
  },
  pinInstalled: {
    method: 'POST',
    path: '/v1/hub/installed/{skill}/pin',
    tag,
    summary: 'Keep updates from changing a skill, or let them',
    role: 'operator',
    params: skillParams,
    body: closed({ scope, pinned: { type: 'boolean' } }, ['scope']),
    status: 200,
    answers: 'json',
    response: object({
      name: { type: 'string' },
      pinned: { type: 'boolean' },
      changed: { type: 'boolean' },
    }),
  },
  searchHubs: {
    method: 'GET',
    path: '/v1/hub/search',
    tag,
    summary: 'Search the configured hubs (hub.indexes); their indexes are kept for a minute',
    role: 'viewer',
    query: {
      query: { type: 'string', maxLength: 500 },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      fresh: { type: 'boolean', description: 'Read the indexes now' },
    },
    status: 200,
    answers: 'json',
    response: object({
      indexes: { ...texts, description: 'hub.indexes of the configuration' },
      readAt: nullableTime,
      total: count,
      hubs: list(
        object({
          address: { type: 'string' },
          title: nullableText,
          skills: count,
          signer: { type: 'string' },
          skipped: notTaken,
        }),
      ),
      results: list(
        object({
          name: { type: 'string' },
          description: { type: 'string' },
          version: nullableText,
          hub: { type: 'string' },
          source: { type: 'string', description: 'Of the job that adds it' },
          signer: { type: 'string' },
          isTrusted: { type: 'boolean', description: 'You trust the key of its publisher' },
          reason: { ...nullableText, description: 'Why it fits; null: it has the words' },
          installed: {
            type: 'array',
            items: { enum: ['workspace', 'user'] },
            description: 'Where a skill of this name is installed',
          },
        }),
      ),
      failures: list(
        object({
          hub: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          hint: nullableText,
        }),
      ),
    }),
  },
  listHubKeys: {
    method: 'GET',
    path: '/v1/hub/keys',
    tag,
    summary:
      'The keys that are trusted, those to sign with, and the key of each signed hub. The command line changes them',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({
      own: list(
        object({
          name: { type: 'string' },
          keyId: { type: 'string' },
          fingerprint: { type: 'string' },
        }),
      ),
      trusted: list(
        object({
          name: { type: 'string' },
          keyId: { type: 'string' },
          fingerprint: { type: 'string' },
          trustedAt: { type: 'string' },
        }),
      ),
      hubs: list(
        object({
          hub: { type: 'string' },
          keyId: { type: 'string' },
          fingerprint: { type: 'string' },
          trustedAs: nullableText,
        }),
      ),
    }),
  },
  listHubDecisions: {
    method: 'GET',
    path: '/v1/hub/decisions',
    tag,
    summary: 'Who installed, updated, kept or removed which content over HTTP, the newest first',
    role: 'viewer',
    query: { limit: { type: 'integer', minimum: 1, maximum: 500 } },
    status: 200,
    answers: 'json',
    response: object({
      decisions: list(
        object({
          at: time,
          by: { type: 'string' },
          act: { enum: ['install', 'update', 'restore', 'adopt', 'remove', 'pin', 'unpin', 'accept'] },
          scope: nullableText,
          skill: { type: 'string' },
          digest: nullableText,
          before: nullableText,
          verdict: nullableText,
          source: nullableText,
        }),
      ),
    }),
  },
  listHubJobs: {
    method: 'GET',
    path: '/v1/hub/jobs',
    tag,
    summary: 'Jobs of this server, the newest first',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({ jobs: list(job) }),
  },
  startHubJob: {
    method: 'POST',
    path: '/v1/hub/jobs',
    tag,
    summary:
      'Fetch a source or updates, or look at a changed skill, and show what would be installed. Nothing is installed before it is agreed to',
    role: 'operator',
    body: closed(
      {
        kind: { enum: ['add', 'update', 'restore', 'adopt', 'outdated'] },
        source: {
          type: 'string',
          minLength: 1,
          maxLength: 2_000,
          description: 'Of add: as techne add takes it; paths start at the workspace',
        },
        skills: { ...names, description: 'Of add: only these of the source. Of the others: of the lock' },
        expect: {
          type: 'array',
          items: digest,
          maxItems: 200,
          description: 'Of add: the content that it must have, such as of a version that is very new',
        },
        scope,
      },
      ['source', 'skills', 'expect', 'scope'],
    ),
    status: 202,
    answers: 'json',
    response: job,
  },
  startScan: {
    method: 'POST',
    path: '/v1/scans',
    tag,
    summary:
      'Scan skills, as a job: all of them, some, or folders of the workspace. Nothing of them is executed',
    role: 'runner',
    body: {
      type: 'object',
      properties: {
        targets: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 1_024 },
          maxItems: 200,
          description: 'Names of skills, and folders of the workspace. Default: every skill',
        },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    status: 202,
    answers: 'json',
    response: job,
  },
  getHubJob: {
    method: 'GET',
    path: '/v1/hub/jobs/{job}',
    tag,
    summary: 'A job with what it found: what would be installed, what is outdated, or the verdicts',
    role: 'viewer',
    params: jobParams,
    status: 200,
    answers: 'json',
    response: jobResult,
  },
  hubJobFile: {
    method: 'GET',
    path: '/v1/hub/jobs/{job}/file',
    tag,
    summary:
      'A file of a skill that waits for consent, and what is there now. Invisible characters are escaped',
    role: 'viewer',
    params: jobParams,
    query: { skill: skillName, path: { type: 'string', minLength: 1, maxLength: 1_024 } },
    needsQuery: ['skill', 'path'],
    status: 200,
    answers: 'json',
    response: object({
      path: { type: 'string' },
      before: nullableText,
      after: nullableText,
      beforeBytes: { type: ['integer', 'null'], description: 'null: there is no such file' },
      afterBytes: { type: ['integer', 'null'] },
      isText: { type: 'boolean' },
      isCut: { type: 'boolean', description: 'Only the first 256 KiB are given' },
    }),
  },
  cancelHubJob: {
    method: 'POST',
    path: '/v1/hub/jobs/{job}/cancel',
    tag,
    summary: 'Stop a job, and remove what it fetched. Scans: runners; all others: operators',
    role: 'runner',
    params: jobParams,
    status: 200,
    answers: 'json',
    response: job,
  },
  agreeHubJob: {
    method: 'POST',
    path: '/v1/hub/jobs/{job}/agree',
    tag,
    summary: 'Install exactly what was shown, all of it or nothing. The digests say what was looked at',
    role: 'operator',
    params: jobParams,
    body: closed({
      skills: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        items: closed(
          {
            name: skillName,
            digest,
            allowIncomplete: {
              type: 'boolean',
              description: 'Consent to content that could not be wholly scanned',
            },
          },
          ['allowIncomplete'],
        ),
      },
    }),
    status: 200,
    answers: 'json',
    response: jobResult,
  },
  acceptFindings: {
    method: 'POST',
    path: '/v1/skills/{skill}/findings/accept',
    tag,
    summary: 'Accept findings of a scan of this content. They count again when the files or the rules change',
    role: 'operator',
    params: skillParams,
    body: closed({
      fingerprints: {
        type: 'array',
        items: { type: 'string', minLength: 8, maxLength: 128 },
        minItems: 1,
        maxItems: 200,
      },
      digest: { type: 'string', minLength: 1, maxLength: 128, description: 'scanned, of the report' },
      rulesVersion: { type: 'string', minLength: 1, maxLength: 128 },
      reason: { type: 'string', minLength: 3, maxLength: 1_000 },
    }),
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { ...report, skill: { type: 'string' } },
      required: [...reportKeys, 'skill'],
    },
  },
} as const satisfies { readonly [name: string]: Operation };
