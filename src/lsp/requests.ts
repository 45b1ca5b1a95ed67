// Requests about a document -> the editor -> the shapes of the protocol.
import type {
  CancellationToken,
  CodeAction,
  CodeLens,
  Connection,
  Diagnostic as ShownDiagnostic,
  Location as ShownLocation,
  MarkupKind,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { CodeActionKind, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { TechneError } from '../base/error.ts';
import type { TextChange } from '../language/fixes/candidates.ts';
import { foldsIn, symbolsIn } from '../language/symbols.ts';
import { templateTokens } from '../language/template-tokens.ts';
import type { Location } from '../techne/editor/navigate.ts';
import type { Editor } from '../techne/editor/open-editor.ts';
import { fixAllChanges } from '../techne/editor/quick-fixes.ts';
import { showCompletions, showHover } from './answers.ts';
import type { Documents } from './documents.ts';
import { offsetOf, rangeOf } from './positions.ts';
import type { Publisher, PublishSettings } from './publish.ts';
import { showFolds, showSymbols, showTokens } from './show-symbols.ts';

export interface RequestParts {
  readonly connection: Connection;
  readonly editor: Editor;
  readonly documents: Documents;
  readonly publisher: Publisher;
  readonly settings: PublishSettings;
  /** What the client shows in a hover. */
  readonly hoverKind: () => MarkupKind;
  readonly answer: Answer;
}

/** Runs the work for an open document; `otherwise` for one that is not open. */
export type Answer = <T>(
  uri: string,
  token: CancellationToken,
  otherwise: T,
  work: (document: { readonly path: string; readonly text: string }) => Promise<T> | T,
) => Promise<T>;

export function listenToRequests(parts: RequestParts): void {
  const { connection, editor, answer } = parts;
  connection.onCompletion(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, null, async ({ path, text }) =>
      showCompletions(text, await editor.complete(path, offsetOf(text, position))),
    ),
  );
  connection.onHover(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, null, async ({ path, text }) =>
      showHover(text, await editor.hover(path, offsetOf(text, position)), parts.hoverKind()),
    ),
  );
  connection.onDocumentSymbol(({ textDocument }, token) =>
    answer(textDocument.uri, token, [], ({ path, text }) =>
      showSymbols(text, symbolsIn(editor.fileOf(path))),
    ),
  );
  connection.onFoldingRanges(({ textDocument }, token) =>
    answer(textDocument.uri, token, [], ({ path, text }) => showFolds(text, foldsIn(editor.fileOf(path)))),
  );
  connection.languages.semanticTokens.on(({ textDocument }, token) =>
    answer(textDocument.uri, token, { data: [] }, ({ path, text }) =>
      showTokens(text, templateTokens(editor.fileOf(path))),
    ),
  );
  listenToNames(parts);
  listenToChanges(parts);
}

function listenToNames(parts: RequestParts): void {
  const { connection, editor, answer } = parts;
  connection.onDefinition(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, [], async ({ path, text }) =>
      locations(parts, await editor.definitions(path, offsetOf(text, position))),
    ),
  );
  connection.onReferences(({ textDocument, position, context }, token) =>
    answer(textDocument.uri, token, [], async ({ path, text }) =>
      locations(parts, await editor.references(path, offsetOf(text, position), context.includeDeclaration)),
    ),
  );
  connection.onPrepareRename(({ textDocument, position }, token) =>
    answer(textDocument.uri, token, null, ({ path, text }) => {
      const found = editor.renamed(path, offsetOf(text, position));
      return found === null ? null : { range: rangeOf(text, found), placeholder: found.name };
    }),
  );
  connection.onRenameRequest(({ textDocument, position, newName }, token) =>
    answer(textDocument.uri, token, null, async ({ path, text }): Promise<WorkspaceEdit | null> => {
      const changes: { [uri: string]: TextEdit[] } = {};
      for (const one of await editor.renames(path, offsetOf(text, position), newName)) {
        const { uri, range } = located(parts, one);
        (changes[uri] ??= []).push({ range, newText: newName });
      }
      return { changes };
    }),
  );
}

function locations(parts: RequestParts, found: readonly Location[]): ShownLocation[] {
  return found.map((one) => located(parts, one));
}

function located({ documents, editor }: RequestParts, { path, span }: Location): ShownLocation {
  return { uri: documents.uriOf(path), range: rangeOf(editor.texts.read(path) ?? '', span) };
}

function listenToChanges(parts: RequestParts): void {
  const { connection, editor, answer } = parts;
  connection.onCodeAction(({ textDocument, context, range }, token) =>
    answer(textDocument.uri, token, [], async ({ path, text }) => {
      const wants = (kind: string): boolean =>
        context.only === undefined ||
        context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
      const actions: CodeAction[] = [];
      if (wants(CodeActionKind.QuickFix)) {
        const asked = context.diagnostics.length > 0 ? context.diagnostics : null;
        const touched = parts.publisher
          .findingsOf(path)
          .map((one) => ({ one, shown: parts.publisher.show(one) }));
        for (const { one, shown } of touched) {
          const isAsked =
            asked === null ? touches(shown, range) : asked.some((given) => isSameFinding(given, shown));
          if (!isAsked || token.isCancellationRequested) continue;
          actions.push(...(await fixesOf(parts, path, text, one, shown)));
        }
      }
      if (wants('source.fixAll.techne') && (context.only ?? []).length > 0)
        actions.push(...fixAll(parts, path, text));
      return actions;
    }),
  );
  connection.onDocumentFormatting(({ textDocument }, token) =>
    answer(textDocument.uri, token, [], async ({ path, text }) => {
      const made = await editor.format(path);
      return made === null || made === text ? [] : [smallestEdit(text, made)];
    }),
  );
  connection.onCodeLens(({ textDocument }, token) =>
    answer(textDocument.uri, token, [], async ({ path, text }) => {
      const found = await editor.lenses(path);
      if (found === null) return [];
      const range = rangeOf(text, null);
      const lens = (title: string, command: string): CodeLens => ({
        range,
        command: { title, command, arguments: [{ skill: found.skill, path }] },
      });
      return [
        ...(found.runs ? [lens('Run skill', 'techne.runSkill')] : []),
        ...(found.tests ? [lens('Run tests', 'techne.runTests')] : []),
      ];
    }),
  );
}

function isSameFinding(one: ShownDiagnostic, other: ShownDiagnostic): boolean {
  return (
    one.code === other.code &&
    one.message === other.message &&
    JSON.stringify(one.range) === JSON.stringify(other.range)
  );
}

function touches({ range: { start, end } }: ShownDiagnostic, range: ShownDiagnostic['range']): boolean {
  return start.line <= range.end.line && end.line >= range.start.line;
}

async function fixesOf(
  parts: RequestParts,
  path: string,
  text: string,
  finding: Diagnostic,
  shown: ShownDiagnostic,
): Promise<readonly CodeAction[]> {
  const { editor, publisher, settings } = parts;
  const skill = editor.findSkill(path);
  const checked = publisher.checkedOf(path);
  if (skill === null || checked === null) return [];
  const fixes = await editor.quickFixes(skill, finding, checked, settings);
  return fixes.map(({ title, changes }, index) => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [shown],
    isPreferred: index === 0,
    edit: editOf(parts, path, text, changes),
  }));
}

function editOf(
  { documents, editor }: RequestParts,
  path: string,
  text: string,
  changes: readonly TextChange[],
): WorkspaceEdit {
  const edits = changes.map((change) => ({
    range: rangeOf(text, editor.texts.shown(path, change)),
    newText: change.text,
  }));
  return { changes: { [documents.uriOf(path)]: edits } };
}

function fixAll(parts: RequestParts, path: string, text: string): readonly CodeAction[] {
  const skill = parts.editor.findSkill(path);
  const checked = parts.publisher.checkedOf(path);
  if (skill === null || checked === null) return [];
  const changes = fixAllChanges(checked.fixes, skill.inside);
  if (changes.length === 0) return [];
  return [
    {
      title: 'Correct everything that techne check --fix does',
      kind: 'source.fixAll.techne',
      edit: editOf(parts, path, text, changes),
    },
  ];
}

/** Without the lines that stay at both ends. */
function smallestEdit(text: string, made: string): TextEdit {
  const most = Math.min(text.length, made.length);
  let start = 0;
  while (start < most && text[start] === made[start]) start += 1;
  while (start > 0 && text[start - 1] !== '\n') start -= 1;
  let same = 0;
  while (same < most - start && text[text.length - 1 - same] === made[made.length - 1 - same]) same += 1;
  while (same > 0 && text[text.length - same - 1] !== '\n') same -= 1;
  return {
    range: rangeOf(text, { start, end: text.length - same }),
    newText: made.slice(start, made.length - same),
  };
}

/** A request that cannot be honoured, for the person. */
export function refusal(error: TechneError, message: string): ResponseError<{ readonly code: string }> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message, { code: error.code });
}
