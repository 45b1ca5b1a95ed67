// What the language of skills says -> the shapes of the protocol.
import type { CompletionList, Hover as ShownHover } from 'vscode-languageserver/node';
import { CompletionItemKind, InsertTextMode, MarkupKind } from 'vscode-languageserver/node';
import type { Completion, Completions, Hover } from '../language/language.ts';
import { rangeOf } from './positions.ts';

/** What begins a word of another kind, so that an editor asks again. */
export const triggerCharacters = ['.', ':', '"', "'", '{', '%', '|', '[', ' ', '-', '/'] as const;

const kinds: { readonly [kind in Completion['kind']]: CompletionItemKind } = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  step: CompletionItemKind.Reference,
  input: CompletionItemKind.Variable,
  variable: CompletionItemKind.Variable,
  filter: CompletionItemKind.Function,
  test: CompletionItemKind.Function,
  tag: CompletionItemKind.Keyword,
  skill: CompletionItemKind.Module,
  tool: CompletionItemKind.Interface,
  function: CompletionItemKind.Function,
  method: CompletionItemKind.Method,
  keyword: CompletionItemKind.Keyword,
};

export function showCompletions(text: string, { span, items }: Completions): CompletionList {
  const range = rangeOf(text, span);
  return {
    isIncomplete: false,
    items: items.map(({ label, kind, insert, detail, description }, index) => ({
      label,
      kind: kinds[kind],
      ...(detail === '' ? {} : { detail }),
      ...(description === '' ? {} : { documentation: description }),
      // In the order of importance, not of the alphabet.
      sortText: String(index).padStart(5, '0'),
      filterText: label,
      textEdit: { range, newText: insert },
      // Its lines have their indentation.
      ...(insert.includes('\n') ? { insertTextMode: InsertTextMode.asIs } : {}),
    })),
  };
}

export function showHover(text: string, found: Hover | null, kind: MarkupKind): ShownHover | null {
  if (found === null) return null;
  const { span, title, text: meaning } = found;
  if (kind === MarkupKind.PlainText)
    return { range: rangeOf(text, span), contents: { kind, value: `${title}\n\n${meaning}` } };
  return {
    range: rangeOf(text, span),
    contents: { kind, value: `**${escaped(title)}**\n\n${lines(meaning)}` },
  };
}

function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => escaped(line))
    .join('  \n');
}

/** Texts of skills are shown as they are: no link, no picture, no HTML. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]#!|<>~&]/g, String.raw`\$&`);
}
