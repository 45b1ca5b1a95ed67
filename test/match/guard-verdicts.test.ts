// What the guards say about every sentence that they are measured with, word by word: test/golden/match/verdicts.txt.
//
//   message ⟶ verdict of the rules ⟶ verdict with all signs weighed, where that is another
//
// The rates of trigger-guards.test.ts say whether a change is good; this says what it changed.
import { describe, expect, it } from 'vitest';
import { judgeMessage } from '../../src/match/guard/judge-message.ts';
import type { Verdict } from '../../src/match/guard/judge-message.ts';
import { frames } from '../../src/measure/eval/frames.ts';
import { heldOutFrames } from './held-out-frames.ts';

const phrases = { en: ['plan my trip', 'travel plan'], zh: ['规划行程'] } as const;

/** The message of a frame, and where the phrase is in it. */
function fill(frame: string, phrase: string): { readonly message: string; readonly start: number } {
  const written = frame.includes('{TT}')
    ? phrase.toUpperCase()
    : frame.includes('{T}')
      ? phrase.slice(0, 1).toUpperCase() + phrase.slice(1)
      : phrase;
  return { message: frame.replace(/\{(?:t|T|TT)\}/, written), start: frame.search(/\{(?:t|T|TT)\}/) };
}

const shown = (verdict: Verdict | null): string =>
  verdict === null ? 'asks' : `${verdict.guard}: ${verdict.reason}`;

function lineOf(frame: string, phrase: string): string {
  const { message, start } = fill(frame, phrase);
  const words = { start, end: start + phrase.length };
  const judged = judgeMessage(message);
  const [ruled, weighed, unquoted] = [
    shown(judged.verdict(words)),
    shown(judged.triggerVerdict(words)),
    shown(judged.verdictUnquoted(words)),
  ];
  const { rankable } = judged;
  return [
    message,
    ruled,
    ...(weighed === ruled ? [] : [`weighed: ${weighed}`]),
    ...(unquoted === ruled ? [] : [`unquoted: ${unquoted}`]),
    ...(rankable === message ? [] : [`ranked by: ${rankable.replaceAll(/\s+/g, ' ').trim()}`]),
  ]
    .map((part) => part.replaceAll('\n', '⏎'))
    .join(' ⟶ ');
}

describe('the verdicts of the guards', () => {
  it('are those of the golden file', async () => {
    const lines = [frames, heldOutFrames].flatMap((set) =>
      Object.entries(set).flatMap(([kind, { en, zh }]) => [
        `# ${kind}`,
        ...en.flatMap((frame) => phrases.en.map((phrase) => lineOf(frame, phrase))),
        ...zh.flatMap((frame) => phrases.zh.map((phrase) => lineOf(frame, phrase))),
      ]),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../golden/match/verdicts.txt');
  });
});
