import { describe, expect, it } from 'vitest';
import { findSetAside } from './find-set-aside.ts';
import { holds } from './guard.ts';
import { splitSentences } from './split-clauses.ts';

/** Whether the words between the marks `⟦` and `⟧` are set aside. */
function setAside(marked: string): boolean {
  const words = { start: marked.indexOf('⟦'), end: marked.indexOf('⟧') - 1 };
  const text = marked.replace(/[⟦⟧]/g, '').toLowerCase();
  return findSetAside(text, splitSentences(text, text)).some(
    ({ cue, scope, between, after }) =>
      holds(scope, words) &&
      between?.test(text.slice(cue.end, words.start)) !== false &&
      after?.test(text.slice(words.end)) !== false,
  );
}

const rules: readonly (readonly [rule: string, aside: readonly string[], kept: readonly string[]])[] = [
  [
    'a verb and its particle',
    [
      'Let’s put ⟦plan my trip⟧ on ice until the new year.',
      'Remove ⟦plan my trip⟧ from the queue, keep the rest.',
      'Take ⟦plan my trip⟧ off the to-do list.',
      'Give ⟦plan my trip⟧ a rest, will you?',
      'I’d rather you left ⟦plan my trip⟧ alone.',
      'Leave ⟦plan my trip⟧ to the experts.',
      'Swap ⟦plan my trip⟧ for a simple joke.',
    ],
    [
      'Give ⟦plan my trip⟧ a try.',
      'Put ⟦plan my trip⟧ on the list.',
      'Take your coat off and ⟦plan my trip⟧.',
      'Leave the rest to me and ⟦plan my trip⟧.',
      'Put everything else on hold and ⟦plan my trip⟧.',
    ],
  ],
  [
    'a heading that forbids',
    [
      'Things you are not allowed to do:\n- ⟦plan my trip⟧\n- send emails',
      'You can skip this step: ⟦plan my trip⟧.',
      'From today’s tasks, delete item 3 (⟦plan my trip⟧).',
      '以下事项一律不准做：\n1. ⟦规划行程⟧\n2. 发邮件',
      '撤回我刚才的请求：⟦规划行程⟧。',
    ],
    [
      'Things to do:\n- ⟦plan my trip⟧',
      'Do not forget these:\n- ⟦plan my trip⟧',
      'Out of scope:\n- flights\n\n⟦plan my trip⟧',
    ],
  ],
  ['a stroke', ['Today: ~~⟦plan my trip⟧~~, buy milk'], ['Today: ~~buy milk~~, ⟦plan my trip⟧']],
];

describe('findSetAside', () => {
  it.each(rules)('%s', (_, aside, kept) => {
    expect(aside.filter((message) => !setAside(message))).toEqual([]);
    expect(kept.filter(setAside)).toEqual([]);
  });

  it.each(['\n> ', 'take x off ', 'do not do the following:\n', '~~', 'cancel item (', '- x\n', '以下'])(
    'stays quick on a long message of %j',
    (piece) => {
      const text = piece.repeat(Math.ceil(20_000 / piece.length));
      const sentences = splitSentences(text, text);
      const started = performance.now();
      findSetAside(text, sentences);
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );
});
