// More of skills: the inventory with everything that hides or breaks one, sources, graphs, verdicts, trust, tests, drafts.
import type { Operation } from '../operation.ts';
import { count, diagnostic, fact, facts, nullableText, skillName, skillSummary } from '../schemas.ts';

const tag = 'skills';
const params = { skill: skillName } as const;
const path = '/v1/skills/{skill}';
const texts = { type: 'array', items: { type: 'string' } } as const;
const place = {
  type: 'object',
  properties: { line: count, column: count, endLine: count, endColumn: count },
  required: ['line', 'column', 'endLine', 'endColumn'],
} as const;
const relativePath = { type: 'string', minLength: 1, maxLength: 1_024 } as const;

const draftFiles = {
  type: 'array',
  description: 'Other files that are not saved either; a text of null: the file is removed',
  maxItems: 50,
  items: {
    type: 'object',
    properties: { path: relativePath, text: { type: ['string', 'null'], maxLength: 262_144 } },
    required: ['path', 'text'],
    additionalProperties: false,
  },
} as const;

const draftPlace = {
  type: 'object',
  properties: {
    skill: skillName,
    path: relativePath,
    text: { type: 'string', maxLength: 262_144 },
    files: draftFiles,
    offset: {
      ...count,
      description: 'UTF-16 code units from the start of the text; past its end it is the end',
    },
  },
  required: ['skill', 'path', 'text', 'offset'],
  additionalProperties: false,
} as const;
const span = {
  type: 'object',
  description: 'Offsets in the text, in UTF-16 code units',
  properties: { start: count, end: count },
  required: ['start', 'end'],
} as const;

const node = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { type: 'string' },
    label: { type: 'string' },
    skill: nullableText,
    tool: nullableText,
    when: nullableText,
    onFailure: nullableText,
    substituteOf: nullableText,
    isLoop: { type: 'boolean' },
    isFinal: { type: 'boolean' },
    sideEffect: nullableText,
    idempotent: { type: 'boolean' },
    place,
    marks: {
      type: 'array',
      description: 'Findings inside of the step, taint first',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, severity: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'severity', 'message'],
      },
    },
    risk: texts,
  },
  required: ['id', 'kind', 'label', 'place', 'marks', 'risk', 'isLoop', 'isFinal', 'idempotent'],
} as const;

const graph = {
  type: ['object', 'null'],
  properties: {
    nodes: { type: 'array', items: node },
    edges: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string' },
          to: { type: 'string' },
          kind: { enum: ['declared', 'implied', 'substitute'] },
        },
        required: ['from', 'to', 'kind'],
      },
    },
    risk: { type: 'object', additionalProperties: true },
    needs: { type: 'object', additionalProperties: true },
  },
  required: ['nodes', 'edges', 'risk', 'needs'],
} as const;

const test = {
  type: 'object',
  properties: { name: { type: 'string' }, file: { type: 'string' }, line: { type: 'integer' } },
  required: ['name', 'file', 'line'],
} as const;

export const skillDetailOperations = {
  inventory: {
    method: 'GET',
    path: '/v1/inventory',
    tag,
    summary:
      'Every skill that was found, also hidden and refused ones, with facts, trust and what the guard knows',
    role: 'viewer',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      offset: { ...count, description: 'How many to leave out. Default: 0' },
    },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        skills: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              ...skillSummary.properties,
              standing: { enum: ['used', 'shadowed', 'refused'] },
              why: { ...nullableText, description: 'Why it is not used' },
              winner: { ...nullableText, description: 'The path of the one that is used instead' },
              facts: { anyOf: [facts, { type: 'null' }] },
              trusted: { type: 'boolean' },
              guard: {
                ...nullableText,
                description: 'Why the guard refuses or warns, as far as it was scanned',
              },
              verdict: {
                ...nullableText,
                description: 'clean, caution, incomplete or dangerous; null: it was not scanned as it is now',
              },
              diagnostics: count,
            },
            required: [
              ...skillSummary.required,
              'standing',
              'why',
              'winner',
              'facts',
              'trusted',
              'guard',
              'verdict',
              'diagnostics',
            ],
          },
        },
        broken: {
          type: 'array',
          items: diagnostic,
          description: 'Files and folders that gave no skill, with the first page: at most 500',
        },
        total: count,
        next: { type: ['integer', 'null'] },
      },
      required: ['skills', 'broken', 'total', 'next'],
    },
  },
  skillUses: {
    method: 'GET',
    path: '/v1/uses',
    tag,
    summary: 'How often each skill was used, failed and what it cost',
    role: 'viewer',
    query: { days: { type: 'integer', minimum: 1, maximum: 3_650 }, skill: skillName },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        skills: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              skill: { type: 'string' },
              uses: count,
              activations: count,
              suggested: count,
              runs: count,
              failures: count,
              costMicros: count,
              tokens: count,
              lastUsed: { type: ['integer', 'null'] },
              misses: count,
              missed: texts,
            },
            required: ['skill', 'uses', 'runs', 'failures', 'costMicros', 'lastUsed'],
          },
        },
        isCut: { type: 'boolean', description: 'Older uses were left out' },
        recordedSince: { type: ['integer', 'null'] },
      },
      required: ['skills', 'isCut', 'recordedSince'],
    },
  },
  skillSource: {
    method: 'GET',
    path: `${path}/source`,
    tag,
    summary: 'The text of SKILL.md, and where each of its fields is',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              key: { type: 'string' },
              place,
              value: {},
              meaning: { ...nullableText, description: 'null: no host is known that reads it' },
            },
            required: ['key', 'place', 'value', 'meaning'],
          },
        },
      },
      required: ['text', 'fields'],
    },
  },
  skillFile: {
    method: 'GET',
    path: `${path}/file`,
    tag,
    summary: 'A page of the text of one file of a skill',
    role: 'viewer',
    params,
    query: {
      path: relativePath,
      offset: { ...count, description: 'The first byte. Default: 0' },
      limit: { type: 'integer', minimum: 1, maximum: 262_144, description: 'Bytes. Default: 65536' },
    },
    needsQuery: ['path'],
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        bytes: count,
        offset: count,
        isText: { type: 'boolean', description: 'Whether all of it is UTF-8' },
        text: nullableText,
        next: { type: ['integer', 'null'] },
      },
      required: ['path', 'bytes', 'offset', 'isText', 'text', 'next'],
    },
  },
  skillGraph: {
    method: 'GET',
    path: `${path}/graph`,
    tag,
    summary: 'The plan of a skill as nodes and edges, with taint and risk marks',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { graph, diagnostics: { type: 'array', items: diagnostic } },
      required: ['graph', 'diagnostics'],
    },
  },
  skillTests: {
    method: 'GET',
    path: `${path}/tests`,
    tag,
    summary: 'The tests of a skill, and their results when this server last ran them',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        tests: { type: 'array', items: test },
        diagnostics: { type: 'array', items: diagnostic },
        last: {
          type: ['object', 'null'],
          properties: {
            at: { type: 'integer' },
            isCurrent: { type: 'boolean', description: 'Whether the skill is still the one that was tested' },
            passed: count,
            failed: count,
            tests: { type: 'array', items: { type: 'object', additionalProperties: true } },
          },
          required: ['at', 'isCurrent', 'passed', 'failed', 'tests'],
        },
      },
      required: ['tests', 'diagnostics', 'last'],
    },
  },
  skillVerdict: {
    method: 'GET',
    path: `${path}/verdict`,
    tag,
    summary: 'What the guard says of a skill, and what that means for reading and running it',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        verdict: { enum: ['clean', 'caution', 'incomplete', 'dangerous'] },
        rules: texts,
        unread: texts,
        unreadCount: count,
        onRead: nullableText,
        onRun: nullableText,
      },
      required: ['verdict', 'rules', 'unread', 'unreadCount', 'onRead', 'onRun'],
    },
  },
  skillTrust: {
    method: 'GET',
    path: `${path}/trust`,
    tag,
    summary: 'Whether a skill is trusted, by what, and what trust in it would allow',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        trusted: { type: 'boolean' },
        by: { type: 'string', description: 'folder, digest, changed, none or builtin' },
        digest: { type: 'string', description: 'Goes back with the grant' },
        runnable: fact,
        files: {
          type: 'array',
          description: 'The first 500',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, size: count, executable: { type: 'boolean' } },
            required: ['path', 'size', 'executable'],
          },
        },
        totalFiles: count,
        links: { type: 'array', items: { type: 'object', additionalProperties: true } },
        excluded: texts,
        allows: texts,
        declares: {
          type: 'object',
          description: 'What it says that it needs',
          properties: {
            tools: texts,
            capabilities: texts,
            programs: texts,
            variables: texts,
            risk: nullableText,
            always: { type: 'boolean' },
          },
          required: ['tools', 'capabilities', 'programs', 'variables', 'risk', 'always'],
        },
        uses: {
          type: 'object',
          description: 'What its files name: to look at, not an analysis',
          properties: { scripts: texts, commands: texts, hosts: texts },
          required: ['scripts', 'commands', 'hosts'],
        },
        unread: {
          type: 'array',
          description: 'Files that were not looked into',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, why: { type: 'string' } },
            required: ['path', 'why'],
          },
        },
        pointless: { ...nullableText, description: 'Why a grant would change nothing' },
      },
      required: [
        'trusted',
        'by',
        'digest',
        'runnable',
        'files',
        'totalFiles',
        'links',
        'excluded',
        'allows',
        'declares',
        'uses',
        'unread',
        'pointless',
      ],
    },
  },
  trustSkill: {
    method: 'POST',
    path: `${path}/trust`,
    tag,
    summary: 'Trust a skill as it is now. The digest says what was looked at',
    role: 'operator',
    params,
    body: {
      type: 'object',
      properties: { digest: { type: 'string', minLength: 1, maxLength: 128 } },
      required: ['digest'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { trusted: { type: 'boolean' }, runnable: fact },
      required: ['trusted', 'runnable'],
    },
  },
  untrustSkill: {
    method: 'POST',
    path: `${path}/untrust`,
    tag,
    summary: 'Take back the trust in a skill; a trusted folder around it stays trusted',
    role: 'operator',
    params,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: { removed: count, trusted: { type: 'boolean' } },
      required: ['removed', 'trusted'],
    },
  },
  analyseDraft: {
    method: 'POST',
    path: '/v1/drafts/analyse',
    tag,
    summary:
      'What is wrong with a text before it is saved, and the plan that it would have. Nothing is executed or kept',
    role: 'runner',
    body: {
      type: 'object',
      properties: {
        skill: skillName,
        path: relativePath,
        text: { type: 'string', maxLength: 262_144 },
        files: draftFiles,
        strict: { type: 'boolean' },
      },
      required: ['skill', 'path', 'text'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        diagnostics: { type: 'array', items: diagnostic },
        fixes: {
          type: 'array',
          description: 'Texts to insert; those with the same reason belong together',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              at: { ...count, description: 'Offset in the file, in UTF-16 code units' },
              insert: { type: 'string' },
              why: { type: 'string' },
            },
            required: ['path', 'at', 'insert', 'why'],
          },
        },
        graph,
      },
      required: ['diagnostics', 'fixes', 'graph'],
    },
  },
  scaffoldSkill: {
    method: 'POST',
    path: '/v1/drafts/scaffold',
    tag,
    summary: 'The files of a small example skill, as "techne new" makes them. Nothing is written',
    role: 'viewer',
    body: {
      type: 'object',
      properties: {
        name: skillName,
        form: { enum: ['instructions', 'program', 'composition', 'workflow', 'chain'] },
        description: { type: 'string', minLength: 1, maxLength: 4_096 },
      },
      required: ['name', 'form'],
      additionalProperties: false,
    },
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        files: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, text: { type: 'string' } },
            required: ['path', 'text'],
          },
        },
        isTaken: { type: 'boolean', description: 'A skill has this name already' },
      },
      required: ['files', 'isTaken'],
    },
  },
  completeDraft: {
    method: 'POST',
    path: '/v1/drafts/complete',
    tag,
    summary: 'What could stand at a place of a text that is being written. Nothing is executed or kept',
    role: 'viewer',
    body: draftPlace,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        span,
        items: {
          type: 'array',
          description: 'At most 500',
          items: {
            type: 'object',
            properties: {
              label: { type: 'string' },
              kind: {
                type: 'string',
                description:
                  'field, value, step, input, variable, filter, test, tag, skill, tool, function, method or keyword',
              },
              insert: { type: 'string', description: 'Takes the place of the span' },
              detail: { type: 'string' },
              description: { type: 'string' },
            },
            required: ['label', 'kind', 'insert', 'detail', 'description'],
          },
        },
        isCut: { type: 'boolean', description: 'There are more items' },
      },
      required: ['span', 'items', 'isCut'],
    },
  },
  hoverDraft: {
    method: 'POST',
    path: '/v1/drafts/hover',
    tag,
    summary: 'What a word of a text means: a field, a step, a filter, a function',
    role: 'viewer',
    body: draftPlace,
    status: 200,
    answers: 'json',
    response: {
      type: 'object',
      properties: {
        hover: {
          type: ['object', 'null'],
          properties: { span, title: { type: 'string' }, text: { type: 'string' } },
          required: ['span', 'title', 'text'],
        },
      },
      required: ['hover'],
    },
  },
} as const satisfies { readonly [name: string]: Operation };
