// How this server is set up, and what is wrong with it: configuration with its origins, doctor, store, workers, schedules, tokens.
import type { Operation } from '../operation.ts';
import { roles } from '../role.ts';
import { count, diagnostic, nullableText, runId } from '../schemas.ts';

const tag = 'settings';
const nullableTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;
const finding = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    ok: { type: ['boolean', 'null'], description: 'null: it works, and something optional is missing' },
    detail: { type: 'string' },
    hint: { ...nullableText, description: 'What to do' },
  },
  required: ['name', 'ok', 'detail', 'hint'],
} as const;
const reasons = {
  type: 'array',
  items: {
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' }, hint: nullableText },
    required: ['code', 'message', 'hint'],
  },
} as const;
const limited = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, path: { type: 'string' }, reasons },
    required: ['name', 'path', 'reasons'],
  },
} as const;

const schedule = {
  type: 'object',
  properties: {
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
  },
  required: [
    'id',
    'name',
    'skill',
    'cron',
    'timezone',
    'missed',
    'queue',
    'priority',
    'isPaused',
    'madeAt',
    'nextAt',
    'lastAt',
    'lastRun',
    'fault',
    'faultAt',
  ],
} as const;
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
    response: {
      type: 'object',
      properties: {
        workspace: { type: 'string' },
        trusted: { type: ['boolean', 'null'], description: 'null: it has no configuration file' },
        files: {
          type: 'array',
          items: {
            type: 'object',
            properties: { layer: { type: 'string' }, path: { type: 'string' } },
            required: ['layer', 'path'],
          },
        },
        values: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              key: { type: 'string' },
              value: {},
              usual: { description: 'The default' },
              description: { type: 'string' },
              layer: { type: 'string', description: 'default, user or workspace' },
              path: nullableText,
              line: { type: ['integer', 'null'] },
              because: { ...nullableText, description: 'Why it is not what the files say' },
            },
            required: ['key', 'value', 'usual', 'description', 'layer', 'path', 'line', 'because'],
          },
        },
        diagnostics: { type: 'array', items: diagnostic },
      },
      required: ['workspace', 'trusted', 'files', 'values', 'diagnostics'],
    },
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
    response: {
      type: 'object',
      properties: {
        environment: { type: 'array', items: finding },
        answerers: {
          type: 'array',
          description: 'Of runs that this server drives',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              available: { type: 'boolean' },
              chosen: { type: 'boolean' },
              detail: { type: 'string' },
              hint: nullableText,
            },
            required: ['name', 'available', 'chosen', 'detail', 'hint'],
          },
        },
        roots: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              source: { type: 'string' },
              host: { type: 'string' },
              exists: { type: 'boolean' },
              skills: count,
              shadowed: count,
              fault: { ...nullableText, description: 'Why it cannot be read' },
            },
            required: ['path', 'source', 'host', 'exists', 'skills', 'shadowed', 'fault'],
          },
        },
        skills: { ...limited, description: 'Those that somebody cannot use' },
        refused: { ...limited, description: 'By strict loading' },
        problems: {
          type: 'object',
          properties: { errors: count, warnings: count },
          required: ['errors', 'warnings'],
        },
        store: {
          type: 'string',
          description: 'Where runs are kept: files, or an address without its password',
        },
      },
      required: ['environment', 'answerers', 'roots', 'skills', 'refused', 'problems', 'store'],
    },
  },
  tryServers: {
    method: 'POST',
    path: '/v1/doctor/servers',
    tag,
    summary: 'Start every MCP server, and say which tools it has',
    role: 'operator',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        servers: {
          type: 'array',
          items: {
            type: 'object',
            properties: { server: { type: 'string' }, tools: texts, fault: nullableText },
            required: ['server', 'tools', 'fault'],
          },
        },
      },
      required: ['servers'],
    },
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
    response: {
      type: 'object',
      properties: {
        store: {
          type: ['object', 'null'],
          properties: { address: { type: 'string' }, findings: { type: 'array', items: finding } },
          required: ['address', 'findings'],
        },
      },
      required: ['store'],
    },
  },
  listWorkers: {
    method: 'GET',
    path: '/v1/workers',
    tag,
    summary: 'The processes that use a shared store, and the runs that no worker tries again',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        isShared: { type: 'boolean', description: 'Whether the store is one that workers share' },
        workers: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              described: { type: 'string' },
              isAlive: { type: 'boolean' },
              isThis: { type: 'boolean', description: 'The process that answers' },
              runs: count,
              queues: { type: ['array', 'null'], items: { type: 'string' } },
            },
            required: ['id', 'described', 'isAlive', 'isThis', 'runs', 'queues'],
          },
        },
        held: {
          type: 'array',
          items: {
            type: 'object',
            properties: { run: { type: 'string' }, queue: { type: 'string' }, reason: { type: 'string' } },
            required: ['run', 'queue', 'reason'],
          },
        },
      },
      required: ['isShared', 'workers', 'held'],
    },
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
    response: { type: 'object', properties: { run: { type: 'string' } }, required: ['run'] },
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/schedules',
    tag,
    summary: 'Skills that workers start at times; none where runs are in files',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { schedules: { type: 'array', items: schedule } },
      required: ['schedules'],
    },
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
    response: {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      required: ['id', 'name'],
    },
  },
  listTokens: {
    method: 'GET',
    path: '/v1/tokens',
    tag,
    summary: 'Names, roles and times of the tokens of this server; the tokens themselves are kept nowhere',
    role: 'operator',
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        tokens: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              role: { enum: roles },
              createdAt: count,
              expiresAt: nullableTime,
              revokedAt: nullableTime,
            },
            required: ['name', 'role', 'createdAt', 'expiresAt', 'revokedAt'],
          },
        },
      },
      required: ['tokens'],
    },
  },
} as const satisfies { readonly [name: string]: Operation };
