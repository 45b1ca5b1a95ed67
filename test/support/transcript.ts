// A page with commands -> the same page with the output that the real command prints.
//
// A ```console block holds commands (`$ …`) and what the screen shows after them; text typed at a `[y/N] ` question is part of it. A
// ```sh block holds commands without their output, and is answered with "y". All commands of a page run in order, in one home and one workspace, at a
// pseudo terminal. Where the real output differs from the page only in what differs between two runs (ids, times, folders), the
// page's own text stays. A comment right above a block says what is different about it:
//
//   <!-- not run: REASON -->              it is not executed; a test lists it, and reads its techne commands with the real parser
//   <!-- in the background: TEXT -->      it goes on until the page ends; the next block waits for TEXT in its output
//   <!-- first: COMMANDS -->              what has to be there before, which the page does not show
//   <!-- a model says: TEXT -->           a stand-in on this machine is every model, and answers this
//
// The port 8486 of a page becomes a free one.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createModelServer } from './model-server.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Pseudo terminals come from `script` of util-linux. */
export const hasTerminal = spawnSync('sh', ['-c', 'script --version | grep -q util-linux']).status === 0;

export interface Place {
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
  /** What runs until the page ends. */
  readonly background: ChildProcess[];
}

/** What a block may take: a page is read in less time. */
const blockTimeoutMs = 120_000;

const fenced = /((?:^<!--(?:(?!-->)[^])*-->\n+)*)^```([^\n`]*)\n([^]*?)^```$/gm;

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Where it begins and ends in the page, without its comments. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly notRun: string | null;
  readonly background: string | null;
  readonly first: string | null;
  readonly model: string | null;
}

/** Every fenced block of a page. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(fenced)].map(
    ({ 0: whole, 1: comments = '', 2: language = '', 3: text = '', index }) => {
      const said = (key: string): string | null =>
        new RegExp(`<!-- ${key}:((?:(?!-->)[^])*)-->`).exec(comments)?.[1]?.trim() ?? null;
      const start = index + comments.length;
      return {
        language: language.trim(),
        text,
        start,
        end: index + whole.length,
        line: page.slice(0, start).split('\n').length,
        notRun: said('not run'),
        background: said('in the background'),
        first: said('first'),
        model: said('a model says'),
      };
    },
  );
}

export const isCommands = ({ language }: Block): boolean => language === 'sh' || language === 'console';

/** Runs `use` in a home and a workspace of its own. */
export async function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'techne-page-')));
  const workspace = join(home, 'project');
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(workspace, '.git'), { recursive: true });
  // As `npm link` does.
  symlinkSync(join(project, 'bin/techne.mjs'), join(home, 'bin/techne'));
  const place: Place = { home, workspace, port: await freePort(), background: [] };
  try {
    return await use(place);
  } finally {
    await Promise.all(place.background.map(endGroup));
    rmSync(home, { recursive: true, force: true });
  }
}

/** The page, with the output of its commands as it is now. A command of a `sh` block that fails is an error. */
export async function runPage(page: string, place: Place): Promise<string> {
  let made = '';
  let end = 0;
  for (const block of blocksOf(page).filter(isCommands)) {
    made += page.slice(end, block.start);
    end = block.end;
    if (block.first !== null) await runScript(block.first, place);
    const leave = block.model === null ? null : await enterModel(block.model, place);
    if (block.notRun !== null) made += page.slice(block.start, block.end);
    else if (block.background !== null) {
      await runBehind(block, block.background, place);
      made += page.slice(block.start, block.end);
    } else if (block.language === 'console')
      made += `\`\`\`console\n${await runConsole(block.text, place)}\`\`\``;
    else {
      await runScript(block.text, place);
      made += page.slice(block.start, block.end);
    }
    await leave?.();
  }
  return made + page.slice(end);
}

/** Configures models of every name that the pages use, in a home without a configuration of its own; what undoes it. */
async function enterModel(text: string, { home }: Place): Promise<() => Promise<void>> {
  const server = await createModelServer({ turns: [{ text: text.replaceAll(String.raw`\n`, '\n') }] });
  const file = join(home, '.techne/config.json');
  const model = { provider: 'openai-compatible', baseUrl: server.url, model: 'stand-in' };
  mkdirSync(join(home, '.techne'), { recursive: true });
  writeFileSync(file, JSON.stringify({ models: { default: model, fast: model } }), { flag: 'wx' });
  return async () => {
    rmSync(file);
    await server.close();
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a block that does not end by itself, and waits until it says `text`. */
function runBehind(block: Block, text: string, place: Place): Promise<void> {
  const command = block.text.replace(/^\$ /gm, '').replaceAll('8486', String(place.port));
  const child = spawn('bash', ['-c', command], {
    cwd: place.workspace,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  place.background.push(child);
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (how: string): void =>
      reject(new Error(`${how} before it said "${text}":\n${command}${said}`));
    const timer = setTimeout(() => fail('too long'), blockTimeoutMs);
    const listen = (piece: Buffer): void => {
      said += piece.toString();
      if (!said.includes(text)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      fail('it ended');
    });
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await closed;
}

function environment({ home }: Place): { readonly [name: string]: string | undefined } {
  return {
    PATH: `${home}/bin:${process.env['PATH']}`,
    HOME: home,
    SHELL: '/bin/bash',
    TERM: 'xterm',
    NO_COLOR: '1',
    NO_UPDATE_NOTIFIER: '1',
  };
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
  const { code, screen } = await runAtTerminal(`set -e\n${text}`, [], place, 'y');
  if (code !== 0) throw new Error(`exit code ${code} of\n${text}\n${screen}`);
}

function runAtTerminal(
  command: string,
  typed: readonly string[],
  place: Place,
  /** What is typed behind these. */
  otherwise = '',
): Promise<{ code: number | null; screen: string }> {
  // `npm test` is what runs this; that its script exists is all that can be tested here.
  const line = command
    .replace(/^npm test\b.*$/gm, 'npm pkg get scripts.test')
    .replaceAll('8486', String(place.port));
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', `stty cols 120 rows 50; ${line}`, '/dev/null'], {
      cwd: /^npm /m.test(command) ? project : place.workspace,
      env: environment(place),
    });
    const timer = setTimeout(() => {
      child.kill('SIGTERM');
      reject(new Error(`longer than ${blockTimeoutMs} ms:\n${command}\n${screenOf(raw)}`));
    }, blockTimeoutMs);
    const left = [...typed];
    let raw = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      raw += chunk;
      if (raw.endsWith('[y/N] ')) child.stdin.write(`${left.shift() ?? otherwise}\n`);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, screen: screenOf(raw) });
    });
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
function neutral(screen: string, { home, port }: Place): string {
  return screen
    .replaceAll(`:${port}`, ':8486')
    .replaceAll(home, '/home/you')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(project, '/usr/lib/node_modules/techne/');
}

/** Without what differs from run to run, and without the padding that depends on it. */
function steady(screen: string): string {
  return screen
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'RUN')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'TIME')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, 'DURATION')
    .replace(/ {2,}/g, '  ');
}
