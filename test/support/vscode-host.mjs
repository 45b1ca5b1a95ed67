// Plays a small part of VS Code for one extension: node vscode-host.mjs BUNDLE SCENARIO
//
//   a scenario (JSON) -> the bundle is loaded with a stub of the module "vscode", activated, used, ended -> what came of it (JSON)
//
/* oxlint-disable typescript/no-extraneous-class -- the client asks with instanceof */
// What the stub does not know is a class, an event or a function that does nothing, as much as the client of the protocol needs to load.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';

const [bundle, given] = process.argv.slice(2);
const scenario = JSON.parse(given);

class Disposable {
  constructor(run) {
    this.run = run;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose() {
    this.run?.();
    this.run = undefined;
  }
}
class EventEmitter {
  heard = new Set();
  event = (listener, self) => {
    const call = (value) => listener.call(self, value);
    this.heard.add(call);
    return new Disposable(() => this.heard.delete(call));
  };
  fire(value) {
    for (const call of this.heard) call(value);
  }
  dispose() {
    this.heard.clear();
  }
}
class CancellationTokenSource {
  emitter = new EventEmitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}
class Uri {
  constructor(scheme, path) {
    this.scheme = scheme;
    this.path = path;
    this.authority = '';
    this.query = '';
    this.fragment = '';
  }
  static file(path) {
    return new Uri('file', path);
  }
  static parse(text) {
    return text.startsWith('file:')
      ? Uri.file(fileURLToPath(text))
      : new Uri(text.split(':')[0], text.replace(/^[^:]*:/, ''));
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}
class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}
class Range {
  constructor(start, end, endLine, endCharacter) {
    this.start = start instanceof Position ? start : new Position(start, end);
    this.end = start instanceof Position ? end : new Position(endLine, endCharacter);
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class ProcessExecution {
  constructor(process, args, options) {
    Object.assign(this, { process, args, options });
  }
}
class Task {
  constructor(definition, scope, name, source, execution, matchers) {
    Object.assign(this, { definition, scope, name, source, execution, matchers });
  }
}

class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
}
class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range });
  }
}
class CompletionItem {
  constructor(label, kind) {
    Object.assign(this, { label, kind });
  }
}
class CodeActionKind {
  static Empty = new CodeActionKind('');
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value === '' ? part : `${this.value}.${part}`);
  }
}
class CodeLens {
  constructor(range, command) {
    Object.assign(this, { range, command });
  }
}
class CompletionList {
  constructor(items, isIncomplete) {
    Object.assign(this, { items, isIncomplete });
  }
}
class TabInputText {
  constructor(uri) {
    this.uri = uri;
  }
}

const seen = { messages: [], tasks: [], diagnostics: {}, providers: {}, commands: {}, log: [], shells: [] };
const waiting = new Set();
const changed = () => waiting.forEach((look) => look());
const until = (what, look) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${what} did not come: ${JSON.stringify(seen.log)}`)),
      40_000,
    );
    const check = () => {
      if (!look()) return;
      clearTimeout(timer);
      waiting.delete(check);
      resolve();
    };
    waiting.add(check);
    check();
  });

/** A class with any constants. */
const something = (name) =>
  new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : key === 'name' ? name : 0) });
const namespace = (known) =>
  new Proxy(known, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return target[key];
      if (/^on(?:Did|Will)/.test(key)) return () => new Disposable();
      if (key.startsWith('register'))
        return (_selector, provider) => {
          seen.providers[key] = provider;
          return new Disposable();
        };
      return () => new Disposable();
    },
  });

const say =
  (kind) =>
  async (text, ...items) => {
    seen.messages.push({ kind, text, items });
    changed();
  };
const configured = (section, key) => {
  const name = section === undefined || section === '' ? key : `${section}.${key}`;
  const { global = {}, workspace = {} } = scenario.settings ?? {};
  return { key: name, globalValue: global[name], workspaceValue: workspace[name] };
};
const settingsOf = (section) => ({
  // The value of the workspace comes through, as if VS Code did not hold it back.
  get: (key, usual) =>
    configured(section, key).workspaceValue ?? configured(section, key).globalValue ?? usual,
  has: () => true,
  inspect: (key) => configured(section, key),
});

const document = (path, languageId) => {
  const text = TextDocument.create(pathToFileURL(path).href, languageId, 1, readFileSync(path, 'utf8'));
  return {
    uri: Uri.file(path),
    fileName: path,
    languageId,
    version: 1,
    isClosed: false,
    isDirty: false,
    isUntitled: false,
    getText: () => text.getText(),
    positionAt: (at) => text.positionAt(at),
    offsetAt: (at) => text.offsetAt(at),
    lineCount: text.lineCount,
  };
};
const documents = (scenario.documents ?? []).map(({ path, language }) => document(path, language));
const folder = { uri: Uri.file(scenario.workspace), name: 'work', index: 0 };
const trust = new EventEmitter();

const vscode = namespace({
  version: '1.91.0',
  Disposable,
  EventEmitter,
  CancellationTokenSource,
  Uri,
  Position,
  Range,
  Diagnostic,
  ProcessExecution,
  TabInputText,
  MarkdownString,
  Hover,
  CompletionItem,
  CompletionList,
  CodeActionKind,
  CodeLens,
  Task,
  env: { language: 'en', appName: 'VS Code', machineId: 'x', clipboard: { writeText: async () => {} } },
  workspace: namespace({
    isTrusted: scenario.trusted,
    workspaceFolders: [folder],
    textDocuments: documents,
    notebookDocuments: [],
    getConfiguration: settingsOf,
    getWorkspaceFolder: ({ path }) => (path.startsWith(`${scenario.workspace}/`) ? folder : undefined),
    onDidGrantWorkspaceTrust: trust.event,
    createFileSystemWatcher: () => ({
      onDidCreate: () => new Disposable(),
      onDidChange: () => new Disposable(),
      onDidDelete: () => new Disposable(),
      dispose() {},
    }),
  }),
  window: namespace({
    activeTextEditor: documents[0] === undefined ? undefined : { document: documents[0] },
    visibleTextEditors: [],
    tabGroups: {
      all: [{ tabs: documents.map(({ uri }) => ({ input: new TabInputText(uri) })) }],
      onDidChangeTabs: () => new Disposable(),
      onDidChangeTabGroups: () => new Disposable(),
    },
    showErrorMessage: say('error'),
    showWarningMessage: say('warning'),
    showInformationMessage: say('information'),
    createTerminal: (options) => seen.shells.push(options),
    createOutputChannel: (name) => {
      const write = (...words) => seen.log.push(words.join(' '));
      const channel = {
        name,
        logLevel: 1,
        append: write,
        appendLine: write,
        clear() {},
        show() {},
        hide() {},
        dispose() {},
      };
      return Object.assign(channel, {
        trace: write,
        debug: write,
        info: write,
        warn: write,
        error: write,
        onDidChangeLogLevel: () => new Disposable(),
      });
    },
  }),
  languages: namespace({
    match: (selectors, { uri, languageId }) =>
      [selectors]
        .flat()
        .some(({ language, pattern }) =>
          language === undefined
            ? basename(uri.path) === pattern?.split('/').at(-1)
            : language === languageId,
        )
        ? 10
        : 0,
    createDiagnosticCollection: (name) => ({
      name,
      set(uri, found) {
        seen.diagnostics[uri.path] = (found ?? []).map(({ code, message, range, severity }) => ({
          code: code?.value ?? code,
          message,
          severity,
          line: range.start.line,
        }));
        changed();
      },
      delete() {},
      clear() {},
      dispose() {},
    }),
  }),
  commands: namespace({
    registerCommand(name, run) {
      if (name in seen.commands) throw new Error(`the command ${name} is there twice`);
      seen.commands[name] = run;
      return new Disposable(() => delete seen.commands[name]);
    },
    executeCommand: async () => {},
  }),
  tasks: namespace({
    async executeTask(task) {
      seen.tasks.push(task);
      return { task };
    },
  }),
  TaskScope: { Global: 1, Workspace: 2 },
  TaskRevealKind: { Always: 1 },
  TaskPanelKind: { Dedicated: 2 },
});
const module = new Proxy(vscode, {
  get: (target, key) =>
    Reflect.has(target, key) ? target[key] : typeof key === 'string' ? something(key) : undefined,
});

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === 'vscode' ? module : load.call(this, request, ...rest);
};

const result = { answers: {} };
// As VS Code does, which writes them into a log.
process.on('unhandledRejection', (error) => seen.log.push(`unhandled: ${error}`));
const extension = createRequire(import.meta.url)(bundle);
const api = await extension.activate({
  subscriptions: [],
  extensionPath: '',
  asAbsolutePath: (path) => path,
});
const token = new CancellationTokenSource().token;
for (const step of scenario.steps) {
  if (step.diagnostics !== undefined)
    await until('a diagnostic', () => (seen.diagnostics[step.diagnostics]?.length ?? 0) > 0);
  if (step.message !== undefined)
    await until('a message', () => seen.messages.some(({ text }) => text.includes(step.message)));
  if (step.command !== undefined) await seen.commands[step.command]?.(step.argument);
  if (step.ask !== undefined) {
    const provider = seen.providers[`register${step.ask}Provider`];
    const position = new Position(step.line, step.character);
    const method =
      { CompletionItem: 'provideCompletionItems', CodeLens: 'provideCodeLenses' }[step.ask] ??
      `provide${step.ask}`;
    const answer =
      step.ask === 'CodeLens'
        ? await provider?.[method]?.(documents[0], token)
        : await provider?.[method]?.(documents[0], position, token, {});
    if (step.click === true)
      for (const { command } of answer ?? []) await seen.commands[command.command]?.(...command.arguments);
    result.answers[step.ask] = JSON.parse(JSON.stringify(answer ?? null));
  }
  if (step.state === true) result.state = api.client()?.state ?? null;
  if (step.killServer === true) result.pid = api.client()?.serverProcess?.pid ?? null;
}
await extension.deactivate();
result.stateAfter = api.client() === null ? null : 'there';
const { messages, tasks, diagnostics, log, shells } = seen;
process.stdout.write(
  JSON.stringify({
    ...result,
    messages,
    diagnostics,
    log,
    shells: shells.length,
    commands: Object.keys(seen.commands),
    tasks: tasks.map(({ name, definition, execution }) => ({ name, definition, ...execution })),
  }),
);
