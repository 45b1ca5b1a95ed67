// Values of the hub as JSON Schema: reports of scans, what would be installed, jobs.
import { list, object } from './object-schema.ts';
import { count, nullableText } from './schemas.ts';

export const texts = list({ type: 'string' });

export const verdict = { enum: ['clean', 'caution', 'incomplete', 'dangerous'] } as const;
export const scope = {
  enum: ['workspace', 'user'],
  description: 'Default: where techne itself would look',
} as const;
export const digest = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' } as const;
export const time = { type: 'integer', description: 'Milliseconds since 1970' } as const;
export const nullableTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;
const fault = {
  type: ['object', 'null'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, hint: nullableText },
  required: ['code', 'message', 'hint'],
} as const;
const finding = object({
  rule: { type: 'string' },
  severity: { enum: ['critical', 'high', 'medium', 'low', 'info'] },
  file: { type: 'string' },
  line: { type: 'integer' },
  column: { type: 'integer' },
  excerpt: { type: 'string' },
  decoded: { ...nullableText, description: 'What it says, where it was hidden' },
  hiddenBy: texts,
  message: { type: 'string' },
  hint: { type: 'string' },
  fingerprint: { type: 'string', description: 'Accepting it names this' },
});
/** The verdict of a scan and why. */
export const report = {
  verdict,
  findings: { type: 'array', items: finding, description: 'At most 200' },
  totalFindings: count,
  accepted: { ...count, description: 'Findings that a person accepted for this content' },
  notScanned: list(object({ file: { type: 'string' }, message: { type: 'string' } })),
  rulesVersion: { type: 'string' },
  scanned: { type: 'string', description: 'The digest of the content that was scanned' },
} as const;
export const reportKeys = [
  'verdict',
  'findings',
  'totalFindings',
  'accepted',
  'notScanned',
  'rulesVersion',
  'scanned',
] as const;
export const notTaken = list(object({ path: { type: 'string' }, reason: { type: 'string' } }));
const shownSkill = {
  type: 'object',
  properties: {
    ...report,
    name: { type: 'string' },
    change: {
      enum: ['new', 'changed', 'same', 'back', 'kept'],
      description: 'back: as the lock says again; kept: the lock would take what is there now',
    },
    digest: { type: 'string', description: 'Of its content: consent names it' },
    before: { ...nullableText, description: 'The digest of what is locked now' },
    form: { type: 'string' },
    description: { type: 'string' },
    from: { type: 'string', description: 'Where the bytes come from' },
    version: { type: 'string' },
    signer: { ...nullableText, description: 'Who signed its hub; null: it is from no hub' },
    source: nullableText,
    warnings: texts,
    wasAgreed: { type: 'boolean', description: 'This content was agreed to on this machine before' },
    decision: object({
      kind: { enum: ['allowed', 'ask', 'refused'] },
      incomplete: {
        type: 'boolean',
        description: 'Not everything could be scanned: consent needs allowIncomplete',
      },
      code: nullableText,
      message: nullableText,
      hint: nullableText,
    }),
    files: list(object({ path: { type: 'string' }, size: count, executable: { type: 'boolean' } })),
    totalFiles: count,
    declared: object({
      tools: texts,
      capabilities: texts,
      risk: nullableText,
      programs: texts,
      variables: texts,
      always: { type: 'boolean', description: 'Its body is in every prompt' },
      installHints: { ...texts, description: 'What its author would run; techne never does' },
    }),
    used: object({ scripts: texts, commands: texts, hosts: texts }),
    shadows: list(
      object({
        folder: { type: 'string' },
        source: { type: 'string' },
        isHidden: { type: 'boolean', description: 'By the new one; false: it hides the new one' },
      }),
    ),
    notTaken,
    leftOut: texts,
    diff: {
      type: ['object', 'null'],
      properties: {
        files: list(
          object({
            path: { type: 'string' },
            what: { enum: ['added', 'removed', 'changed', 'mode'] },
          }),
        ),
        declared: list(object({ what: { type: 'string' }, added: texts, removed: texts })),
        verdict: object({ before: nullableText, after: { type: 'string' } }),
      },
      required: ['files', 'declared', 'verdict'],
    },
    diffFault: { ...nullableText, description: 'Why what is locked cannot be compared with' },
  },
  required: [
    ...reportKeys,
    'name',
    'change',
    'digest',
    'before',
    'form',
    'description',
    'from',
    'version',
    'signer',
    'source',
    'warnings',
    'wasAgreed',
    'decision',
    'files',
    'totalFiles',
    'declared',
    'used',
    'shadows',
    'notTaken',
    'leftOut',
    'diff',
    'diffFault',
  ],
} as const;
const proposal = {
  type: ['object', 'null'],
  description: 'What would be installed, while the job is ready and after it was installed',
  properties: {
    scope: { type: 'string' },
    folder: { type: 'string' },
    skills: list(shownSkill),
    refused: list(
      object({
        name: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
        hint: nullableText,
      }),
    ),
    unchanged: texts,
    pluginParts: {
      type: 'array',
      description: 'What a plugin brings besides: shown, never enabled',
      items: object({ kind: { type: 'string' }, path: { type: 'string' }, summary: { type: 'string' } }),
    },
    notTaken,
  },
  required: ['scope', 'folder', 'skills', 'refused', 'unchanged', 'pluginParts', 'notTaken'],
} as const;
export const job = object({
  id: { type: 'string' },
  kind: { enum: ['add', 'update', 'restore', 'adopt', 'outdated', 'scan'] },
  what: { type: 'string', description: 'The source, or the names' },
  state: {
    enum: ['queued', 'working', 'ready', 'installing', 'installed', 'done', 'failed', 'cancelled', 'expired'],
    description: 'ready: it waits for consent',
  },
  by: { type: 'string' },
  startedAt: time,
  endedAt: nullableTime,
  expiresAt: { ...nullableTime, description: 'When what it fetched is removed' },
  progress: {
    type: ['object', 'null'],
    properties: {
      phase: { enum: ['resolve', 'download', 'unpack', 'scan', 'install'] },
      what: { type: 'string' },
      done: { type: ['integer', 'null'] },
      total: { type: ['integer', 'null'] },
      unit: { enum: ['bytes', 'skills'] },
    },
    required: ['phase', 'what', 'done', 'total', 'unit'],
  },
  error: fault,
});
export const jobResult = object({
  job,
  proposal,
  outdated: {
    type: ['array', 'null'],
    items: object({
      name: { type: 'string' },
      scope: { type: 'string' },
      source: { type: 'string' },
      pinned: { type: 'boolean' },
      current: { type: 'string' },
      latest: { type: 'string' },
      outdated: { type: ['boolean', 'null'], description: 'null: it could not be found out' },
      fault,
    }),
  },
  scanned: {
    type: ['array', 'null'],
    items: {
      type: 'object',
      properties: { ...report, skill: { type: 'string' }, folder: { type: 'string' } },
      required: [...reportKeys, 'skill', 'folder'],
    },
  },
  installed: list(object({ skill: { type: 'string' }, digest: { type: 'string' } })),
});
