import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../base/cut-text.ts';
import type { Json } from '../../base/json.ts';
import { createPaint } from '../io.ts';
import { renderFields, renderTrace } from './render-result.ts';

const paint = createPaint(false);

describe('renderFields', () => {
  const envelope = {
    status: 'partial',
    answer: 'x',
    trace: [],
    steps: { a: { status: 'ok' } },
    node_type: 'gate',
    error: {
      code: 'OUTPUT_CONTRACT',
      message: 'the output contract is not kept: the artifact "plan" does not exist',
    },
    artifacts: [
      { name: 'report', path: 'out/report.md', required: true, exists: true, bytes: 1204, reason: null },
      { name: 'plan', path: 'plan', required: true, exists: false, bytes: null, reason: null },
      { name: 'notes', path: null, required: false, exists: null, bytes: null, reason: null },
    ],
  };

  it('has no JSON for what a plan says of itself', () => {
    expect(renderFields(envelope, paint, '1 ok').split('\n')).toEqual([
      'status     partial',
      'error      OUTPUT_CONTRACT: the output contract is not kept: the artifact "plan" does not exist',
      'artifact   report (out/report.md), 1,204 bytes',
      'artifact   plan, missing',
      'artifact   notes',
      'node_type  gate',
      'steps      1 ok',
      '',
    ]);
  });

  it('leaves fields of a program what they are', () => {
    expect(renderFields({ status: 'ok', steps: [1], error: 'none' }, paint, null)).toBe(
      'status    ok\nerror     none\nsteps     [1]\n',
    );
  });
});

describe('renderTrace', () => {
  it('keeps calls on one line at a terminal, however much a program traces', () => {
    const trace: Json = [
      { kind: 'ask', id: '1', purpose: 'draft', ok: true, ms: 52 },
      { kind: 'round', data: { text: 'long '.repeat(40) } },
      { kind: 'command', id: '2', argv: ['git', 'diff', '… 3 more'], ok: false, ms: 500, exit_code: 3 },
    ];
    const lines = renderTrace(trace, paint, 80).trimEnd().split('\n').slice(1);
    expect(lines).toEqual([
      '  1  ask      draft              52 ms   ok',
      expect.stringMatching(/^ {2}· {2}round {2}\{"text":"long .*…$/),
      '  2  command  git diff … 3 more  500 ms  failed, exit 3',
    ]);
    expect(Math.max(...lines.map(displayWidth))).toBe(80);
  });
});
