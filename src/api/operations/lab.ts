// Matching looked at closely: what a model is shown for a message, and how well triggers find their skills.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, diagnostic, nullableText, skillName } from '../schemas.ts';

const tag = 'skills';
const share = { type: ['number', 'null'] } as const;
const names = list({ type: 'string' });

const judged = object({
  message: { type: 'string' },
  kind: { type: 'string' },
  outcome: { enum: ['right', 'false-negative', 'false-positive', 'wrong-skill'] },
  expected: nullableText,
  found: { ...nullableText, description: 'What came first, or must not have come' },
  rank: { type: ['integer', 'null'], description: 'Where the expected skill stood, from 1' },
  reason: nullableText,
  about: { ...nullableText, description: 'The skill whose prompt it is' },
});

export const labOperations = {
  showPrompt: {
    method: 'POST',
    path: '/v1/prompt',
    tag,
    summary: 'What a model is shown within a budget: the index, and the block of a turn with a message',
    role: 'viewer',
    body: closed(
      {
        message: { type: 'string', minLength: 1, maxLength: 100_000 },
        tokens: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      },
      ['tokens'],
    ),
    status: 200,
    answers: 'json',
    response: object({
      prefix: { type: 'string', description: 'The index and preloaded skills' },
      budget: { ...count, description: 'In tokens: as asked, or as configured' },
      tier: { enum: ['full', 'shortened', 'names', 'omitted'] },
      listed: count,
      omitted: count,
      tokens: { ...count, description: 'Of the index' },
      turn: object({
        block: { type: 'string' },
        tokens: count,
        told: names,
        given: names,
        left: {
          type: 'array',
          items: object({ skill: { type: 'string' }, reason: { type: 'string' } }),
          description: 'Bodies that were wanted and are not in the block',
        },
      }),
    }),
  },
  evalTriggers: {
    method: 'POST',
    path: '/v1/eval/triggers',
    tag,
    summary:
      'How often skills are found by their own test prompts and triggers, and which comes in place of which',
    role: 'runner',
    body: closed(
      {
        skills: { type: 'array', items: skillName, minItems: 1, maxItems: 100 },
        frames: {
          type: 'integer',
          minimum: 0,
          maximum: 20,
          description: 'Sentences of each kind that are made from a trigger. Default: 3',
        },
        seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
        all: { type: 'boolean', description: 'Also each case, right or wrong' },
      },
      ['frames', 'seed', 'all'],
    ),
    status: 200,
    answers: 'json',
    response: object(
      {
        cases: count,
        skipped: count,
        right: count,
        accuracy: share,
        falsePositives: count,
        falseNegatives: count,
        wrongSkill: count,
        hitAt3: share,
        kinds: list({ type: 'object', additionalProperties: true }),
        confusions: {
          type: 'array',
          items: object({ expected: nullableText, found: nullableText, count }),
          description: 'Most frequent first; null stands for no skill',
        },
        failures: {
          type: 'array',
          items: { type: 'object', additionalProperties: true },
          description: 'The first 500',
        },
        judged: { type: 'array', items: judged, description: 'Of `all`: every case that tests matching' },
        unreachable: list({ type: 'object', additionalProperties: true }),
        noCases: { ...names, description: 'Skills that have neither test prompts nor triggers' },
        diagnostics: {
          type: 'array',
          items: diagnostic,
          description: 'Faults of test prompts; the files that have them give no case',
        },
      },
      ['judged'],
    ),
  },
} as const satisfies { readonly [name: string]: Operation };
