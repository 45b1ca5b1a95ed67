// What a template really lets through, and what the check says of it.
//
// O1. The template is rendered with text from outside that can be recognised: `<EVIL>`, dashes, and many times "q".
// O2. User text that comes out raw, or the longer the more there was of it, must be told of in a prompt; step output, when
//     more of it comes out raw the more there was. In an argument also what begins with a dash. In a command line whatever
//     is no slug, and as a program anything at all.
// O3. Lists from outside are short: their items are bounded one by one. So are the lines of a step's output.
import type { Sink } from '../../../src/plan/draft.ts';
import { atom, choice, cleanText, fromAtom, record } from '../../../src/plan/taint/abstract-value.ts';
import type { Names } from '../../../src/plan/taint/evaluate.ts';
import { fromSchema } from '../../../src/plan/taint/from-schema.ts';
import { judgeTaint } from '../../../src/plan/taint/judge.ts';
import { runTemplate } from '../../../src/plan/taint/run-template.ts';
import { compileTemplate } from '../../../src/template/template.ts';
import type { Template, Variables } from '../../../src/template/template.ts';

type Side = 'user' | 'output';

const quiet = { unknownName: () => undefined, neverEqual: () => undefined, noMember: () => undefined };
const schema = {
  type: 'object',
  properties: {
    note: { type: 'string' },
    kind: { enum: ['x', 'y'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
} as const;

export const names: Names = {
  look: (name) => {
    if (name === 'inputs') return inputs;
    return name === 'outputs' ? outputs : null;
  },
};
const inputs = record(atom('user', 'inputs'), (key) => {
  if (key === 'form') return record(atom('user', 'inputs.form'), () => choice(['warm', 'cool']), cleanText);
  return fromAtom(atom('user', `inputs.${key}`), key === 'user_message');
});
const outputs = record(
  atom('output', 'outputs'),
  (key) =>
    key === 'data'
      ? fromSchema(schema, 'output', 'outputs.data')
      : fromAtom(atom('output', `outputs.${key}`), key === 'a'),
  cleanText,
);

/** `size`: how often the text from outside is repeated. */
export function variables(side: Side, size: number, dash: string): Variables {
  const short = side === 'user' ? `${dash}<EVIL>${dash}` : 'short, text';
  const user =
    side === 'user'
      ? `${dash}<EVIL>${dash}q, /x.md ${`${dash}q,${dash}q ${dash}q\n${dash}q/ `.repeat(size)}`
      : 'short, text';
  const output =
    side === 'output'
      ? `${dash}<EVIL>${dash}, /\n ${`${dash}<EVIL>${dash}qqqqqqqq`.repeat(size)}`
      : 'plain text';
  return {
    inputs: {
      user_message: user,
      history: [short, 'b'],
      obj: { k: short, a: short },
      kind: side === 'user' ? short : 'k',
      form: { tone: 'warm' },
    },
    outputs: { a: output, data: { note: output, kind: 'x', tags: [output, 'b'] } },
  };
}

interface Leak {
  readonly raw: boolean;
  readonly grows: boolean;
  readonly growsRaw: boolean;
  readonly dash: boolean;
  readonly anything: boolean;
  readonly special: boolean;
}

const few = 60;
const many = 160;

function leakOf(template: Template, side: Side): Leak | null {
  const render = (size: number, dash: string): string | null => {
    const outcome = template.render(variables(side, size, dash), {
      maxSteps: 200_000,
      maxMemoryBytes: 8_000_000,
    });
    return outcome.ok ? outcome.value : null;
  };
  const text = render(few, '-');
  if (text === null) return null;
  const long = /q|evil/i.test(text) ? render(many, '-') : null;
  const grown = (pattern: RegExp): boolean =>
    long !== null && (long.match(pattern)?.length ?? 0) > (text.match(pattern)?.length ?? 0) + 12;
  return {
    raw: /<evil>/i.test(text),
    grows: grown(/q/gi),
    growsRaw: grown(/<evil>/gi),
    // Without dashes from outside one can only be the author's own, behind a text that is empty.
    dash: text.startsWith('-') && ['z', ''].every((dash) => render(few, dash)?.startsWith('-') === false),
    anything: /evil/i.test(text),
    special: /<evil>|&lt;evil|(?:%|\\u00)3cevil/i.test(text),
  };
}

/** What is let through and not told of; null when nothing is, and "failed" for a template that renders nothing. */
export function verdictOf(source: string): {
  readonly missed: string | null;
  readonly told: boolean;
  readonly leaks: boolean;
  readonly rendered: boolean;
} {
  const compiled = compileTemplate(source);
  if (!compiled.ok) return { missed: null, told: false, leaks: false, rendered: false };
  const { template } = compiled;
  const pieces = runTemplate(template.tree.body, names, quiet);
  const isTold = (sink: Sink): boolean => judgeTaint(pieces, sink, false).length > 0;
  let missed: string | null = null;
  let leaks = false;
  let rendered = false;
  for (const side of ['user', 'output'] as const) {
    const leak = leakOf(template, side);
    if (leak === null) continue;
    rendered = true;
    const unsafe: readonly (readonly [Sink, boolean])[] = [
      ['prompt', side === 'user' ? leak.raw || leak.grows : leak.growsRaw],
      ['argv', leak.grows || leak.dash],
      ['tool-argv', leak.dash],
      ['shell', leak.special],
      ['program', leak.anything],
    ];
    leaks ||= unsafe[0]?.[1] === true;
    for (const [sink, is] of unsafe)
      if (is && !isTold(sink))
        missed ??= `${side} text reaches ${sink} (${Object.entries(leak)
          .filter(([, holds]) => holds)
          .map(([what]) => what)
          .join(', ')})`;
  }
  return { missed, told: isTold('prompt'), leaks, rendered };
}
