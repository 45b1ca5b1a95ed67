import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../base/cut-text.ts';
import type { TimedStep } from '../../run/plan/time-steps.ts';
import { createPaint } from '../io.ts';
import { countSteps, failuresOneALine, renderSteps } from './render-steps.ts';
import type { SteppedRun } from './render-steps.ts';

const paint = createPaint(false);

function step(id: string, more: Partial<TimedStep> = {}): TimedStep {
  return {
    id,
    kind: 'chat',
    label: id,
    does: 'chat',
    status: 'ok',
    output: '',
    error: null,
    reason: null,
    substitutedBy: null,
    attempts: 1,
    dependsOn: [],
    startedAt: 0,
    ms: 3,
    items: null,
    ...more,
  };
}

function view(steps: readonly TimedStep[], more: Partial<SteppedRun> = {}): SteppedRun {
  return { run: '01RUN', steps, questions: [], undecided: [], nested: [], endedAt: null, ...more };
}

const none = { startedAt: null, ms: null } as const;
const asked = {
  run: '01RUN',
  id: 'q',
  nonce: 'n',
  audience: 'person',
  question: {},
  expiresAt: null,
  answer: null,
} as const;
const all = view(
  [
    step('sort', { does: 'classify', kind: 'classify' }),
    step('facts', { does: 'tool read_file', label: 'Read the facts', ms: 1_234, attempts: 3 }),
    step('slow', {
      does: 'agent writer',
      status: 'substituted',
      substitutedBy: 'apology',
      attempts: 2,
      ms: 61_000,
      error: { code: 'STEP_TIMEOUT', message: 'it took longer than 30 s' },
    }),
    step('apology'),
    step('order', {
      does: 'ask a person',
      status: 'skipped',
      reason: "when is not true: outputs.sort == 'LATE'",
      ...none,
    }),
    step('form', {
      does: 'ask a person',
      status: 'skipped',
      reason: 'skip_if is true: inputs.known',
      ...none,
    }),
    step('spare', { status: 'skipped', reason: '"sort" did not fail', ...none }),
    step('each', { items: 4 }),
    step('items', {
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: '1 of 4 items failed; item 2: no such file' },
    }),
    step('sum', { status: 'blocked', reason: '"items" failed', ...none }),
    step('end', { status: 'blocked', reason: '"sum" was blocked', ...none }),
    step('details', { does: 'ask a person', status: 'running', ms: null }),
    step('run it', { does: 'tool exec_command', status: 'running', ms: null }),
    step('deploy', { does: 'command make', status: 'running', ms: null }),
    step('inner', { does: 'skill helper', status: 'running', ms: null }),
    step('last', { status: 'waiting', ...none }),
  ],
  {
    questions: [
      { ...asked, key: 'details' },
      { ...asked, key: 'run it', audience: 'operator' },
      { ...asked, run: '01INNER', key: '1' },
    ],
    undecided: [{ run: '01RUN', key: 'deploy', kind: 'command', request: {} }],
    nested: [{ key: 'inner', run: '01INNER' }],
  },
);

describe('renderSteps', () => {
  it('says in words what became of each step, without padding where there is no terminal', () => {
    expect(renderSteps(all, { paint, columns: null }).split('\n')).toEqual([
      '  sort  classify  3 ms  ok',
      '  facts  tool read_file: Read the facts  1.2 s  ok after 3 tries',
      '  slow  agent writer  1 min 1 s  failed after 2 tries: STEP_TIMEOUT; apology was used instead: it took longer than 30 s',
      '  apology  chat  3 ms  ok',
      "  order  ask a person  skipped: outputs.sort == 'LATE' does not hold",
      '  form  ask a person  skipped: inputs.known holds',
      '  spare  chat  skipped: sort did not fail',
      '  each  chat  3 ms  ok, 4 items',
      '  items  chat  3 ms  failed: TOOL_FAILED: 1 of 4 items failed; item 2: no such file',
      '  sum  chat  blocked by items',
      '  end  chat  blocked by sum',
      '  details  ask a person  waits for an answer',
      '  run it  tool exec_command  waits for an approval',
      '  deploy  command make  needs a decision',
      '  inner  skill helper  waits for an answer',
      '  last  chat  not started yet',
      '',
    ]);
  });

  it('is as wide as the terminal, one line a step, whatever the names', () => {
    const long = {
      ...all,
      steps: [
        ...(all.steps ?? []),
        step('a-step-with-a-name-that-goes-on-and-on-and-on', {
          does: 'tool mcp__a_server__with_a_very_long_name',
          label: '步骤的名字',
        }),
      ],
    };
    for (const columns of [60, 80, 100, 200]) {
      const lines = renderSteps(long, { paint, columns }).trimEnd().split('\n');
      expect([lines.length, Math.max(...lines.map(displayWidth)) <= columns]).toEqual([17, true]);
    }
    expect(renderSteps(all, { paint, columns: 80 }).split('\n').slice(0, 5)).toEqual([
      '  ✓ sort     classify        3 ms       ok',
      '  ✓ facts    tool read_fil…  1.2 s      ok after 3 tries',
      '  ✗ slow     agent writer    1 min 1 s  failed after 2 tries: STEP_TIMEOUT; apo…',
      '  ✓ apology  chat            3 ms       ok',
      "  - order    ask a person               skipped: outputs.sort == 'LATE' does no…",
    ]);
  });

  it('says of a run that has ended that the rest was stopped or never started', () => {
    const ended = view(
      [step('a', { status: 'running', ms: null }), step('b', { status: 'waiting', ...none })],
      { endedAt: 9, questions: [{ ...asked, key: 'a' }] },
    );
    expect(renderSteps(ended, { paint, columns: null })).toBe(
      '  a  chat  stopped\n  b  chat  never started\n',
    );
  });

  it('leaves out of a long plan what went well, in the order of the document', () => {
    const many = view(
      Array.from({ length: 100 }, (_, index) =>
        step(`s${index}`, index === 98 ? { status: 'failed', error: { code: 'X', message: '' } } : {}),
      ),
    );
    expect(renderSteps(many, { paint, columns: null, most: 3 })).toBe(
      '  s0  chat  3 ms  ok\n  s1  chat  3 ms  ok\n  s98  chat  3 ms  failed: X\n  and 97 steps that went well: techne runs show 01RUN\n',
    );
  });
});

describe('countSteps', () => {
  it('counts what became of them', () => {
    expect(countSteps(all)).toBe(
      '4 ok, 3 skipped, 1 failed, 1 substituted, 2 blocked, 1 needs a decision, 1 waits for an approval, 2 wait for an answer, 1 not started',
    );
  });
});

describe('failuresOneALine', () => {
  it('breaks between steps, not inside what one of them says', () => {
    expect(failuresOneALine('step "a" failed: x; y; step "b" failed: z; 2 of 4 steps done', '  ')).toBe(
      'step "a" failed: x; y\n  step "b" failed: z; 2 of 4 steps done',
    );
  });
});
