// The values that the API takes and gives, as JSON Schema: their types come from them (from-schema.ts).
//
// Each of `components` has a name in the OpenAPI document. Objects that we give may get further keys; those that we take may not.
import { list, object } from './object-schema.ts';
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

const runError = {
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

export const runSummary = object({
  run: { type: 'string' },
  skill: { type: 'string' },
  status: { enum: statuses },
  startedAt: time,
  endedAt: nullableTime,
  parent: { ...nullableText, description: 'The run that it is nested in' },
  workspace: nullableText,
});

export const question = object({
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
  workspace: { ...nullableText, description: 'The folder of the run' },
});

export const undecided = object({
  run: { type: 'string' },
  key: { type: 'string' },
  kind: { type: 'string' },
  request: {},
});

export const limit = object({
  kind: { type: 'string', enum: ['all', 'queue', 'skill'] },
  name: { type: 'string', description: 'Of the queue or the skill; empty for all runs' },
  concurrency: { type: ['integer', 'null'], description: 'Runs at a time on all workers' },
  rate: {
    type: ['object', 'null'],
    properties: { runs: count, seconds: count },
    required: ['runs', 'seconds'],
    description: 'Runs that begin in any period of this length',
  },
  driven: { ...count, description: 'Runs that workers drive now' },
  begun: { ...count, description: 'Runs that began in the last period' },
  queued: { ...count, description: 'Runs that wait for a worker' },
});

/** What a person allowed workers to execute. */
export const given = object({
  id: { type: 'integer' },
  skill: { type: 'string' },
  digest: { type: 'string', description: 'Of all files of the skill' },
  argv: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Of a command: its words; null: the skill itself may be executed',
  },
  verdict: { enum: ['trusted', 'always', 'never'] },
  by: { type: 'string' },
  at: { type: 'string' },
  revokedBy: nullableText,
  revokedAt: nullableText,
});

export const run = object(
  {
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
    waitsFor: {
      ...nullableText,
      description: 'Of a run that is queued for workers: why it has not begun, such as a limit',
    },
    trust: {
      ...given,
      type: ['object', 'null'],
      description: 'Of a run of workers: the trust that it relies on, and who gave it; null: there is none',
    },
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
  ['waitsFor', 'trust', 'details'],
);

export const diagnostic = object(
  {
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
  ['endLine', 'endColumn'],
);

export const fact = object({
  ok: { type: 'boolean' },
  reasons: list(object({ code: { type: 'string' }, message: { type: 'string' }, hint: nullableText })),
});

export const facts = object({
  sound: fact,
  ready: fact,
  visibleToUser: fact,
  visibleToModel: fact,
  listed: fact,
  runnable: { anyOf: [fact, { type: 'null' }] },
});

export const skillSummary = object({
  name: { type: 'string' },
  description: { type: 'string' },
  form: { type: 'string' },
  source: { type: 'string' },
  host: { type: 'string' },
  path: { type: 'string' },
  ready: { type: 'boolean' },
  visible: object({ user: { type: 'boolean' }, model: { type: 'boolean' } }),
  listed: { type: 'boolean' },
  executable: { type: 'boolean' },
  shadows: list({ type: 'string' }),
});

const stretch = object({
  start: count,
  end: count,
  what: { enum: ['name', 'trigger', 'variable'] },
  name: { ...nullableText, description: 'Of a variable' },
});

const sharedWord = object({
  word: { type: 'string' },
  synonym: { ...nullableText, description: 'What the skill has in its stead' },
  place: { enum: ['name', 'triggers', 'description', 'body'] },
  kept: { ...nullableText, description: 'Why the word asks for nothing; null where it counts' },
});

const signs = {
  type: 'object',
  description: 'Of an explained match: what in the message speaks for the skill, or against it',
  properties: {
    spans: { type: 'array', items: stretch, description: 'By place, in UTF-16 code units' },
    trigger: nullableText,
    guard: {
      type: ['object', 'null'],
      properties: {
        kind: { type: 'string' },
        outcome: { enum: ['held', 'demoted'] },
        reason: { type: 'string' },
      },
      required: ['kind', 'outcome', 'reason'],
      description: 'What holds or demotes that trigger',
    },
    words: { type: 'array', items: sharedWord, description: 'Shared, the most telling first' },
  },
  required: ['spans', 'trigger', 'guard', 'words'],
} as const;

export const match = object(
  {
    skill: { type: 'string' },
    mode: { type: 'string' },
    confidence: { type: 'number' },
    variables: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What a trigger phrase extracted',
    },
    demoted: {
      type: 'boolean',
      description: 'A trigger is in the message and may not be meant: it is suggested for its words',
    },
    reason: { type: 'string' },
    because: { type: 'string', description: 'Of notOffered: why a conversation does not suggest it' },
    signs,
  },
  ['demoted', 'because', 'signs'],
);

export const proposal = object({
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
});

const problem = {
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

/** A conversation with the model of the server. */
export const chat = object({
  chat: { type: 'string' },
  title: { type: 'string' },
  model: { type: 'string', description: 'That it began with' },
  startedAt: time,
  lastAt: time,
  messages: count,
  status: {
    enum: ['idle', 'answering', 'waiting', 'interrupted', 'elsewhere', 'damaged'],
    description:
      'waiting: for an approval; interrupted: its answer was cut by the end of a process; elsewhere: another process has it now',
  },
  fault: {
    ...nullableText,
    description: 'Why it cannot be read, or why the last message was not answered',
  },
});

/** What a conversation does now. */
export const chatState = object({
  phase: { enum: ['idle', 'opening', 'thinking', 'writing', 'calling', 'waiting', 'compacting'] },
  startedAt: { ...nullableTime, description: 'When the answer under way began' },
  text: { type: 'string', description: 'Of the turn under way, as far as it came' },
  calls: {
    description: 'Calls that are being made, with the last of what they printed',
    type: 'array',
    items: object({ id: { type: 'string' }, tool: { type: 'string' }, output: { type: 'string' } }),
  },
  approvals: list(
    object({
      id: { type: 'string' },
      call: nullableText,
      question: {
        type: 'object',
        additionalProperties: true,
        description: 'The exact command or call, its folder, and how it would run',
      },
      askedAt: time,
    }),
  ),
  notes: list({ type: 'string' }),
  fault: { ...nullableText, description: 'Why the last message was not answered' },
});

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
  Chat: chat,
  ChatState: chatState,
  Problem: problem,
} as const;
