import { describe, expect, it } from 'vitest';
import { findWithdrawal } from './find-withdrawal.ts';
import { holds } from './guard.ts';
import { splitSentences } from './split-clauses.ts';

/** Whether the words between the marks `⟦` and `⟧` are taken back. */
function takenBack(marked: string): boolean {
  const words = { start: marked.indexOf('⟦'), end: marked.indexOf('⟧') - 1 };
  const text = marked.replace(/[⟦⟧]/g, '').toLowerCase();
  return findWithdrawal(text, splitSentences(text, text)).some(({ scope }) => holds(scope, words));
}

/** By rule: messages that withdraw a request, and similar ones that do not. */
const rules: readonly (readonly [rule: string, withdrawn: readonly string[], kept: readonly string[]])[] = [
  [
    'find-withdrawal#T1: it begins and ends its clause',
    [
      'I asked you to ⟦plan my trip⟧ earlier, but please forget about it now.',
      'i was thinking you could ⟦plan my trip⟧ but nah forget about it just leave it',
      '⟦plan my trip⟧, actually scratch that.',
      'As for ⟦plan my trip⟧, that won’t be necessary.',
      'So about my request to ⟦plan my trip⟧: consider it withdrawn.',
      'You offered to ⟦plan my trip⟧, which I’m turning down.',
      'Could you ⟦plan my trip⟧? Wait, no. I’ll handle it on my own.',
    ],
    [
      '⟦plan my trip⟧ and leave it on my desk.',
      '⟦plan my trip⟧. No need to hurry.',
      '⟦plan my trip⟧. Never mind the mess.',
      '⟦plan my trip⟧. I don’t need it before Friday.',
      '⟦plan my trip⟧. Please don’t forget it.',
      '⟦plan my trip⟧. Tell me when it’s done.',
      '⟦plan my trip⟧, then stop.',
    ],
  ],
  [
    'find-withdrawal#T2: it reaches back over a sentence or two, never forward',
    [
      'You keep trying to ⟦plan my trip⟧. Please quit doing that.',
      'Please ⟦plan my trip⟧. Hmm. On second thought, leave it.',
      'I need you to ⟦plan my trip⟧. My manager just called. We’re not doing that any more.',
      'We talked about whether you should ⟦plan my trip⟧. The answer is no.',
      '⟦plan my trip⟧\n\nEDIT: no longer wanted, please don’t act on this.',
    ],
    [
      'Forget what I said before, ⟦plan my trip⟧ instead.',
      'Stop that and ⟦plan my trip⟧.',
      'Never mind. ⟦plan my trip⟧.',
      '⟦plan my trip⟧. You also send me a newsletter every day. Stop that.',
    ],
  ],
  [
    'find-withdrawal#T3: a condition',
    [
      'If you were planning to ⟦plan my trip⟧, please drop it.',
      'Even if the client begs you to ⟦plan my trip⟧, the answer stays no.',
    ],
    [
      '⟦plan my trip⟧, and if it fails, forget it.',
      '⟦plan my trip⟧. If it takes too long, forget it.',
      'If you cannot ⟦plan my trip⟧, forget it.',
    ],
  ],
  [
    'find-withdrawal#T4: reported as done or given up',
    [
      'I thought I wanted to ⟦plan my trip⟧, but I have decided against it.',
      'We nearly chose to ⟦plan my trip⟧, then the team voted it down.',
      'We wanted you to ⟦plan my trip⟧. My colleague took care of it this morning.',
      'I know I told you to ⟦plan my trip⟧, but things changed.',
      'My wife wanted you to ⟦plan my trip⟧; she has since changed her mind.',
    ],
    [
      'Please ⟦plan my trip⟧. Last month I did it myself and it took hours.',
      'Please ⟦plan my trip⟧. I tried another tool and gave up on it.',
      'What would it take to ⟦plan my trip⟧? Let’s do it.',
      'My friends know how to ⟦plan my trip⟧, but I don’t.',
    ],
  ],
  [
    'find-withdrawal#T5: a part that is left out',
    [
      'The ⟦travel plan⟧ is boring, skip it.',
      'Thanks. Book a room, the ⟦travel plan⟧ is boring, so skip it.',
    ],
    [
      '⟦plan my trip⟧, the intro is boring, so skip it.',
      '⟦plan my trip⟧. Sorry for the noise, never mind that.',
    ],
  ],
  [
    'find-withdrawal#T6: what is resumed',
    [],
    [
      'I never let you ⟦plan my trip⟧. I changed my mind, please do it.',
      '⟦plan my trip⟧ for one, scratch that, make it two.',
    ],
  ],
  [
    'the same in Chinese',
    [
      '本来打算⟦规划行程⟧，后来想想还是算了。',
      '⟦规划行程⟧……还是算了。',
      '帮我⟦规划行程⟧。哦不对，不用了，当我没说。',
      '你能⟦规划行程⟧吗？等等，老婆说不用了。那就别弄了。',
      '就算老板让你⟦规划行程⟧，你也别做。',
      '你问要不要⟦规划行程⟧，答案是不要。',
    ],
    [
      '算了，还是⟦规划行程⟧吧。',
      '⟦规划行程⟧，图就不用了。',
      '⟦规划行程⟧，不用了解细节。',
      '⟦规划行程⟧，其他的以后再说。',
      '⟦规划行程⟧，如果太慢，就算了。',
    ],
  ],
];

describe('findWithdrawal', () => {
  it.each(rules)('%s', (_, withdrawn, kept) => {
    expect(withdrawn.filter((message) => !takenBack(message))).toEqual([]);
    expect(kept.filter(takenBack)).toEqual([]);
  });

  it('says why', () => {
    const text = 'plan my trip. forget it.';
    expect(findWithdrawal(text, splitSentences(text, text))).toEqual([
      {
        guard: 'negation',
        cue: { start: 14, end: 23 },
        scope: { start: 0, end: 14 },
        reason: '"forget it" withdraws it',
      },
    ]);
  });

  it.each([
    'forget it. ',
    'x-',
    'i ',
    'my boss ',
    'hmm. ',
    ', ',
    'that is really ',
    'so please just now ',
    '不用了。',
    '停！',
    '现在现在',
  ])('stays quick on a long message of %j', (piece) => {
    const text = piece.repeat(Math.ceil(20_000 / piece.length));
    const sentences = splitSentences(text, text);
    const started = performance.now();
    findWithdrawal(text, sentences);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a sentence between a request and what withdraws it', () => {
  it.each([
    [69, true],
    [70, false],
  ])('may have 70 characters with the space before it: %i without', (length, isTakenBack) => {
    const between = `${'it is late today '.repeat(5).slice(0, length - 1)}.`;
    expect(takenBack(`⟦plan my trip⟧. ${between} forget it.`)).toBe(isTakenBack);
  });
});
