// More of skills: the inventory with everything that hides or breaks one, sources, graphs, verdicts, trust, tests, drafts.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, diagnostic, fact, facts, nullableText, skillName, skillSummary } from '../schemas.ts';

const tag = 'skills';
const params = { skill: skillName } as const;
const path = '/v1/skills/{skill}';
const texts = list({ type: 'string' });
const place = object({ line: count, column: count, endLine: count, endColumn: count });
const relativePath = { type: 'string', minLength: 1, maxLength: 1_024 } as const;

const draftFiles = {
  type: 'array',
  description: 'Other files that are not saved either; a text of null: the file is removed',
  maxItems: 50,
  items: closed({ path: relativePath, text: { type: ['string', 'null'], maxLength: 262_144 } }),
} as const;

const draftPlace = closed(
  {
    skill: skillName,
    path: relativePath,
    text: { type: 'string', maxLength: 262_144 },
    files: draftFiles,
    offset: {
      ...count,
      description: 'UTF-16 code units from the start of the text; past its end it is the end',
    },
  },
  ['files'],
);
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
      items: object({ code: { type: 'string' }, severity: { type: 'string' }, message: { type: 'string' } }),
    },
    risk: texts,
  },
  required: ['id', 'kind', 'label', 'place', 'marks', 'risk', 'isLoop', 'isFinal', 'idempotent'],
} as const;

const graph = {
  type: ['object', 'null'],
  properties: {
    nodes: list(node),
    edges: list(
      object({
        from: { type: 'string' },
        to: { type: 'string' },
        kind: { enum: ['declared', 'implied', 'substitute'] },
      }),
    ),
    risk: { type: 'object', additionalProperties: true },
    needs: { type: 'object', additionalProperties: true },
  },
  required: ['nodes', 'edges', 'risk', 'needs'],
} as const;

const test = object({
  name: { type: 'string' },
  file: { type: 'string' },
  line: { type: 'integer' },
});

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
    response: object({
      skills: list(
        object({
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
        }),
      ),
      broken: {
        type: 'array',
        items: diagnostic,
        description: 'Files and folders that gave no skill, with the first page: at most 500',
      },
      total: count,
      next: { type: ['integer', 'null'] },
    }),
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
    response: object({
      skills: list(
        object(
          {
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
          ['activations', 'suggested', 'tokens', 'misses', 'missed'],
        ),
      ),
      isCut: { type: 'boolean', description: 'Older uses were left out' },
      recordedSince: { type: ['integer', 'null'] },
    }),
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
    response: object({
      text: { type: 'string' },
      fields: list(
        object({
          key: { type: 'string' },
          place,
          value: {},
          meaning: { ...nullableText, description: 'null: no host is known that reads it' },
        }),
      ),
    }),
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
    response: object({
      path: { type: 'string' },
      bytes: count,
      offset: count,
      isText: { type: 'boolean', description: 'Whether all of it is UTF-8' },
      text: nullableText,
      next: { type: ['integer', 'null'] },
    }),
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
    response: object({ graph, diagnostics: list(diagnostic) }),
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
    response: object({
      tests: list(test),
      diagnostics: list(diagnostic),
      last: {
        type: ['object', 'null'],
        properties: {
          at: { type: 'integer' },
          isCurrent: { type: 'boolean', description: 'Whether the skill is still the one that was tested' },
          passed: count,
          failed: count,
          tests: list({ type: 'object', additionalProperties: true }),
        },
        required: ['at', 'isCurrent', 'passed', 'failed', 'tests'],
      },
    }),
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
    response: object({
      verdict: { enum: ['clean', 'caution', 'incomplete', 'dangerous'] },
      rules: texts,
      unread: texts,
      unreadCount: count,
      onRead: nullableText,
      onRun: nullableText,
    }),
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
    response: object({
      trusted: { type: 'boolean' },
      by: { type: 'string', description: 'folder, digest, changed, none or builtin' },
      digest: { type: 'string', description: 'Goes back with the grant' },
      runnable: fact,
      files: {
        type: 'array',
        description: 'The first 500',
        items: object({ path: { type: 'string' }, size: count, executable: { type: 'boolean' } }),
      },
      totalFiles: count,
      links: list({ type: 'object', additionalProperties: true }),
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
        items: object({ path: { type: 'string' }, why: { type: 'string' } }),
      },
      pointless: { ...nullableText, description: 'Why a grant would change nothing' },
    }),
  },
  trustSkill: {
    method: 'POST',
    path: `${path}/trust`,
    tag,
    summary: 'Trust a skill as it is now. The digest says what was looked at',
    role: 'operator',
    params,
    body: closed({ digest: { type: 'string', minLength: 1, maxLength: 128 } }),
    status: 200,
    answers: 'json',
    response: object({ trusted: { type: 'boolean' }, runnable: fact }),
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
    response: object({ removed: count, trusted: { type: 'boolean' } }),
  },
  analyseDraft: {
    method: 'POST',
    path: '/v1/drafts/analyse',
    tag,
    summary:
      'What is wrong with a text before it is saved, and the plan that it would have. Nothing is executed or kept',
    role: 'runner',
    body: closed(
      {
        skill: skillName,
        path: relativePath,
        text: { type: 'string', maxLength: 262_144 },
        files: draftFiles,
        strict: { type: 'boolean' },
      },
      ['files', 'strict'],
    ),
    status: 200,
    answers: 'json',
    response: object({
      diagnostics: list(diagnostic),
      fixes: {
        type: 'array',
        description: 'Texts to insert; those with the same reason belong together',
        items: object({
          path: { type: 'string' },
          at: { ...count, description: 'Offset in the file, in UTF-16 code units' },
          insert: { type: 'string' },
          why: { type: 'string' },
        }),
      },
      graph,
    }),
  },
  scaffoldSkill: {
    method: 'POST',
    path: '/v1/drafts/scaffold',
    tag,
    summary: 'The files of a small example skill, as "techne new" makes them. Nothing is written',
    role: 'viewer',
    body: closed(
      {
        name: skillName,
        form: { enum: ['instructions', 'program', 'composition', 'workflow', 'chain'] },
        description: { type: 'string', minLength: 1, maxLength: 4_096 },
      },
      ['description'],
    ),
    status: 200,
    answers: 'json',
    response: object({
      files: list(object({ path: { type: 'string' }, text: { type: 'string' } })),
      isTaken: { type: 'boolean', description: 'A skill has this name already' },
    }),
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
    response: object({
      span,
      items: {
        type: 'array',
        description: 'At most 500',
        items: object({
          label: { type: 'string' },
          kind: {
            type: 'string',
            description:
              'field, value, step, input, variable, filter, test, tag, skill, tool, function, method or keyword',
          },
          insert: { type: 'string', description: 'Takes the place of the span' },
          detail: { type: 'string' },
          description: { type: 'string' },
        }),
      },
      isCut: { type: 'boolean', description: 'There are more items' },
    }),
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
    response: object({
      hover: {
        type: ['object', 'null'],
        properties: { span, title: { type: 'string' }, text: { type: 'string' } },
        required: ['span', 'title', 'text'],
      },
    }),
  },
} as const satisfies { readonly [name: string]: Operation };
