// The extension: the client of `techne lsp`, and the commands around it.
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import * as vscode from 'vscode';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { LanguageClient, RevealOutputChannelOn, TransportKind } from 'vscode-languageclient/node';
import { runInTerminal } from './run-skill.ts';
import { resolveTechne, sayMissing, serverSettings } from './settings.ts';

/** What belongs to skills; the server tells which of them it knows. */
const documents = [
  { scheme: 'file', pattern: '**/SKILL.md' },
  { scheme: 'file', language: 'starlark' },
  { scheme: 'file', pattern: '**/tests/*.{yaml,yml}' },
  { scheme: 'file', pattern: '**/evals/evals.json' },
  { scheme: 'untitled', language: 'starlark' },
];

/** What other extensions and tests get. */
export interface Api {
  readonly client: () => LanguageClient | null;
}

let client: LanguageClient | null = null;
/** Starts and stops follow each other. */
let last: Promise<void> = Promise.resolve();

export async function activate(context: ExtensionContext): Promise<Api> {
  const output = vscode.window.createOutputChannel('techne', { log: true });
  const restart = (): Promise<void> =>
    inOrder(async () => {
      await stop();
      await start(output);
    });
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('techne.runSkill', (given: unknown) => runInTerminal('run', given)),
    vscode.commands.registerCommand('techne.runTests', (given: unknown) => runInTerminal('test', given)),
    vscode.commands.registerCommand('techne.restartServer', restart),
    vscode.commands.registerCommand('techne.showOutput', () => output.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (['techne.path', 'techne.args', 'techne.env'].some((key) => event.affectsConfiguration(key)))
        void restart();
      else if (event.affectsConfiguration('techne'))
        void client?.sendNotification('workspace/didChangeConfiguration', {
          settings: { techne: serverSettings() },
        });
    }),
  );
  await inOrder(() => start(output));
  return { client: () => client };
}

export function deactivate(): Promise<void> {
  return inOrder(stop);
}

function inOrder(work: () => Promise<void>): Promise<void> {
  last = last.then(work, work);
  return last;
}

async function start(output: LogOutputChannel): Promise<void> {
  const program = resolveTechne();
  if ('missing' in program) {
    output.error(program.missing);
    // The message stays until it is answered; the start of VS Code does not wait for it.
    void sayMissing(program.missing);
    return;
  }
  const { command, args, env } = program;
  const server: ServerOptions = {
    command,
    args: [...args, 'lsp'],
    transport: TransportKind.stdio,
    options: { env: { ...process.env, ...env }, shell: false },
  };
  const options: LanguageClientOptions = {
    documentSelector: documents,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: serverSettings(),
    diagnosticCollectionName: 'techne',
  };
  output.info(
    `starting ${[command, ...args, 'lsp', '--stdio'].map((word) => JSON.stringify(word)).join(' ')}`,
  );
  const started = new LanguageClient('techne', 'techne', server, options);
  try {
    await started.start();
    client = started;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    output.error(`the language server did not start: ${why}`);
    void sayMissing(`The language server of techne did not start: ${why}.`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = null;
  if (running === null) return;
  try {
    await running.dispose(5000);
  } catch (error) {
    // It had ended by itself.
    running.info(`the language server was not there to be stopped: ${String(error)}`);
  }
}
