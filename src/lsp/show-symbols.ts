// Outlines, folds and words of templates -> the shapes of the protocol.
import type { DocumentSymbol, FoldingRange, SemanticTokens } from 'vscode-languageserver/node';
import { FoldingRangeKind, SemanticTokensBuilder, SymbolKind } from 'vscode-languageserver/node';
import type { Span } from '../base/span.ts';
import { lineAt } from '../base/span.ts';
import type { Fold, LanguageSymbol } from '../language/symbols.ts';
import type { TemplateRole, TemplateToken } from '../language/template-tokens.ts';
import { positionOf, rangeOf } from './positions.ts';

const symbolKinds: { readonly [kind in LanguageSymbol['kind']]: SymbolKind } = {
  field: SymbolKind.Field,
  step: SymbolKind.Event,
  input: SymbolKind.Variable,
  heading: SymbolKind.String,
  function: SymbolKind.Function,
  variable: SymbolKind.Variable,
};

export function showSymbols(text: string, symbols: readonly LanguageSymbol[]): DocumentSymbol[] {
  return symbols.map(({ name, detail, kind, span, selection, children }) => ({
    name: name === '' ? '?' : name,
    ...(detail === '' ? {} : { detail }),
    kind: symbolKinds[kind],
    range: rangeOf(text, {
      start: Math.min(span.start, selection.start),
      end: Math.max(span.end, selection.end),
    }),
    selectionRange: rangeOf(text, selection),
    children: showSymbols(text, children),
  }));
}

export function showFolds(text: string, folds: readonly Fold[]): FoldingRange[] {
  const seen = new Set<string>();
  return folds.flatMap(({ span, kind }) => {
    const startLine = positionOf(text, span.start).line;
    const endLine = positionOf(text, span.end).line;
    const key = `${startLine}:${endLine}`;
    if (endLine <= startLine || seen.has(key)) return [];
    seen.add(key);
    return [{ startLine, endLine, ...(kind === 'comment' ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}

/** In the order of their numbers. */
export const tokenTypes = [
  'comment',
  'keyword',
  'variable',
  'property',
  'function',
  'string',
  'number',
  'operator',
] as const;

const typeOf: { readonly [role in TemplateRole]: (typeof tokenTypes)[number] } = {
  comment: 'comment',
  delimiter: 'keyword',
  keyword: 'keyword',
  variable: 'variable',
  property: 'property',
  filter: 'function',
  test: 'function',
  string: 'string',
  number: 'number',
  operator: 'operator',
};

export function showTokens(text: string, tokens: readonly TemplateToken[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { role, start, end } of tokens)
    for (const piece of onLines(text, { start, end })) {
      const { line, character } = positionOf(text, piece.start);
      builder.push(line, character, piece.end - piece.start, tokenTypes.indexOf(typeOf[role]), 0);
    }
  return builder.build();
}

/** Editors need not show a token over several lines. */
function onLines(text: string, { start, end }: Span): readonly Span[] {
  const pieces: Span[] = [];
  for (let at = start; at < end;) {
    const line = lineAt(text, at);
    const until = Math.min(end, line.end);
    if (until > at) pieces.push({ start: at, end: until });
    at = Math.max(line.end, at);
    while (at < end && /[\r\n]/.test(text.charAt(at))) at += 1;
    if (until <= at && at >= end) break;
  }
  return pieces;
}
