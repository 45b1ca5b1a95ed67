// The values that the API takes and gives, as JSON Schema: their types come from them (from-schema.ts).
//
// Each of `components` has a name in the OpenAPI document. Objects that we give may get further keys; those that we take may not.
import { roles } from './role.ts';

export const nullableText = { type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'integer', description: 'Milliseconds since 1970' } as const;
const nullableTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;

export const runId = {
  type: 'string',
  pattern: '^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$',
  description: 'The id of a run',
} as const;
export const questionId = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[0-9A-Za-z_-]+$',
} as const;
export const proposalId = {
  type: 'string',
  minLength: 3,
  maxLength: 64,
  pattern: '^[0-9A-Za-z_-]+$',
} as const;
export const skillName = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'The name of a skill',
} as const;
export const waitSeconds = {
  type: 'integer',
  minimum: 0,
  maximum: 60,
  description: 'How long to wait until the run ends or pauses, in seconds',
} as const;

export const audiences = ['caller', 'person', 'operator'] as const;
export const statuses = [
  'queued',
  'running',
  'paused',
  'needs_decision',
  'completed',
  'failed',
  'cancelled',
  'partial',
  'interrupted',
  'corrupt',
] as const;

export const runError = {
  type: ['object', 'null'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
} as const;

export const limits = {
  type: 'object',
  description: 'Within the maximum of the host',
  properties: {
    asks: count,
    commands: count,
    wallMs: { type: 'integer', minimum: 1 },
  },
  additionalProperties: false,
} as const;

export const runSummary = {
  type: 'object',
  properties: {
    run: { type: 'string' },
    skill: { type: 'string' },
    status: { enum: statuses },
    startedAt: time,
    endedAt: nullableTime,
    parent: { ...nullableText, description: 'The run that it is nested in' },
    workspace: nullableText,
  },
  required: ['run', 'skill', 'status', 'startedAt', 'endedAt', 'parent', 'workspace'],
} as const;

export const question = {
  type: 'object',
  properties: {
    run: { type: 'string', description: 'The run that asks: the outermost one, or one nested in it' },
    outermost: { type: 'string', description: 'The run that continues after the answer' },
    skill: { type: 'string' },
    id: { type: 'string' },
    nonce: { ...nullableText, description: 'Goes back with the answer; null for a role that may not answer' },
    audience: { enum: audiences },
    role: { enum: roles, description: 'The least role that may answer' },
    kind: { type: 'string', description: 'form, approval or ask' },
    key: { type: 'string', description: 'The call that waits' },
    question: {},
    expiresAt: nullableTime,
  },
  required: [
    'run',
    'outermost',
    'skill',
    'id',
    'nonce',
    'audience',
    'role',
    'kind',
    'key',
    'question',
    'expiresAt',
  ],
} as const;

export const undecided = {
  type: 'object',
  properties: {
    run: { type: 'string' },
    key: { type: 'string' },
    kind: { type: 'string' },
    request: {},
  },
  required: ['run', 'key', 'kind', 'request'],
} as const;

export const run = {
  type: 'object',
  properties: {
    ...runSummary.properties,
    form: { type: 'string' },
    digest: { type: 'string', description: 'Of the content of the skill that runs' },
    lastSeq: { type: 'integer', minimum: -1, description: 'The number of its last entry' },
    text: { ...nullableText, description: 'The result as text, once it has ended' },
    envelope: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The structured result, once it has ended well',
    },
    error: runError,
    cancelled: {
      type: ['object', 'null'],
      properties: { by: { type: 'string' }, reason: { type: 'string' } },
      required: ['by', 'reason'],
    },
    questions: { type: 'array', items: question, description: 'The open ones, also of nested runs' },
    undecided: {
      type: 'array',
      items: undecided,
      description: 'Calls with an unknown outcome, which an operator decides',
    },
    usage: { type: 'object', additionalProperties: true },
    details: {
      type: 'object',
      description: 'With ?details=true: what the run was given and did',
      additionalProperties: true,
    },
  },
  required: [
    ...runSummary.required,
    'form',
    'digest',
    'lastSeq',
    'text',
    'envelope',
    'error',
    'cancelled',
    'questions',
    'undecided',
    'usage',
  ],
} as const;

export const diagnostic = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    severity: { enum: ['error', 'warning', 'info'] },
    path: { type: 'string' },
    line: { type: ['integer', 'null'] },
    column: { type: ['integer', 'null'] },
    endLine: { type: ['integer', 'null'] },
    endColumn: { type: ['integer', 'null'] },
    message: { type: 'string' },
    hint: nullableText,
  },
  required: ['code', 'severity', 'path', 'line', 'column', 'message', 'hint'],
} as const;

export const fact = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    reasons: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' }, hint: nullableText },
        required: ['code', 'message', 'hint'],
      },
    },
  },
  required: ['ok', 'reasons'],
} as const;

export const facts = {
  type: 'object',
  properties: {
    sound: fact,
    ready: fact,
    visibleToUser: fact,
    visibleToModel: fact,
    listed: fact,
    runnable: { anyOf: [fact, { type: 'null' }] },
  },
  required: ['sound', 'ready', 'visibleToUser', 'visibleToModel', 'listed', 'runnable'],
} as const;

export const skillSummary = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    form: { type: 'string' },
    source: { type: 'string' },
    host: { type: 'string' },
    path: { type: 'string' },
    ready: { type: 'boolean' },
    visible: {
      type: 'object',
      properties: { user: { type: 'boolean' }, model: { type: 'boolean' } },
      required: ['user', 'model'],
    },
    listed: { type: 'boolean' },
    executable: { type: 'boolean' },
    shadows: { type: 'array', items: { type: 'string' } },
  },
  required: [
    'name',
    'description',
    'form',
    'source',
    'host',
    'path',
    'ready',
    'visible',
    'listed',
    'executable',
    'shadows',
  ],
} as const;

export const match = {
  type: 'object',
  properties: {
    skill: { type: 'string' },
    mode: { type: 'string' },
    confidence: { type: 'number' },
    reason: { type: 'string' },
  },
  required: ['skill', 'mode', 'confidence', 'reason'],
} as const;

export const proposal = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { type: 'string' },
    skill: { type: 'string' },
    state: { type: 'string' },
    base: { ...nullableText, description: 'The digest of the files that it was made from' },
    candidate: { ...nullableText, description: 'The digest of the files as they would be' },
    why: { type: 'string' },
    newName: nullableText,
    folder: { type: 'string' },
    madeAt: { type: 'string' },
    origin: { description: 'Who proposed it, and where' },
  },
  required: [
    'id',
    'kind',
    'skill',
    'state',
    'base',
    'candidate',
    'why',
    'newName',
    'folder',
    'madeAt',
    'origin',
  ],
} as const;

export const problem = {
  type: 'object',
  description: 'What went wrong, as RFC 9457 has it, with our code and hint',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    hint: nullableText,
    faults: { type: 'array', items: { type: 'string' }, description: 'Of a request that does not fit' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
} as const;

export const components = {
  Run: run,
  RunSummary: runSummary,
  Question: question,
  UndecidedCall: undecided,
  Limits: limits,
  Skill: skillSummary,
  Facts: facts,
  Fact: fact,
  Match: match,
  Diagnostic: diagnostic,
  Proposal: proposal,
  Problem: problem,
} as const;
