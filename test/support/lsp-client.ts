// A plain client of the language server: the built command in a process of its own, and the protocol library of editors.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  CompletionList,
  Diagnostic,
  InitializeParams,
  InitializeResult,
  ProtocolConnection,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const project = fileURLToPath(new URL('../..', import.meta.url));
const command = join(project, 'bin/techne.mjs');

export interface LspClientOptions {
  readonly homeFolder: string;
  readonly folders: readonly string[];
  readonly initializationOptions?: unknown;
  readonly params?: Partial<InitializeParams>;
  /** Of the process of the server, such as a limit of its heap. */
  readonly nodeOptions?: string;
}

export function startServer(
  homeFolder: string,
  argv: readonly string[] = ['--stdio'],
  nodeOptions = '',
): ChildProcess {
  return spawn(process.execPath, [command, 'lsp', ...argv], {
    cwd: homeFolder,
    env: { PATH: process.env['PATH'] ?? '', HOME: homeFolder, NODE_OPTIONS: nodeOptions },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export class LspClient {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly initialized: Promise<InitializeResult>;
  readonly logged: string[] = [];
  /** What was published last, by address. */
  readonly published = new Map<string, readonly Diagnostic[]>();
  readonly #texts = new Map<string, TextDocument>();
  readonly #versions = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  /** How often something was published. */
  publications = 0;
  stderr = '';

  constructor({ homeFolder, folders, initializationOptions, params = {}, nodeOptions }: LspClientOptions) {
    this.process = startServer(homeFolder, ['--stdio'], nodeOptions);
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.process.stdout as NodeJS.ReadableStream),
      new StreamMessageWriter(this.process.stdin as NodeJS.WritableStream),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (given) => {
      const { uri, diagnostics, version } = given as {
        uri: string;
        diagnostics: Diagnostic[];
        version?: number;
      };
      this.published.set(uri, diagnostics);
      this.#versions.set(uri, version ?? 0);
      this.publications += 1;
      for (const wake of this.#waiting) wake();
    });
    this.connection.onNotification('window/logMessage', (given) => {
      this.logged.push((given as { message: string }).message);
    });
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.onRequest('workspace/applyEdit', () => ({ applied: true }));
    this.connection.listen();
    this.initialized = this.connection
      .sendRequest<InitializeResult>('initialize', {
        processId: process.pid,
        rootUri: null,
        capabilities: {
          textDocument: {
            hover: { contentFormat: ['markdown', 'plaintext'] },
            codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
          },
          workspace: { workspaceFolders: true },
        },
        workspaceFolders: folders.map((folder) => ({ uri: uriOf(folder), name: folder })),
        ...(initializationOptions === undefined ? {} : { initializationOptions }),
        ...params,
      })
      .then(async (result) => {
        await this.connection.sendNotification('initialized', {});
        return result;
      });
  }

  async open(path: string, text: string, languageId = 'skill', uri = uriOf(path)): Promise<string> {
    this.#texts.set(uri, TextDocument.create(uri, languageId, 1, text));
    this.published.delete(uri);
    this.#versions.delete(uri);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    return uri;
  }

  text(uri: string): string {
    return this.#document(uri).getText();
  }

  offset(uri: string, position: { line: number; character: number }): number {
    return this.#document(uri).offsetAt(position);
  }

  position(uri: string, offset: number): { line: number; character: number } {
    return this.#document(uri).positionAt(offset);
  }

  #document(uri: string): TextDocument {
    const document = this.#texts.get(uri);
    if (document === undefined) throw new Error(`${uri} is not open`);
    return document;
  }

  /** One edit, as an editor sends it. */
  async edit(uri: string, start: number, end: number, text: string): Promise<void> {
    const document = this.#document(uri);
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    const version = document.version + 1;
    this.#texts.set(uri, TextDocument.update(document, [{ range, text }], version));
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
  }

  async apply(uri: string, edits: readonly TextEdit[]): Promise<void> {
    const document = this.#document(uri);
    const ordered = edits.toSorted(
      (a, b) => document.offsetAt(b.range.start) - document.offsetAt(a.range.start),
    );
    for (const { range, newText } of ordered)
      await this.edit(uri, document.offsetAt(range.start), document.offsetAt(range.end), newText);
  }

  /** All of the text, in one change without a range; the version. */
  async replace(uri: string, text: string): Promise<number> {
    const version = this.#document(uri).version + 1;
    this.#texts.set(uri, TextDocument.create(uri, 'skill', version, text));
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    return version;
  }

  async close(uri: string): Promise<void> {
    this.#texts.delete(uri);
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  request<T>(method: string, params: unknown): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  at<T>(method: string, uri: string, offset: number, more: object = {}): Promise<T> {
    return this.request<T>(`textDocument/${method}`, {
      textDocument: { uri },
      position: this.position(uri, offset),
      ...more,
    });
  }

  async completions(uri: string, offset: number): Promise<readonly CompletionItem[]> {
    return (await this.at<CompletionList>('completion', uri, offset)).items;
  }

  async quickFixes(uri: string, diagnostics: readonly Diagnostic[]): Promise<readonly CodeAction[]> {
    const range = diagnostics[0]?.range ?? {
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
    };
    return (
      (await this.request<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics, only: ['quickfix'] },
      })) ?? []
    );
  }

  /** Of the document as it is now: what is published with its version. */
  async settled(
    uri: string,
    isEnough: (found: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    for (;;) {
      const found = this.published.get(uri);
      if (found !== undefined && isEnough(found)) return found;
      await this.nextPublication();
    }
  }

  /** What was found in this version of the document. */
  async settledAt(uri: string, version: number): Promise<readonly Diagnostic[]> {
    while (!this.published.has(uri) || (this.#versions.get(uri) ?? 0) < version) await this.nextPublication();
    return this.published.get(uri) ?? [];
  }

  nextPublication(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }

  /** The exit code. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await ended;
    this.connection.dispose();
    return code;
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

export function applyEdit(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('file:///a', 'skill', 1, text), [...edits]);
}

export function changesOf(edit: WorkspaceEdit | undefined): ReadonlyMap<string, readonly TextEdit[]> {
  return new Map(Object.entries(edit?.changes ?? {}));
}
