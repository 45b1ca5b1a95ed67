// The catalogue in docs/guide/events.md against the one in src/run/events.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contentFields } from '../src/node/events/filter-event.ts';
import { eventSensitivity } from '../src/run/events.ts';
import type { RunEvent } from '../src/run/events.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

interface Row {
  readonly type: string;
  readonly sensitivity: string;
  readonly fields: readonly string[];
  readonly texts: readonly string[];
}

function rows(): readonly Row[] {
  return read('../docs/guide/events.md')
    .split('\n')
    .flatMap((line) => {
      const [, type, sensitivity, fields = ''] =
        /^\| `([a-z]+\.[a-z]+)` \| (\w+) \| ([^|]*) \|/.exec(line) ?? [];
      if (type === undefined || sensitivity === undefined) return [];
      return [
        {
          type,
          sensitivity,
          fields: [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
          texts: [...fields.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name]) => name as string),
        },
      ];
    });
}

/** From the text of the type, since types are gone at run time. */
function declaredFields(): { readonly [type: string]: readonly string[] } {
  const declared = [
    ...read('../src/run/events.ts').matchAll(/\|\s*\{\s*readonly type: '([^']+)';([^}]*)\}/g),
  ];
  return Object.fromEntries(
    declared.map(([, type, rest]) => [
      type as string,
      [...(rest as string).matchAll(/readonly (\w+)\??:/g)]
        .map(([, name]) => name as string)
        .filter((name) => name !== 'run' && name !== 'at'),
    ]),
  );
}

describe('the catalogue of events in the guide', () => {
  it('has a row for every event, with its sensitivity', () => {
    expect(Object.fromEntries(rows().map(({ type, sensitivity }) => [type, sensitivity]))).toEqual(
      eventSensitivity,
    );
  });

  it('has every field of every event', () => {
    expect(Object.fromEntries(rows().map(({ type, fields }) => [type, fields]))).toEqual(declaredFields());
  });

  it('shows which fields are texts', () => {
    for (const { type, texts } of rows()) {
      const fields = contentFields[type as RunEvent['type']];
      expect([type, texts]).toEqual([type, fields === 'all' ? ['text'] : fields]);
    }
  });
});
