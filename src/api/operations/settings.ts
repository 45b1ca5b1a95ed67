// How this server is set up, and what is wrong with it: configuration with its origins, doctor, store, workers, schedules, tokens.
import { list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { roles } from '../role.ts';
import { count, diagnostic, nullableText, runId } from '../schemas.ts';

const tag = 'settings';
const nullableTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;
const texts = list({ type: 'string' });
const finding = object({
  name: { type: 'string' },
  ok: { type: ['boolean', 'null'], description: 'null: it works, and something optional is missing' },
  detail: { type: 'string' },
  hint: { ...nullableText, description: 'What to do' },
});
const reasons = list(object({ code: { type: 'string' }, message: { type: 'string' }, hint: nullableText }));
const limited = list(object({ name: { type: 'string' }, path: { type: 'string' }, reasons }));

const schedule = object({
  id: { type: 'string' },
  name: { type: 'string' },
  skill: { type: 'string' },
  cron: { type: 'string' },
  timezone: { type: 'string' },
  missed: { type: 'string', description: 'What happens to times that no worker was there for' },
  queue: { type: 'string' },
  priority: { type: 'integer' },
  isPaused: { type: 'boolean' },
  madeAt: count,
  nextAt: { ...nullableTime, description: 'When it is due next; null: never again' },
  lastAt: nullableTime,
  lastRun: nullableText,
  fault: { ...nullableText, description: 'Why the last time gave no run' },
  faultAt: nullableTime,
});
const ofSchedule = {
  method: 'POST',
  tag,
  role: 'operator',
  params: { schedule: { type: 'string', minLength: 1, maxLength: 64, description: 'Its name or its id' } },
  status: 200,
  answers: 'json',
} as const;

export const settingsOperations = {
  showConfig: {
    method: 'GET',
    path: '/v1/config',
    tag,
    summary: 'Every value of the configuration with the file and line that it comes from; secrets are hidden',
    role: 'reviewer',
    status: 200,
    answers: 'json',
    response: object({
      workspace: { type: 'string' },
      trusted: { type: ['boolean', 'null'], description: 'null: it has no configuration file' },
      files: list(object({ layer: { type: 'string' }, path: { type: 'string' } })),
      values: list(
        object({
          key: { type: 'string' },
          value: {},
          usual: { description: 'The default' },
          description: { type: 'string' },
          layer: { type: 'string', description: 'default, user or workspace' },
          path: nullableText,
          line: { type: ['integer', 'null'] },
          because: { ...nullableText, description: 'Why it is not what the files say' },
        }),
      ),
      diagnostics: list(diagnostic),
    }),
  },
  doctor: {
    method: 'GET',
    path: '/v1/doctor',
    tag,
    summary:
      'What of the machine of this server is used, and what is wrong with it, as techne doctor says it',
    role: 'reviewer',
    status: 200,
    answers: 'json',
    response: object({
      environment: list(finding),
      answerers: {
        type: 'array',
        description: 'Of runs that this server drives',
        items: object({
          name: { type: 'string' },
          available: { type: 'boolean' },
          chosen: { type: 'boolean' },
          detail: { type: 'string' },
          hint: nullableText,
        }),
      },
      roots: list(
        object({
          path: { type: 'string' },
          source: { type: 'string' },
          host: { type: 'string' },
          exists: { type: 'boolean' },
          skills: count,
          shadowed: count,
          fault: { ...nullableText, description: 'Why it cannot be read' },
        }),
      ),
      skills: { ...limited, description: 'Those that somebody cannot use' },
      refused: { ...limited, description: 'By strict loading' },
      problems: object({ errors: count, warnings: count }),
      store: {
        type: 'string',
        description: 'Where runs are kept: files, or an address without its password',
      },
    }),
  },
  tryServers: {
    method: 'POST',
    path: '/v1/doctor/servers',
    tag,
    summary: 'Start every MCP server, and say which tools it has',
    role: 'operator',
    status: 200,
    answers: 'json',
    response: object({
      servers: list(object({ server: { type: 'string' }, tools: texts, fault: nullableText })),
    }),
  },
  examineStore: {
    method: 'GET',
    path: '/v1/doctor/store',
    tag,
    summary:
      'The checks of techne doctor --store, for the store of this server; null where runs are in files',
    role: 'reviewer',
    status: 200,
    answers: 'json',
    response: object({
      store: {
        type: ['object', 'null'],
        properties: { address: { type: 'string' }, findings: list(finding) },
        required: ['address', 'findings'],
      },
    }),
  },
  listWorkers: {
    method: 'GET',
    path: '/v1/workers',
    tag,
    summary: 'The processes that use a shared store, and the runs that no worker tries again',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({
      isShared: { type: 'boolean', description: 'Whether the store is one that workers share' },
      workers: list(
        object({
          id: { type: 'string' },
          described: { type: 'string' },
          isAlive: { type: 'boolean' },
          isThis: { type: 'boolean', description: 'The process that answers' },
          runs: count,
          queues: { type: ['array', 'null'], items: { type: 'string' } },
        }),
      ),
      held: list(object({ run: { type: 'string' }, queue: { type: 'string' }, reason: { type: 'string' } })),
    }),
  },
  releaseRun: {
    method: 'POST',
    path: '/v1/runs/{run}/release',
    tag,
    summary: 'Let workers try a held run again',
    role: 'operator',
    params: { run: runId },
    status: 200,
    answers: 'json',
    response: object({ run: { type: 'string' } }),
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/schedules',
    tag,
    summary: 'Skills that workers start at times; none where runs are in files',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({ schedules: list(schedule) }),
  },
  pauseSchedule: {
    ...ofSchedule,
    path: '/v1/schedules/{schedule}/pause',
    summary: 'Start nothing until it is resumed',
    response: schedule,
  },
  resumeSchedule: {
    ...ofSchedule,
    path: '/v1/schedules/{schedule}/resume',
    summary: 'Start it at its next time',
    response: schedule,
  },
  removeSchedule: {
    ...ofSchedule,
    path: '/v1/schedules/{schedule}/remove',
    summary: 'Remove a schedule; its runs stay',
    response: object({ id: { type: 'string' }, name: { type: 'string' } }),
  },
  listTokens: {
    method: 'GET',
    path: '/v1/tokens',
    tag,
    summary: 'Names, roles and times of the tokens of this server; the tokens themselves are kept nowhere',
    role: 'operator',
    status: 200,
    answers: 'json',
    response: object({
      tokens: list(
        object({
          name: { type: 'string' },
          role: { enum: roles },
          createdAt: count,
          expiresAt: nullableTime,
          revokedAt: nullableTime,
        }),
      ),
    }),
  },
} as const satisfies { readonly [name: string]: Operation };
