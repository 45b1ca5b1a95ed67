// What became of the copies and the versions of a skill: which one is used and why, what changed.
import { list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, diagnostic, nullableText, skillName } from '../schemas.ts';

const tag = 'skills';
const params = { skill: skillName } as const;
const path = '/v1/skills/{skill}';
const texts = list({ type: 'string' });

const excerpt = {
  type: ['object', 'null'],
  description: 'The lines around it',
  properties: { first: count, lines: texts },
  required: ['first', 'lines'],
} as const;
const shownDiagnostic = {
  ...diagnostic,
  properties: { ...diagnostic.properties, excerpt },
  required: [...diagnostic.required, 'excerpt'],
} as const;

export const skillStandingOperations = {
  skillHealth: {
    method: 'GET',
    path: '/v1/skill-health',
    tag,
    summary: 'How many skills there are and can be used, and which of them need attention',
    role: 'viewer',
    query: { limit: { type: 'integer', minimum: 1, maximum: 100 } },
    status: 200,
    answers: 'json',
    response: object({
      used: count,
      executable: count,
      notReady: count,
      looks: {
        type: 'array',
        description: 'Each kind in turn, so that many of one hide none of the others',
        items: object({
          what: {
            enum: ['guard', 'unsound', 'refused', 'broken'],
            description:
              'guard: it refuses the skill; unsound: its files have errors; refused: it is not used; broken: a file gave no skill',
          },
          skill: nullableText,
          path: { type: 'string' },
          says: { type: 'string' },
        }),
      },
      total: { ...count, description: 'Of all that should be looked at' },
    }),
  },
  skillStanding: {
    method: 'GET',
    path: `${path}/standing`,
    tag,
    summary:
      'Everything that was found under a name: the skill that is used, others that are not, and faults; with why',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: object({
      copies: list(
        object({
          standing: { enum: ['used', 'shadowed', 'refused'] },
          path: { type: 'string' },
          source: { type: 'string' },
          host: { type: 'string' },
          form: { type: 'string' },
          description: { type: 'string' },
          why: { ...nullableText, description: 'Why it is not used' },
          hint: { ...nullableText, description: 'What to do about it' },
          winner: { ...nullableText, description: 'The path of the one that is used instead' },
          diagnostics: list(shownDiagnostic),
        }),
      ),
      faults: {
        type: 'array',
        items: shownDiagnostic,
        description: 'Of folders of this name that gave no skill',
      },
    }),
  },
  skillVersions: {
    method: 'GET',
    path: `${path}/versions`,
    tag,
    summary: 'The versions of a skill that are known here: now, of proposals, installed, trusted, run',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: object({
      versions: list(
        object({
          digest: { type: 'string' },
          isCurrent: { type: 'boolean' },
          kept: {
            enum: ['all', 'executed', 'none'],
            description: 'Which of its files can still be read and compared',
          },
          events: list(
            object({
              kind: { enum: ['accepted', 'rolled-back', 'replaced', 'installed', 'trusted', 'runs'] },
              at: { type: ['integer', 'null'] },
              id: { ...nullableText, description: 'Of the proposal, or of the newest run' },
              text: { type: 'string' },
            }),
          ),
        }),
      ),
      isCut: { type: 'boolean', description: 'Older runs were not looked at' },
    }),
  },
  skillChanges: {
    method: 'GET',
    path: `${path}/changes`,
    tag,
    summary: 'Every line that differs between two versions of a skill, by their digests',
    role: 'viewer',
    params,
    query: {
      from: { type: 'string', minLength: 1, maxLength: 128 },
      to: { type: 'string', minLength: 1, maxLength: 128 },
    },
    needsQuery: ['from', 'to'],
    status: 200,
    answers: 'json',
    response: object({
      files: list(
        object({
          path: { type: 'string' },
          what: { enum: ['added', 'removed', 'changed'] },
          lines: list({}),
        }),
      ),
      isPartial: {
        type: 'boolean',
        description: 'Only the files that were executed are compared: a run keeps no others',
      },
    }),
  },
} as const satisfies { readonly [name: string]: Operation };
