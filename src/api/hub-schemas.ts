// Values of the hub as JSON Schema: reports of scans, what would be installed, jobs.
import { count, nullableText } from './schemas.ts';

export const texts = { type: 'array', items: { type: 'string' } } as const;

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
const finding = {
  type: 'object',
  properties: {
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
  },
  required: [
    'rule',
    'severity',
    'file',
    'line',
    'column',
    'excerpt',
    'decoded',
    'hiddenBy',
    'message',
    'hint',
    'fingerprint',
  ],
} as const;
/** The verdict of a scan and why. */
export const report = {
  verdict,
  findings: { type: 'array', items: finding, description: 'At most 200' },
  totalFindings: count,
  accepted: { ...count, description: 'Findings that a person accepted for this content' },
  notScanned: {
    type: 'array',
    items: {
      type: 'object',
      properties: { file: { type: 'string' }, message: { type: 'string' } },
      required: ['file', 'message'],
    },
  },
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
export const notTaken = {
  type: 'array',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, reason: { type: 'string' } },
    required: ['path', 'reason'],
  },
} as const;
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
    decision: {
      type: 'object',
      properties: {
        kind: { enum: ['allowed', 'ask', 'refused'] },
        incomplete: {
          type: 'boolean',
          description: 'Not everything could be scanned: consent needs allowIncomplete',
        },
        code: nullableText,
        message: nullableText,
        hint: nullableText,
      },
      required: ['kind', 'incomplete', 'code', 'message', 'hint'],
    },
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, size: count, executable: { type: 'boolean' } },
        required: ['path', 'size', 'executable'],
      },
    },
    totalFiles: count,
    declared: {
      type: 'object',
      properties: {
        tools: texts,
        capabilities: texts,
        risk: nullableText,
        programs: texts,
        variables: texts,
        always: { type: 'boolean', description: 'Its body is in every prompt' },
        installHints: { ...texts, description: 'What its author would run; techne never does' },
      },
      required: ['tools', 'capabilities', 'risk', 'programs', 'variables', 'always', 'installHints'],
    },
    used: {
      type: 'object',
      properties: { scripts: texts, commands: texts, hosts: texts },
      required: ['scripts', 'commands', 'hosts'],
    },
    shadows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          folder: { type: 'string' },
          source: { type: 'string' },
          isHidden: { type: 'boolean', description: 'By the new one; false: it hides the new one' },
        },
        required: ['folder', 'source', 'isHidden'],
      },
    },
    notTaken,
    leftOut: texts,
    diff: {
      type: ['object', 'null'],
      properties: {
        files: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              what: { enum: ['added', 'removed', 'changed', 'mode'] },
            },
            required: ['path', 'what'],
          },
        },
        declared: {
          type: 'array',
          items: {
            type: 'object',
            properties: { what: { type: 'string' }, added: texts, removed: texts },
            required: ['what', 'added', 'removed'],
          },
        },
        verdict: {
          type: 'object',
          properties: { before: nullableText, after: { type: 'string' } },
          required: ['before', 'after'],
        },
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
    skills: { type: 'array', items: shownSkill },
    refused: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          hint: nullableText,
        },
        required: ['name', 'code', 'message', 'hint'],
      },
    },
    unchanged: texts,
    pluginParts: {
      type: 'array',
      description: 'What a plugin brings besides: shown, never enabled',
      items: {
        type: 'object',
        properties: { kind: { type: 'string' }, path: { type: 'string' }, summary: { type: 'string' } },
        required: ['kind', 'path', 'summary'],
      },
    },
    notTaken,
  },
  required: ['scope', 'folder', 'skills', 'refused', 'unchanged', 'pluginParts', 'notTaken'],
} as const;
export const job = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { enum: ['add', 'update', 'restore', 'adopt', 'outdated', 'scan'] },
    what: { type: 'string', description: 'The source, or the names' },
    state: {
      enum: [
        'queued',
        'working',
        'ready',
        'installing',
        'installed',
        'done',
        'failed',
        'cancelled',
        'expired',
      ],
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
  },
  required: ['id', 'kind', 'what', 'state', 'by', 'startedAt', 'endedAt', 'expiresAt', 'progress', 'error'],
} as const;
export const jobResult = {
  type: 'object',
  properties: {
    job,
    proposal,
    outdated: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          scope: { type: 'string' },
          source: { type: 'string' },
          pinned: { type: 'boolean' },
          current: { type: 'string' },
          latest: { type: 'string' },
          outdated: { type: ['boolean', 'null'], description: 'null: it could not be found out' },
          fault,
        },
        required: ['name', 'scope', 'source', 'pinned', 'current', 'latest', 'outdated', 'fault'],
      },
    },
    scanned: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { ...report, skill: { type: 'string' }, folder: { type: 'string' } },
        required: [...reportKeys, 'skill', 'folder'],
      },
    },
    installed: {
      type: 'array',
      items: {
        type: 'object',
        properties: { skill: { type: 'string' }, digest: { type: 'string' } },
        required: ['skill', 'digest'],
      },
    },
  },
  required: ['job', 'proposal', 'outdated', 'scanned', 'installed'],
} as const;
