// The parameters of a function.
//
//   Parameters = Parameter {"," Parameter} [","]
//   Parameter  = identifier ["=" Expression] | "*" [identifier] | "**" identifier
//
// Those with a default follow those without; after a star, in any order, are those that are given by name only; `**`
// is the last. No name occurs twice.
import type { Expression, Identifier, Parameter } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind } from './token.ts';
import { keywords, reservedWords } from './token.ts';

/** Reads up to `closer`, which it leaves: `)` of a def, `:` of a lambda. */
export function parseParameters(c: Cursor, closer: ')' | ':', parse: (c: Cursor) => Expression): Parameter[] {
  const parameters: Parameter[] = [];
  let isFirst = true;
  let annotated = false;
  while (!c.at(closer)) {
    if (!isFirst) {
      c.expect(',');
      if (c.at(closer)) break;
    }
    isFirst = false;
    const { start, kind } = c;
    if (kind === '*' || kind === '**') {
      c.advance();
      const name = kind === '**' || isWord(c.kind) ? parseParameterName(c) : null;
      if (skipAnnotation(c, closer, annotated, parse)) annotated = true;
      parameters.push({
        kind: kind === '*' ? 'star' : 'double-star',
        start,
        end: c.lastEnd,
        name,
        defaultValue: null,
      });
    } else if (kind === '/') {
      c.fault(
        'STAR_PARAMETERS',
        start,
        c.end,
        "got '/', want identifier: positional-only parameters are not part of Starlark",
        'leave it out',
      );
      c.advance();
    } else {
      const name = parseParameterName(c);
      if (skipAnnotation(c, closer, annotated, parse)) annotated = true;
      const defaultValue = c.accept('=') ? parse(c) : null;
      parameters.push({ kind: 'plain', start, end: c.lastEnd, name, defaultValue });
    }
  }
  checkParameters(c, parameters);
  return parameters;
}

function isWord(kind: TokenKind): boolean {
  return kind === 'identifier' || keywords.has(kind) || reservedWords.has(kind);
}

function parseParameterName(c: Cursor): Identifier {
  const { start, end, kind } = c;
  if (!isWord(kind)) c.failWanting('identifier: not an identifier', undefined, 'STAR_PARAMETERS');
  if (kind !== 'identifier')
    c.fault(
      'STAR_RESERVED',
      start,
      end,
      `not an identifier: ${kind} is a reserved word`,
      'choose another name',
    );
  const name = kind === 'identifier' ? (c.value as string) : kind;
  c.advance();
  return { kind: 'identifier', start, end, name, binding: null };
}

/** Whether there was one; only the first of a function is reported. */
function skipAnnotation(
  c: Cursor,
  closer: ')' | ':',
  reported: boolean,
  parse: (c: Cursor) => Expression,
): boolean {
  if (closer === ':' || !c.at(':')) return false;
  const { start } = c;
  c.advance();
  parse(c);
  if (!reported)
    c.fault(
      'STAR_ANNOTATION',
      start,
      c.lastEnd,
      "got ':', want ',' or ')': type annotations are not part of Starlark",
      'remove the annotations',
    );
  return true;
}

function checkParameters(c: Cursor, parameters: readonly Parameter[]): void {
  const names = new Set<string>();
  let star: Parameter | null = null;
  let doubleStar = false;
  let optional = false;
  let keywordOnly = false;
  const fault = (
    { start, end }: { readonly start: number; readonly end: number },
    message: string,
    hint?: string,
  ): void => c.fault('STAR_PARAMETERS', start, end, message, hint);
  for (const parameter of parameters) {
    const { kind, name, defaultValue } = parameter;
    if (kind === 'double-star') {
      if (doubleStar) fault(parameter, 'multiple ** parameters not allowed');
      doubleStar = true;
    } else if (kind === 'star') {
      if (doubleStar)
        fault(parameter, '* parameter may not follow **kwargs', 'put it before the ** parameter');
      else if (star !== null) fault(parameter, 'multiple * parameters not allowed');
      star ??= parameter;
    } else if (doubleStar) {
      fault(parameter, 'parameter may not follow **kwargs', 'put it before the ** parameter');
    } else if (star !== null) {
      keywordOnly = true;
    } else if (defaultValue !== null) {
      optional = true;
    } else if (optional) {
      fault(parameter, 'required parameter may not follow optional', 'put it first, or give it a default');
    }
    if (name !== null) {
      if (names.has(name.name)) fault(name, `duplicate parameter: ${name.name}`);
      names.add(name.name);
    }
  }
  if (star !== null && star.name === null && !keywordOnly) {
    fault(star, 'bare * must be followed by keyword-only parameters', 'remove it, or name it *args');
  }
}
