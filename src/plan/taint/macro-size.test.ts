import { describe, expect, it } from 'vitest';
import type { Statement } from '../../template/syntax/ast.ts';
import { parseText } from '../parse-site.ts';
import { heightOf, sizeOfExpression } from './macro-size.ts';

const bodyOf = (text: string): readonly Statement[] => {
  const body = parseText(text);
  if (body === null) throw new Error(`not a template: ${text}`);
  return body;
};
const sizeOf = (expression: string): { readonly nodes: number; readonly height: number } => {
  const [output] = bodyOf(`{{ ${expression} }}`);
  if (output?.kind !== 'output') throw new Error('there is no expression');
  return sizeOfExpression(output.value);
};

describe('sizeOfExpression', () => {
  it.each([
    ['a', 1, 1],
    ['a.b', 2, 2],
    ['a + b', 3, 2],
    ['a + b * c', 5, 3],
    ['[a, b, c.d]', 5, 3],
    ['a | upper | lower', 3, 3],
  ])('%s has %i nodes in %i levels', (expression, nodes, height) => {
    expect(sizeOf(expression)).toEqual({ nodes, height });
  });
});

describe('heightOf', () => {
  it.each([
    ['', 0],
    ['text', 1],
    ['{{ a }}', 2],
    ['{{ a }}{{ a.b.c }}{{ a }}', 4],
    ['{% if a %}{{ b.c }}{% endif %}', 4],
    ['{% for x in a %}{% if x %}{{ x }}{% endif %}{% endfor %}', 4],
  ])('%s: %i', (text, height) => {
    expect(heightOf(bodyOf(text))).toBe(height);
  });
});
