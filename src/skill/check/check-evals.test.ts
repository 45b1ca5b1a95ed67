import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { scaffoldTexts } from '../scaffold/texts.ts';
import { checkEvals } from './check-evals.ts';
import { scaffold } from '../scaffold/scaffold.ts';
import { forms } from '../types.ts';

const said = (text: string): readonly string[] => {
  const diagnostics: Diagnostic[] = [];
  checkEvals(text, collectInto(diagnostics, 'evals/evals.json'));
  expect(diagnostics.every(({ code }) => code === 'LINT_EVALS')).toBe(true);
  return diagnostics.map(({ message }) => message);
};
const prompt = (kind: unknown): object => ({ kind, message: 'Do it.', expected: null });

describe('checkEvals', () => {
  it('has nothing to say about what is scaffolded, nor about the format of another host', () => {
    for (const form of forms)
      expect(said(scaffold('tides', form).get('evals/evals.json') as string)).toEqual([]);
    expect(said('{"skill_name": "tides", "evals": [{"prompt": "x"}]}')).toEqual([]);
  });

  it('says what is not JSON', () => {
    expect(said('{"triggers": [')).toEqual([expect.stringMatching(/^the test prompts are not valid JSON: /)]);
  });

  it.each([
    ['[]', ['the test prompts must be an object with triggers']],
    ['{}', ['there is no list "triggers" of test prompts']],
    [
      JSON.stringify({
        triggers: ['positive', 'explicit', 'pasted-history', 'neighbouring-domain', 'rubric'].map(prompt),
      }),
      [],
    ],
    [
      JSON.stringify({ triggers: [prompt('positive'), prompt('explicit')] }),
      ['there is no test prompt of the kind pasted-history, neighbouring-domain'],
    ],
    [
      JSON.stringify({
        triggers: [
          prompt('positive'),
          prompt('explicit'),
          prompt('pasted-history'),
          prompt('neighbouring-domain'),
          prompt('other'),
          { kind: 'positive' },
          'x',
        ],
      }),
      [
        'triggers[4] has no kind, or one that techne does not know',
        'triggers[5] has no message',
        'triggers[6] has no message',
        'triggers[6] has no kind, or one that techne does not know',
      ],
    ],
  ])('says what is missing in %s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });
});

describe('prompts of an example', () => {
  const faults = (description: string): readonly string[] => {
    const text = scaffold('mine', 'instructions').get('evals/evals.json') as string;
    const found: string[] = [];
    checkEvals(text, (_code, _place, message) => void found.push(message), { description });
    return found;
  };
  it('are a warning once the skill is about something else', () => {
    expect(faults('Packs a suitcase. Use before a journey.')).toEqual([
      'the test prompts are still those of the example about release notes',
    ]);
  });
  it('are right while the skill is still the example', () => {
    expect(faults(scaffoldTexts.instructions.description)).toEqual([]);
  });
});
