// "Run Skill" and "Run Tests": a lens or the open file -> techne in a terminal.
//
// R1. techne is a process of its own in the terminal: no shell reads its arguments, so the name of a skill is never part of a command line.
// R2. Nothing is run in a workspace that is not trusted.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { resolveTechne, sayMissing } from './settings.ts';

/** What a code lens of the language server gives. */
export interface SkillTarget {
  readonly skill: string;
  /** Of its SKILL.md, or its folder. */
  readonly path: string;
}

export type Job = 'run' | 'test';

export function argumentsOf(job: Job, { skill, path }: SkillTarget): readonly string[] {
  const folder = basename(path).toLowerCase() === 'skill.md' ? dirname(path) : path;
  return job === 'run' ? ['run', '--', skill] : ['test', '--', folder];
}

export async function runInTerminal(job: Job, given: unknown): Promise<vscode.TaskExecution | null> {
  if (!vscode.workspace.isTrusted) {
    await vscode.window.showWarningMessage('Trust this workspace before you run its skills.');
    return null;
  }
  const target = targetIn(given) ?? targetOfEditor();
  if (target === null) {
    await vscode.window.showInformationMessage('Open a file of a skill first: a folder with a SKILL.md.');
    return null;
  }
  const program = resolveTechne();
  if ('missing' in program) {
    await sayMissing(program.missing);
    return null;
  }
  const uri = vscode.Uri.file(target.path);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const title = job === 'run' ? `Run ${target.skill}` : `Test ${target.skill}`;
  const task = new vscode.Task(
    { type: 'techne', job, skill: target.skill },
    folder ?? vscode.TaskScope.Workspace,
    title,
    'techne',
    new vscode.ProcessExecution(program.command, [...program.args, ...argumentsOf(job, target)], {
      cwd: folder?.uri.fsPath ?? dirname(target.path),
      env: { ...program.env },
    }),
    [],
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: true,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
  };
  return vscode.tasks.executeTask(task);
}

/** Of a lens, which other extensions could imitate: both must be texts, and the path absolute. */
export function targetIn(given: unknown): SkillTarget | null {
  if (typeof given !== 'object' || given === null) return null;
  const { skill, path } = given as Partial<Record<string, unknown>>;
  if (typeof skill !== 'string' || skill === '' || skill.includes('\0')) return null;
  return typeof path === 'string' && /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path) && !path.includes('\0')
    ? { skill, path }
    : null;
}

/** The skill around the open file. */
function targetOfEditor(): SkillTarget | null {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || uri.scheme !== 'file') return null;
  const end = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(dirname(uri.fsPath));
  for (let folder = dirname(uri.fsPath); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'SKILL.md'))) return { skill: basename(folder), path: folder };
    if (folder === end || folder === dirname(folder)) return null;
  }
}
