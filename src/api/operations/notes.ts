// Notes: the graph of a vault in pages, what is near a note, the way between two.
import { list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count, nullableText } from '../schemas.ts';

const tag = 'notes';
const note = { type: 'string', minLength: 1, maxLength: 1_024 } as const;
const limit = { type: 'integer', minimum: 1, maximum: 10_000 } as const;
const types = {
  type: 'string',
  maxLength: 1_000,
  description: 'Types of edges, with commas between them',
} as const;
const noteName = object({
  path: { type: 'string' },
  name: { type: 'string' },
  type: nullableText,
  title: nullableText,
});
const counted = {
  type: 'array',
  items: object({ name: { type: 'string' }, count }),
  description: 'The most first',
} as const;
const step = object(
  {
    path: { type: 'string' },
    type: nullableText,
    direction: { enum: ['out', 'in'] },
    via: { type: 'string' },
    depth: count,
  },
  ['via', 'depth'],
);

export const noteOperations = {
  searchNotes: {
    method: 'GET',
    path: '/v1/notes',
    tag,
    summary: 'Notes by words, type, tag and edge, by path',
    role: 'viewer',
    query: {
      text: { type: 'string', maxLength: 1_000, description: 'Every word occurs in the note' },
      type: { type: 'string', maxLength: 200 },
      tag: { type: 'string', maxLength: 200 },
      edge: { type: 'string', maxLength: 200, description: 'It has an edge of this type' },
      limit,
    },
    status: 200,
    answers: 'json',
    response: object({ notes: list(noteName), total: count }),
  },
  noteStats: {
    method: 'GET',
    path: '/v1/notes/stats',
    tag,
    summary: 'How much there is in the vault, and where it is',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({
      vault: { type: 'string', description: 'The folder' },
      isConfigured: {
        type: 'boolean',
        description: 'Whether graph.vault names it; otherwise it is the workspace',
      },
      notes: count,
      edges: count,
      dangling: count,
      orphans: count,
      groups: count,
      types: counted,
      edgeTypes: counted,
      tags: { ...counted, description: 'The 100 most frequent' },
    }),
  },
  danglingLinks: {
    method: 'GET',
    path: '/v1/notes/dangling',
    tag,
    summary: 'Links that lead to no note, or to no such place in it',
    role: 'viewer',
    query: { limit },
    status: 200,
    answers: 'json',
    response: object({
      links: list(
        object({
          from: { type: 'string' },
          target: { type: 'string', description: 'As it is written' },
          type: nullableText,
          problem: { type: 'string' },
          line: count,
          candidates: list({ type: 'string' }),
        }),
      ),
      total: count,
    }),
  },
  suggestEdges: {
    method: 'GET',
    path: '/v1/notes/suggestions',
    tag,
    summary: 'Edges that a note could have',
    role: 'viewer',
    query: { note, limit: { type: 'integer', minimum: 1, maximum: 50 } },
    needsQuery: ['note'],
    status: 200,
    answers: 'json',
    response: object({
      note: { type: 'string' },
      suggestions: list(
        object({
          edge: { type: 'string' },
          because: { type: 'string' },
          candidates: list(
            object({
              path: { type: 'string' },
              score: { type: 'number' },
              reasons: list({ type: 'string' }),
            }),
          ),
        }),
      ),
    }),
  },
  noteGraph: {
    method: 'GET',
    path: '/v1/notes/graph',
    tag,
    summary: 'A page of notes, each with its edges by the numbers of the notes',
    role: 'viewer',
    query: { offset: { ...count, description: 'The first number. Default: 0' }, limit },
    status: 200,
    answers: 'json',
    response: object({
      nodes: list(
        object({ id: count, path: { type: 'string' }, name: { type: 'string' }, type: nullableText }),
      ),
      edges: {
        type: 'array',
        description:
          'From, to, and the place of the type in edgeTypes; those that lead to no note are left out',
        items: list(count),
      },
      edgeTypes: list({ type: 'string' }),
      total: count,
      dangling: count,
      next: { type: ['integer', 'null'] },
    }),
  },
  noteNeighbours: {
    method: 'GET',
    path: '/v1/notes/neighbours',
    tag,
    summary: 'What is near a note',
    role: 'viewer',
    query: {
      note,
      types,
      depth: { type: 'integer', minimum: 1, maximum: 10 },
      direction: { enum: ['out', 'in', 'both'] },
      limit,
    },
    needsQuery: ['note'],
    status: 200,
    answers: 'json',
    response: object({
      note: { type: 'string' },
      neighbours: list(step),
      isCut: { type: 'boolean', description: 'There are more than `limit`' },
      nodes: { type: 'array', items: noteName, description: 'The note itself, then its neighbours' },
      edges: {
        type: 'array',
        items: list(count),
        description:
          'All between them: from and to by their places in `nodes`, and the place of the type in `edgeTypes`',
      },
      edgeTypes: list({ type: 'string' }),
    }),
  },
  notePath: {
    method: 'GET',
    path: '/v1/notes/path',
    tag,
    summary: 'A shortest way between two notes',
    role: 'viewer',
    query: { from: note, to: note, types },
    needsQuery: ['from', 'to'],
    status: 200,
    answers: 'json',
    response: object({ steps: { anyOf: [list(step), { type: 'null' }] } }),
  },
  orphanNotes: {
    method: 'GET',
    path: '/v1/notes/orphans',
    tag,
    summary: 'Notes without an edge',
    role: 'viewer',
    query: { limit },
    status: 200,
    answers: 'json',
    response: object({ paths: list({ type: 'string' }), total: count }),
  },
  showNote: {
    method: 'GET',
    path: '/v1/notes/note',
    tag,
    summary: 'One note: its text, properties and edges',
    role: 'viewer',
    query: { note },
    needsQuery: ['note'],
    status: 200,
    answers: 'json',
    response: object({
      path: { type: 'string' },
      name: { type: 'string' },
      type: nullableText,
      title: nullableText,
      properties: { type: 'object', additionalProperties: true },
      tags: list({ type: 'string' }),
      text: { type: 'string', description: 'The first 262,144 characters' },
      isCut: { type: 'boolean' },
      edges: list(
        object({
          to: nullableText,
          from: nullableText,
          type: nullableText,
          target: { type: 'string', description: 'As it is written' },
          problem: nullableText,
        }),
      ),
    }),
  },
} as const satisfies { readonly [name: string]: Operation };
