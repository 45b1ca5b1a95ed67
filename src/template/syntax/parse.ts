// Source text -> tree, or null after telling everything that is wrong with it.
import type { Expression, TemplateTree } from './ast.ts';
import { Cursor, SyntaxFault } from './cursor.ts';
import type { Faults } from './faults.ts';
import { lex } from './lex.ts';
import { parseExpression } from './parse-expression.ts';
import { parseStatements } from './parse-statement.ts';

interface SyntaxLimits {
  readonly maxDepth: number;
  readonly maxSourceUnits: number;
}

export function parseTemplate(source: string, limits: SyntaxLimits, faults: Faults): TemplateTree | null {
  if (isTooLarge(source, limits, faults)) return null;
  const cursor = new Cursor(lex(source, false, faults), limits.maxDepth, faults);
  const body = unlessFaulty(() => parseStatements(cursor));
  return body === null || faults.any ? null : { kind: 'template', body };
}

function unlessFaulty<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    return null;
  }
}

/** `source` is what would be between `{{` and `}}`. */
export function parseExpressionSource(
  source: string,
  limits: SyntaxLimits,
  faults: Faults,
): Expression | null {
  if (isTooLarge(source, limits, faults)) return null;
  const begin = source.search(/\S/);
  if (source.startsWith('{{', begin) || source.startsWith('{%', begin)) {
    faults.add(
      'TEMPLATE_SYNTAX',
      { start: begin, end: begin + 2 },
      'an expression is written without "{{ }}"',
      'leave the braces out',
    );
    return null;
  }
  const cursor = new Cursor(lex(source, true, faults), limits.maxDepth, faults);
  const tree = unlessFaulty(() => {
    const parsed = parseExpression(cursor);
    if (!cursor.is('end'))
      cursor.unexpected(
        'the end of the expression',
        cursor.isSign('=') ? 'to compare, write "=="' : undefined,
      );
    return parsed;
  });
  return faults.any ? null : tree;
}

function isTooLarge(source: string, { maxSourceUnits }: SyntaxLimits, faults: Faults): boolean {
  if (source.length <= maxSourceUnits) return false;
  faults.add(
    'TEMPLATE_TOO_LARGE',
    { start: 0, end: 0 },
    `the template has ${source.length} characters: ${maxSourceUnits} are the most`,
  );
  return true;
}
