// A condition or an expression for a list -> Expression, and its site.
//
// An expression is written without braces. A lone `{{ … }}`, which other hosts require, is read as the expression
// inside it, with a diagnostic.
import type { YamlScalar } from '../skill/yaml/node.ts';
import type { Site } from './draft.ts';
import type { Expression } from './plan.ts';
import type { Fields } from './read-fields.ts';

interface ReadExpression {
  readonly expression: Expression;
  readonly site: Site;
}

const lone = /^(\s*\{\{[-+]?)((?:(?!\}\})[\s\S])*?)([-+]?\}\}\s*)$/;

export function readExpression(fields: Fields, key: string, inLoop = false): ReadExpression | null {
  const node = fields.get(key);
  if (node === null) {
    if (fields.has(key)) fields.text(key, 'an expression');
    return null;
  }
  return expressionOf(fields, key, node as YamlScalar, inLoop);
}

export function expressionOf(
  fields: Fields,
  label: string,
  node: YamlScalar,
  inLoop = false,
): ReadExpression | null {
  const text = fields.textOf(label, node);
  if (text === null) return null;
  const [, before, inside] = lone.exec(text) ?? [];
  if (before !== undefined && inside !== undefined) {
    fields.report(
      'PLAN_ALIAS',
      node.span,
      `${fields.owner}: ${label} is an expression; the braces around it are left out`,
      `write ${label}: ${JSON.stringify(inside.trim().slice(0, 60))}`,
    );
  }
  const bare = inside ?? text;
  const expression = { text: bare.trim(), span: node.span };
  return {
    expression,
    site: { kind: 'expression', label, node, text: bare, offset: before?.length ?? 0, sink: 'none', inLoop },
  };
}
