import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { renderEnvelope } from './completed-text.ts';
import { normalizeResult } from '../program/program-interpreter.ts';
import { failureText, pausedText, undecidedText } from './failed-or-paused-text.ts';

const parts = { name: 'tides', outcome: 'completed', trace: [], traceDropped: 0, maxUnits: 20_000 };
const render = (envelope: JsonObject, more: Partial<Parameters<typeof renderEnvelope>[0]> = {}): string =>
  renderEnvelope({ ...parts, envelope, ...more });
const bodyOf = (text: string): JsonObject => JSON.parse(text.slice(text.indexOf('\n') + 1)) as JsonObject;

describe('normalizeResult', () => {
  it('follows the table of S0 §9', () => {
    const of = (value: Parameters<typeof normalizeResult>[0]): unknown => normalizeResult(value);
    expect(of(null)).toEqual({ ok: true, envelope: { status: 'ok', answer: '' } });
    expect(of('hello')).toEqual({ ok: true, envelope: { status: 'ok', answer: 'hello' } });
    expect(of({ custom: true, trace: 1 })).toEqual({
      ok: true,
      envelope: { custom: true, status: 'ok', answer: '' },
    });
    expect(of({ status: 'accepted', answer: 'x', n: [1] })).toEqual({
      ok: true,
      envelope: { status: 'accepted', answer: 'x', n: [1] },
    });
  });

  it('refuses every other type by name', () => {
    const message = (value: Parameters<typeof normalizeResult>[0]): string => {
      const result = normalizeResult(value);
      return result.ok ? 'ok' : result.message;
    };
    expect(message(42)).toBe('invalid return value: run must return None, a string or a dict, not int');
    expect(message(1.5)).toContain('not float');
    expect(message(true)).toContain('not bool');
    expect(message([1])).toContain('not list');
    expect(message(new Uint8Array(1))).toContain('not bytes');
    expect(message({ a: [2n ** 60n] })).toBe(
      'invalid return value: an int beyond 2^53 - 1 cannot be JSON (use str(x)) at the result.a[0]',
    );
    expect(message({ 'a b': new Uint8Array(1) })).toBe(
      'invalid return value: bytes cannot be JSON (use str(x)) at the result["a b"]',
    );
  });
});

describe('renderEnvelope', () => {
  it('writes a header and one compact object, own keys first and the trace last', () => {
    const text = render({ attempts: 1, status: 'accepted', answer: 'grün' }, { trace: [{ kind: 'a' }] });
    expect(text).toBe(
      '[Metaskill: tides completed]\n{"attempts":1,"status":"accepted","answer":"grün","trace":[{"kind":"a"}]}',
    );
  });

  it('drops trace entries one by one from the end before anything else', () => {
    const trace = Array.from({ length: 50 }, (_, index) => ({ kind: 'step', data: { index } }));
    const body = bodyOf(render({ status: 'ok', answer: 'a'.repeat(300) }, { trace, maxUnits: 800 }));
    const kept = (body['trace'] as JsonObject[]).length - 1;
    expect((body['trace'] as JsonObject[]).at(-1)).toEqual({ kind: 'truncated', dropped: 50 - kept });
    expect(kept).toBeGreaterThan(5);
    expect(body['answer']).toBe('a'.repeat(300));
    // One more entry would not have fitted.
    expect(
      render({ status: 'ok', answer: 'a'.repeat(300) }, { trace, maxUnits: 800 }).length,
    ).toBeGreaterThan(800 - 2 * JSON.stringify(trace[9]).length);
  });

  it('cuts other fields before the answer, and says so', () => {
    const body = bodyOf(render({ status: 'ok', answer: 'short', blob: 'z'.repeat(100_000), list: [1] }));
    expect(body['answer']).toBe('short');
    expect(body['list']).toEqual([1]);
    expect(body['fields_truncated']).toEqual(['blob']);
    expect((body['blob'] as string).length).toBeGreaterThan(19_000);
  });

  it('cuts the answer last, to what fits', () => {
    const text = render({ status: 'ok', answer: '"'.repeat(100_000) }, { trace: [{ kind: 'step' }] });
    expect(text.length).toBeGreaterThan(19_990);
    expect(bodyOf(text)).toMatchObject({
      answer_truncated: true,
      trace: [{ kind: 'truncated', dropped: 1 }],
    });
  });

  it('lets no program claim that something was cut', () => {
    const claimed = {
      status: 'ok',
      answer: 'all',
      answer_truncated: true,
      fields_truncated: ['x'],
      trace_dropped: 3,
    };
    expect(bodyOf(render(claimed, {}))).toEqual({ status: 'ok', answer: 'all', trace: [] });
  });

  it('says how many entries the run did not keep', () => {
    expect(bodyOf(render({ status: 'ok', answer: '' }, { traceDropped: 7 }))['trace_dropped']).toBe(7);
  });

  it('never goes over the limit and is always JSON, whatever it is given', () => {
    const long = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 900 }),
      fc.nat(3000).map((count) => '\u0001🌍"'.repeat(count)),
    );
    const value: fc.Arbitrary<Json> = fc.oneof(
      long,
      fc.jsonValue() as fc.Arbitrary<Json>,
      fc.array(fc.nat(), { maxLength: 1000 }),
    );
    const object = fc.dictionary(
      fc.oneof(
        fc.string({ maxLength: 300 }),
        fc.constantFrom(
          'status',
          'answer',
          '__proto__',
          'trace_dropped',
          'fields_truncated',
          'answer_truncated',
        ),
      ),
      value,
      { maxKeys: 40 },
    );
    fc.assert(
      fc.property(
        object,
        fc.array(object, { maxLength: 60 }),
        fc.nat(3),
        fc.integer({ min: 400, max: 21_000 }),
        long,
        (given, trace, traceDropped, maxUnits, name) => {
          const envelope = Object.assign(
            Object.create(null) as object,
            { status: 'ok', answer: '' },
            given,
          ) as JsonObject;
          const text = render(envelope, {
            trace: trace.map((data) => ({ kind: 'x', data })),
            traceDropped,
            maxUnits,
            name: name.replaceAll('\n', ' '),
          });
          expect(text.length).toBeLessThanOrEqual(maxUnits);
          const body = bodyOf(text);
          expect(Array.isArray(body['trace'])).toBe(true);
          expect('status' in body && 'answer' in body).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the other texts', () => {
  const question = (prompt: string) => ({
    run: 'R',
    id: 'Q',
    nonce: 'N',
    audience: 'caller' as const,
    key: '1',
    question: { type: 'ask', prompt },
    expiresAt: null,
  });

  it('keeps the limit', () => {
    expect(failureText('tides', 'x'.repeat(30_000), 'R', 20_000).length).toBe(20_000);
    expect(
      undecidedText(
        'tides',
        'R',
        [{ run: 'R', key: '1', kind: 'command', request: { argv: ['x'.repeat(30_000)] } }],
        20_000,
      ).length,
    ).toBeLessThanOrEqual(20_000);
  });

  it('gives a question whole, or cut with the call that reads on', () => {
    const whole = 'x'.repeat(36_000);
    expect(pausedText('tides', 'R', [question(whole), question('y')])).toContain(whole);
    for (const questions of [
      [question('x'.repeat(90_000)), question('y')],
      Array.from({ length: 40 }, () => question('x'.repeat(3_000))),
      Array.from({ length: 40 }, () => question('"\n'.repeat(3_000))),
    ]) {
      const text = pausedText('tides', 'R', questions);
      expect(text.length).toBeLessThanOrEqual(60_000);
      const shown = (bodyOf(text)['questions'] as JsonObject[]).map(
        (one) => (one['question'] as JsonObject)['prompt'] as string,
      );
      for (const [at, prompt] of shown.entries()) {
        const { prompt: asked } = (questions[at] as ReturnType<typeof question>).question;
        if (prompt === asked) continue;
        const [, kept = '', end] =
          /^([^]*)\n\[cut here: (\d+) of \d+ characters; read on with run_status \{"run":"R","question":"Q","offset":\2\}\]$/.exec(
            prompt,
          ) ?? [];
        expect([kept, Number(end)]).toEqual([asked.slice(0, kept.length), kept.length]);
        expect(kept).not.toBe('');
      }
    }
  });

  it('shows the nonce of what is asked of the caller, and no other', () => {
    const body = bodyOf(
      pausedText('tides', 'R', [question('a'), { ...question('b'), audience: 'operator' }]),
    );
    expect((body['questions'] as JsonObject[]).map((one) => one['nonce'])).toEqual(['N', undefined]);
  });

  it('says which run asks, when it is one inside the other', () => {
    const body = bodyOf(pausedText('tides', 'R', [question('a'), { ...question('b'), run: 'S' }]));
    expect((body['questions'] as JsonObject[]).map((one) => one['run'])).toEqual([undefined, 'S']);
    expect(
      undecidedText('tides', 'R', [{ run: 'S', key: '1', kind: 'command', request: {} }], 20_000),
    ).toContain('techne runs resolve S --as');
  });
});
