// A name where only a name can be: behind a dot or `def`, in a load.
import type { Identifier } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { keywords, reservedWords } from './token.ts';

/** An identifier, or after a fault the reserved word in its place. */
export function parseName(c: Cursor): Identifier {
  const { start, end, kind } = c;
  if (kind !== 'identifier' && !keywords.has(kind) && !reservedWords.has(kind))
    c.failWanting('identifier: not an identifier');
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
