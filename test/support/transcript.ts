// A page with commands -> the same page with the output that the real command prints.
//
// A ```console block holds commands (`$ …`) and what the screen shows after them; text typed at a `[y/N] ` question is part of it. A
// ```sh block holds commands without their output. All commands of a page run in order, in one home and one workspace, at a
// pseudo terminal. Where the real output differs from the page only in what differs between two runs (ids, times, folders), the
// page's own text stays.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Pseudo terminals come from `script` of util-linux. */
export const hasTerminal = spawnSync('sh', ['-c', 'script --version | grep -q util-linux']).status === 0;

export interface Place {
  readonly home: string;
  readonly workspace: string;
}

const fenced = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The languages of all fenced blocks of a page. */
export function blockLanguages(page: string): readonly string[] {
  return [...page.matchAll(fenced)].map(([, language]) => language as string);
}

/** Runs `use` in a home and a workspace of its own. */
export async function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'techne-page-')));
  const workspace = join(home, 'project');
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(workspace, '.git'), { recursive: true });
  // As `npm link` does.
  symlinkSync(join(project, 'bin/techne.mjs'), join(home, 'bin/techne'));
  try {
    return await use({ home, workspace });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The page, with the output of its commands as it is now. A command of a `sh` block that fails is an error. */
export async function runPage(page: string, place: Place): Promise<string> {
  let made = '';
  let end = 0;
  for (const { 0: whole, 1: language, 2: text, index } of page.matchAll(fenced)) {
    made += page.slice(end, index);
    end = index + whole.length;
    if (language === 'console') made += `\`\`\`console\n${await runConsole(text as string, place)}\`\`\``;
    else {
      if (language === 'sh') await runScript(text as string, place);
      made += whole;
    }
  }
  return made + page.slice(end);
}

async function runConsole(text: string, place: Place): Promise<string> {
  const made: string[] = [];
  for (const [, command, shown] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
    const typed = [...(shown as string).matchAll(/\[y\/N\] (.*)$/gm)].map(([, answer]) => answer as string);
    const { screen } = await runAtTerminal(command as string, typed, place);
    const now = neutral(screen, place);
    made.push(`$ ${command}\n${steady(now) === steady(shown as string) ? shown : now}`);
  }
  return made.join('');
}

async function runScript(text: string, place: Place): Promise<void> {
  const { code, screen } = await runAtTerminal(text, [], place);
  if (code !== 0) throw new Error(`exit code ${code} of\n${text}\n${screen}`);
}

function runAtTerminal(
  command: string,
  typed: readonly string[],
  { home, workspace }: Place,
): Promise<{ code: number | null; screen: string }> {
  // `npm test` is what runs this; that its script exists is all that can be tested here.
  const line = command.replace(/^npm test\b.*$/gm, 'npm pkg get scripts.test');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', `stty cols 120 rows 50; ${line}`, '/dev/null'], {
      cwd: /^npm /m.test(command) ? project : workspace,
      env: {
        PATH: `${home}/bin:${process.env['PATH']}`,
        HOME: home,
        SHELL: '/bin/bash',
        TERM: 'xterm',
        NO_COLOR: '1',
        NO_UPDATE_NOTIFIER: '1',
      },
    });
    const left = [...typed];
    let raw = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      raw += chunk;
      if (raw.endsWith('[y/N] ')) child.stdin.write(`${left.shift() ?? ''}\n`);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, screen: screenOf(raw) }));
  });
}

/** What stays on the screen: lines that were drawn over are gone. */
function screenOf(raw: string): string {
  return raw
    .replaceAll('\r\n', '\n')
    .replace(/^[^\n]*\r\u001B\[K/gm, '')
    .replace(/[ \t]+$/gm, '');
}

/** Folders of this machine as a reader would have them. */
function neutral(screen: string, { home }: Place): string {
  return screen
    .replaceAll(home, '/home/you')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(project, '/usr/lib/node_modules/techne/');
}

/** Without what differs from run to run, and without the padding that depends on it. */
function steady(screen: string): string {
  return screen
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'RUN')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, 'DURATION')
    .replace(/ {2,}/g, '  ');
}
