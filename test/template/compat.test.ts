// What the original of compositions renders, and what it makes of `when`: real templates, with its answers.
//
// The data lies outside the project and is never copied into it. Other cases of the same kinds are kept back.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compileExpression, compileTemplate, type Data, type Outcome } from '../../src/template/template.ts';
import { skipUnless } from '../support/skip-unless.ts';

const folder = resolve(import.meta.dirname, '../../../shared/compat/compositions');
const present = existsSync(join(folder, 'render.jsonl.gz'));

interface Recorded {
  readonly template?: string;
  readonly expr?: string;
  readonly ctx: string;
  readonly inputs: { readonly [name: string]: Data };
  readonly outputs: { readonly [name: string]: Data };
  readonly result?: string | boolean;
  readonly error?: string;
}

/** The five filters of one skill that the original has in its core; we have none of them. */
const ownFilters = /\bshort_drama_/;

function recorded(file: string): readonly Recorded[] {
  if (!present) return [];
  return gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
}

/** What came out, in the words of the original. */
function spoken(outcome: Outcome<string | boolean>, prefix: string): string | boolean {
  if (outcome.ok) return outcome.value;
  return outcome.diagnostic.code === 'EVAL_UNDEFINED'
    ? `${prefix}: ${outcome.diagnostic.message}`
    : outcome.diagnostic.message;
}

function render({ template = '', inputs, outputs }: Recorded): string | boolean {
  const compiled = compileTemplate(template);
  return compiled.ok
    ? spoken(compiled.template.render({ inputs, outputs }), 'undefined template variable')
    : compiled.diagnostics.map(({ message }) => message).join('; ');
}

function test({ expr = '', inputs, outputs }: Recorded): string | boolean {
  const compiled = compileExpression(expr);
  return compiled.ok
    ? spoken(compiled.expression.test({ inputs, outputs }), 'when references undefined variable')
    : compiled.diagnostics.map(({ message }) => message).join('; ');
}

describe.skipIf(skipUnless(present, '../shared/compat/compositions is absent'))(
  'templates of compositions (skipped where ../shared/compat is absent)',
  () => {
    it.each([
      { file: 'render.jsonl.gz', all: 874, ours: 844, answer: render },
      { file: 'when.jsonl.gz', all: 416, ours: 376, answer: test },
    ])(
      '$file: all agree, errors too',
      ({ file, all, ours, answer }) => {
        const cases = recorded(file);
        const compared = cases.filter(({ template, expr }) => !ownFilters.test(template ?? expr ?? ''));
        const wrong = compared
          .map((each) => ({
            source: each.template ?? each.expr,
            ctx: each.ctx,
            expected: each.result ?? each.error,
            got: answer(each),
          }))
          .filter(({ expected, got }) => expected !== got);
        expect(wrong.slice(0, 3)).toEqual([]);
        expect([cases.length, compared.length, wrong.length]).toEqual([all, ours, 0]);
      },
      60_000,
    );
  },
);
