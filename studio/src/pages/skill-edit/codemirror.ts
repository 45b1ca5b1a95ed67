// A text editor: CodeMirror in a shadow root, so that its styles need no exception from the content policy.
//
//   host element, asks of the engine -> TextEditor { show, mark, goTo, focus, destroy }
//
// What it completes, explains and marks comes from the server. Languages load when a file needs one.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import type { LanguageSupport } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, StateEffect } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface Explained {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly text: string;
}

export interface Completed {
  readonly from: number;
  readonly to: number;
  readonly isCut: boolean;
  readonly items: readonly {
    readonly label: string;
    readonly kind: string;
    readonly insert: string;
    readonly detail: string;
    readonly description: string;
  }[];
}

/** A fault in the text that is shown. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** Corrects it; the text changes through `onchange`. */
  readonly fix: (() => void) | null;
}

export interface EditorAsks {
  /** The text of a file, after each change by hand. */
  readonly onchange: (path: string, text: string) => void;
  readonly complete: (
    path: string,
    text: string,
    offset: number,
    signal: AbortSignal,
  ) => Promise<Completed | null>;
  readonly explain: (path: string, text: string, offset: number) => Promise<Explained | null>;
  /** What Ctrl+I found, for screen readers too. */
  readonly onexplained: (explained: Explained | null) => void;
  readonly onsave: () => void;
}

export interface TextEditor {
  /** Shows a file; its undo history is its own. A text that is not the one of the editor replaces it. */
  show(path: string, text: string): void;
  mark(marks: readonly Mark[]): void;
  goTo(from: number, to: number): void;
  /** Forgets the histories of files. */
  forget(): void;
  destroy(): void;
}

const kinds: { readonly [kind: string]: string } = {
  field: 'property',
  value: 'enum',
  step: 'class',
  input: 'variable',
  skill: 'interface',
  tool: 'function',
  filter: 'function',
  test: 'function',
  tag: 'keyword',
};

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword],
    color: 'var(--accent)',
  },
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.heading],
    color: 'var(--live)',
    fontWeight: '600',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))],
    color: 'var(--live)',
  },
  { tag: [tags.monospace, tags.url, tags.link], color: 'var(--accent)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selected)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--line-strong)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(34rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--font)', lineHeight: '1.5' },
  '.cm-diagnostic': { padding: '4px 10px', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--warn)' },
  '.cm-diagnostic-info': { borderLeft: '4px solid var(--live)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-text)',
    borderRadius: '4px',
    padding: '2px 8px',
  },
  // The stock underlines are pictures in `data:` addresses, which the content policy refuses.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-info, .cm-lintRange-hint': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--live)',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker': {
    content: '""',
    width: '0.6rem',
    height: '0.6rem',
    borderRadius: '50%',
    margin: '0.3rem 0.15rem',
  },
  '.cm-lint-marker-error': {
    content: '""',
    backgroundColor: 'var(--bad)',
    borderRadius: '2px',
    transform: 'rotate(45deg)',
  },
  '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--warn)' },
  '.cm-lint-marker-info': { content: '""', border: '2px solid var(--live)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    borderColor: 'var(--line-strong)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    borderColor: 'var(--line-strong)',
  },
  '.explained': { padding: '6px 10px', fontFamily: 'var(--font)', lineHeight: '1.5', whiteSpace: 'pre-wrap' },
  '.explained b': { display: 'block', fontFamily: 'var(--mono)' },
});

async function languageOf(path: string): Promise<Extension> {
  const support = async (): Promise<LanguageSupport | null> => {
    if (/\.(?:star|bzl|py|pyi)$/.test(path)) return (await import('@codemirror/lang-python')).python();
    if (/\.ya?ml$/.test(path)) return (await import('@codemirror/lang-yaml')).yaml();
    if (/\.(?:md|markdown)$/.test(path))
      return (await import('./markdown-language.ts')).markdownWithFrontmatter();
    return null;
  };
  return (await support()) ?? [];
}

export function openTextEditor(host: HTMLElement, asks: EditorAsks): TextEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const frame = document.createElement('div');
  frame.className = 'frame';
  root.replaceChildren(frame);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':host{display:block;height:100%;min-height:0}.frame{height:100%}');
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const states = new Map<string, EditorState>();
  const isSearchable = new Set<string>();
  let shown = '';
  let isOurs = false;

  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const before = context.matchBefore(/[\w.-]+/);
    const previous = text.slice(Math.max(0, context.pos - 2), context.pos);
    if (!context.explicit && before === null && !/(?:[.{|:[,(]|[:,-] )$/.test(previous)) return null;
    const stale = new AbortController();
    context.addEventListener('abort', () => stale.abort(), { onDocChange: true });
    const found = await asks.complete(shown, text, context.pos, stale.signal);
    if (found === null || found.items.length === 0) return null;
    return {
      from: found.from,
      to: found.to,
      options: found.items.map(({ label, kind, insert, detail, description }): Completion => ({
        label,
        apply: insert,
        type: kinds[kind] ?? kind,
        ...(detail === '' ? {} : { detail }),
        ...(description === '' ? {} : { info: () => textNode(description) }),
      })),
      ...(found.isCut ? {} : { validFor: /^[\w-]*$/ }),
    };
  };
  const explainAt = async (view: EditorView, offset: number): Promise<Explained | null> => {
    const text = view.state.doc.toString();
    const explained = await asks.explain(shown, text, offset);
    return view.state.doc.toString() === text ? explained : null;
  };
  const language = new Compartment();
  const extensions = (path: string): Extension => [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    syntaxHighlighting(colours),
    look,
    language.of([]),
    autocompletion({ override: [complete], icons: false }),
    hoverTooltip(
      async (view, offset) => {
        const explained = await explainAt(view, offset);
        if (explained === null) return null;
        return {
          pos: explained.from,
          end: explained.to,
          create: () => {
            const dom = document.createElement('div');
            dom.className = 'explained';
            const title = document.createElement('b');
            title.textContent = explained.title;
            dom.append(title, explained.text);
            return { dom };
          },
        };
      },
      { hideOnChange: true },
    ),
    keymap.of([
      {
        key: 'Mod-i',
        run: (view) => {
          void explainAt(view, view.state.selection.main.head).then(asks.onexplained);
          return true;
        },
      },
      {
        // The browser's own search sees only the lines that are drawn.
        key: 'Mod-f',
        run: (view) => {
          void import('@codemirror/search').then(
            ({ openSearchPanel, search, searchKeymap, searchPanelOpen }) => {
              if (!isSearchable.has(shown)) {
                isSearchable.add(shown);
                view.dispatch({
                  effects: StateEffect.appendConfig.of([search({ top: true }), keymap.of(searchKeymap)]),
                });
              }
              if (!searchPanelOpen(view.state)) openSearchPanel(view);
            },
          );
          return true;
        },
      },
      {
        key: 'Mod-s',
        run: () => {
          asks.onsave();
          return true;
        },
      },
      {
        // Tab indents; after Escape it leaves the editor.
        key: 'Escape',
        run: (view) => {
          if (completionStatus(view.state) !== null) return false;
          setTimeout(() => view.setTabFocusMode(10_000));
          return false;
        },
      },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      'aria-label': `Text of ${path}`,
      'aria-multiline': 'true',
      tabindex: '0',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !isOurs) asks.onchange(path, update.state.doc.toString());
    }),
    EditorState.tabSize.of(2),
  ];
  const view = new EditorView({ root, parent: frame });

  return {
    show(path, text) {
      if (path !== shown) {
        if (shown !== '') states.set(shown, view.state);
        shown = path;
        view.setState(states.get(path) ?? EditorState.create({ doc: text, extensions: extensions(path) }));
        void languageOf(path).then((support) => {
          if (shown === path) view.dispatch({ effects: language.reconfigure(support) });
        });
      }
      const now = view.state.doc.toString();
      if (now === text) return;
      // Only what differs, so that the cursor stays where it is.
      let start = 0;
      while (start < now.length && start < text.length && now[start] === text[start]) start += 1;
      let end = 0;
      while (
        end < now.length - start &&
        end < text.length - start &&
        now[now.length - 1 - end] === text[text.length - 1 - end]
      )
        end += 1;
      isOurs = true;
      view.dispatch({
        changes: { from: start, to: now.length - end, insert: text.slice(start, text.length - end) },
      });
      isOurs = false;
    },
    mark(marks) {
      const { length } = view.state.doc;
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map(({ from, to, severity, message, fix }): Diagnostic => ({
            from: Math.min(from, length),
            to: Math.min(Math.max(from, to), length),
            severity,
            message,
            ...(fix === null ? {} : { actions: [{ name: 'Fix', apply: fix }] }),
          })),
        ),
      );
    },
    goTo(from, to) {
      const { length } = view.state.doc;
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        effects: EditorView.scrollIntoView(Math.min(from, length), { y: 'center' }),
      });
      view.focus();
    },
    forget() {
      states.clear();
      isSearchable.clear();
      shown = '';
    },
    destroy: () => view.destroy(),
  };
}

function textNode(text: string): Node {
  const dom = document.createElement('div');
  dom.textContent = text;
  return dom;
}
