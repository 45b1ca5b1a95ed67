// The text of a skill -> its fields, each with its value and where it is.
import type { Json } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { nodeFrontmatter } from '../node/yaml.ts';
import { describeKey } from '../language/hover.ts';
import { toJson } from '../skill/yaml/node.ts';

export interface SourceField {
  readonly key: string;
  /** From the key to the end of the value. */
  readonly span: Span;
  readonly value: Json;
  /** What the field means; `null`: no host is known that reads it. */
  readonly meaning: string | null;
}

export function sourceFields(text: string): readonly SourceField[] {
  return nodeFrontmatter(text).map.entries.map(({ key, keySpan, value }) => ({
    key,
    span: { start: keySpan.start, end: value.span.end },
    value: toJson(value),
    meaning: describeKey([], key)?.text ?? null,
  }));
}
