// The language server over two streams: messages of the protocol -> Editor -> answers, and findings as they change.
//
//   initialize -> capabilities; documents -> documents.ts -> publish.ts; requests -> answers.ts
//
// S1. No request fails because of what a text says: what is being typed is broken most of the time.
// S2. An answer that was cancelled, or whose document changed meanwhile, is not sent.
// S3. Standard output carries the protocol and nothing else; the process ends with its input, with `exit`, or with the editor.
import type { Readable, Writable } from 'node:stream';
import type {
  CancellationToken,
  Connection,
  InitializeParams,
  InitializeResult,
  WorkspaceFolder,
} from 'vscode-languageserver/node';
import {
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  FileChangeType,
  LSPErrorCodes,
  MarkupKind,
  PositionEncodingKind,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  createConnection,
} from 'vscode-languageserver/node';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import type { EditorLibraryOptions } from '../techne/editor/editor-workspace.ts';
import { Editor } from '../techne/editor/open-editor.ts';
import { triggerCharacters } from './answers.ts';
import { Documents, pathOf } from './documents.ts';
import type { PublishSettings } from './publish.ts';
import { Publisher } from './publish.ts';
import { listenToRequests, refusal } from './requests.ts';
import { tokenTypes } from './show-symbols.ts';

export interface ServeOptions extends EditorLibraryOptions {
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
}

export function serveLanguage(options: ServeOptions): void {
  const { stdin, stdout, version, ...libraryOptions } = options;
  const connection = createConnection(new StreamMessageReader(stdin), new StreamMessageWriter(stdout));
  const server = new LanguageServer(connection, new Editor(libraryOptions), version);
  // Without a library that would say so: the input of an editor that was killed just ends.
  const ended = (): void => server.ended();
  stdin.on('end', ended).on('close', ended);
  connection.listen();
}

class LanguageServer {
  readonly #connection: Connection;
  readonly #editor: Editor;
  readonly #documents: Documents;
  readonly #publisher: Publisher;
  readonly #version: string;
  readonly #settings: PublishSettings = { strict: false, scan: true };
  #folders: readonly string[] = [];
  #isShutDown = false;
  #lastFault = '';

  constructor(connection: Connection, editor: Editor, version: string) {
    this.#connection = connection;
    this.#editor = editor;
    this.#version = version;
    this.#documents = new Documents(editor.texts);
    this.#publisher = new Publisher({
      editor,
      documents: this.#documents,
      settings: this.#settings,
      send: (params) => void connection.sendDiagnostics(params),
      onFault: (error) => this.#fault(error),
    });
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#initialized());
    connection.onShutdown(() => {
      this.#isShutDown = true;
      this.#publisher.dispose();
    });
    this.#listenToDocuments();
    this.#listenToWorkspace();
    this.#listenToRequests();
  }

  ended(): void {
    this.#publisher.dispose();
    process.exit(this.#isShutDown ? 0 : 1);
  }

  // Start.

  #capabilities: InitializeParams['capabilities'] = {};

  #initialize(params: InitializeParams): InitializeResult {
    this.#capabilities = params.capabilities;
    const { workspaceFolders, initializationOptions } = params;
    // Clients from before there were several folders name one.
    // oxlint-disable-next-line typescript/no-deprecated
    const { rootUri } = params;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    this.#setFolders(uris);
    this.#configure(initializationOptions);
    return {
      serverInfo: { name: 'techne', version: this.#version },
      capabilities: {
        positionEncoding: PositionEncodingKind.UTF16,
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        completionProvider: { triggerCharacters: [...triggerCharacters] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll.techne'] },
        codeLensProvider: { resolveProvider: false },
        semanticTokensProvider: {
          legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] },
          full: true,
        },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #initialized(): void {
    if (this.#capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const watchers = watchedFiles.map((globPattern) => ({ globPattern }));
    this.#connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers })
      .catch((error: unknown) => this.#fault(error));
  }

  #setFolders(uris: readonly string[]): void {
    this.#folders = uris.map(pathOf).filter((path) => path !== null);
    this.#editor.setFolders(this.#folders);
  }

  /** `{strict, scan}`, or the same below `techne`, as editors send their settings. */
  #configure(given: unknown): void {
    const settings = isRecord(given) && isRecord(given['techne']) ? given['techne'] : given;
    if (!isRecord(settings)) return;
    if (typeof settings['strict'] === 'boolean') this.#settings.strict = settings['strict'];
    if (typeof settings['scan'] === 'boolean') this.#settings.scan = settings['scan'];
  }

  // Documents.

  #listenToDocuments(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
      this.#publisher.changed(this.#documents.open(uri, languageId, version, text)),
    );
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const path = this.#documents.change(uri, version, contentChanges);
      if (path !== null) this.#publisher.changed(path);
    });
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const path = this.#documents.save(uri);
      if (path !== null) this.#publisher.changed(path);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = this.#documents.close(uri);
      if (path !== null) this.#publisher.closed(path);
    });
  }

  #listenToWorkspace(): void {
    const connection = this.#connection;
    connection.onDidChangeWatchedFiles(({ changes }) => {
      const paths = changes.map(({ uri }) => pathOf(uri)).filter((path) => path !== null);
      if (paths.some((path) => isConfiguration.test(path))) this.#editor.reopen();
      else this.#editor.forget();
      for (const { uri, type } of changes) if (type !== FileChangeType.Deleted) this.#documents.save(uri);
      this.#publisher.allChanged();
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      this.#configure(settings);
      this.#publisher.allChanged();
    });
    // The library would answer for us, if it were asked by its own event; a client may send it unasked.
    connection.onNotification(
      'workspace/didChangeWorkspaceFolders',
      ({
        event: { added, removed },
      }: {
        event: { added: WorkspaceFolder[]; removed: WorkspaceFolder[] };
      }) => {
        const gone = new Set(removed.map(({ uri }) => pathOf(uri)));
        this.#folders = [
          ...this.#folders.filter((folder) => !gone.has(folder)),
          ...added.map(({ uri }) => pathOf(uri)).filter((path) => path !== null),
        ];
        this.#editor.setFolders(this.#folders);
        this.#publisher.allChanged();
      },
    );
  }

  // Requests.

  #listenToRequests(): void {
    listenToRequests({
      connection: this.#connection,
      editor: this.#editor,
      documents: this.#documents,
      publisher: this.#publisher,
      settings: this.#settings,
      hoverKind: () => {
        const formats = this.#capabilities.textDocument?.hover?.contentFormat;
        return formats?.includes(MarkupKind.Markdown) === false ? MarkupKind.PlainText : MarkupKind.Markdown;
      },
      answer: (uri, token, otherwise, work) => this.#answer(uri, token, otherwise, work),
    });
  }

  /** `otherwise`: for a document that is not open. */
  async #answer<T>(
    uri: string,
    token: CancellationToken,
    otherwise: T,
    work: (document: { readonly path: string; readonly text: string }) => Promise<T> | T,
  ): Promise<T> {
    const document = this.#documents.find(uri);
    if (document === null) return otherwise;
    try {
      const result = await work(document);
      if (token.isCancellationRequested)
        throw new ResponseError(LSPErrorCodes.RequestCancelled, 'the request was cancelled');
      if (this.#documents.find(uri)?.version !== document.version)
        throw new ResponseError(LSPErrorCodes.ContentModified, 'the document changed meanwhile');
      return result;
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (error instanceof TechneError && this.#documents.find(uri)?.version !== document.version)
        throw new ResponseError(LSPErrorCodes.ContentModified, 'the document changed meanwhile');
      if (error instanceof TechneError) throw refusal(error, messageOf(error));
      this.#fault(error);
      throw new ResponseError(ErrorCodes.InternalError, messageOf(error));
    }
  }

  /** Into the log of the editor, once in a row: a workspace that cannot be opened is met at every key. */
  #fault(error: unknown): void {
    const isBug = !(error instanceof TechneError);
    const message = isBug
      ? `a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
      : messageOf(error);
    if (message === this.#lastFault) return;
    this.#lastFault = message;
    this.#connection.console.error(message);
  }
}

/** What a finding may depend on. */
const watchedFiles = [
  '**/{SKILL,skill,Skill}.md',
  '**/*.star',
  '**/{tests,evals,assets,references,scripts,templates}/**',
  '**/techne.json',
  '**/.techne/config.json',
  '**/techne-lock.json',
];
const isConfiguration = /[\\/](?:techne\.json|config\.json|techne-lock\.json)$/;

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof TechneError && error.hint !== null ? ` (${error.hint})` : '';
  return printableLine(`${message}${hint}`);
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
