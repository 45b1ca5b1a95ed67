// The settings of VS Code -> those of techne.
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Program, TechneSettings } from './find-techne.ts';
import { findTechne } from './find-techne.ts';

/** VS Code itself leaves restricted settings of an untrusted workspace out; this does not rely on it. */
function valueOf<T>(key: string, usual: T): T {
  const configuration = vscode.workspace.getConfiguration('techne');
  if (vscode.workspace.isTrusted) return configuration.get<T>(key, usual);
  const { globalValue, defaultValue } = configuration.inspect<T>(key) ?? {};
  return globalValue ?? defaultValue ?? usual;
}

export function readSettings(): TechneSettings {
  const [path, args, env] = [
    valueOf<unknown>('path', ''),
    valueOf<unknown>('args', []),
    valueOf<unknown>('env', {}),
  ];
  return {
    path: typeof path === 'string' ? path : '',
    args: Array.isArray(args) ? args.filter((one) => typeof one === 'string') : [],
    env: Object.fromEntries(
      Object.entries(typeof env === 'object' && env !== null ? env : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

export function resolveTechne(): Program | { readonly missing: string } {
  return findTechne(readSettings(), {
    trusted: vscode.workspace.isTrusted,
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath),
    variables: process.env,
    platform: process.platform,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  });
}

export function serverSettings(): { readonly strict: boolean; readonly scan: boolean } {
  const configuration = vscode.workspace.getConfiguration('techne');
  return { strict: configuration.get('strict', false), scan: configuration.get('scan', true) };
}

/** Says that techne is missing, and leads to what helps. */
export async function sayMissing(why: string): Promise<void> {
  const [settings, copy] = ['Open Settings', 'Copy Install Command'];
  const chosen = await vscode.window.showErrorMessage(
    `${why} Install it with "npm install --global techne" (Node 20.19 or newer), or set "techne.path"; then run "techne: Restart Language Server".`,
    settings,
    copy,
  );
  if (chosen === settings)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'techne.path');
  if (chosen === copy) await vscode.env.clipboard.writeText('npm install --global techne');
}
