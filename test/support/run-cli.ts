// Runs a command line inside the test process, in a world of its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from '../../src/cli/main.ts';

export interface World {
  readonly folder: string;
  readonly home: string;
  /** The workspace and current folder. */
  readonly workspace: string;
  /** Paths relative to `folder`. */
  write(files: { readonly [path: string]: string }): void;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  remove(): void;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
  /** What a person types when asked; its presence makes input and errors a terminal. */
  readonly typed?: string;
  /** What a person types (or does) each time the end of this is on the screen; makes input and errors a terminal. */
  readonly talk?: readonly (readonly [shown: string, typed: string | (() => Promise<string>)])[];
  /** What standard input holds, where it is no terminal. */
  readonly input?: string;
  /** What was typed before any question. */
  readonly typedAhead?: string;
  /** Makes the output a terminal of this width. */
  readonly columns?: number;
  /** Ctrl-C is pressed so often, each time as soon as the command listens for it; or once, when this resolves. */
  readonly interrupt?: number | Promise<unknown>;
  /** SIGTERM comes when this resolves. */
  readonly terminate?: Promise<unknown>;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A home folder and a workspace, both empty; the skills that techne ships are switched off. */
export function createWorld(files: { readonly [path: string]: string } = {}): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-')));
  const home = join(folder, 'home');
  const workspace = join(folder, 'work');
  const write = (written: { readonly [path: string]: string }): void => {
    for (const [path, text] of Object.entries(written)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write({
    'home/.techne/config.json': '{"roots": {"builtin": false}, "cache": {"enabled": false}}\n',
    'work/.git/HEAD': '',
    ...files,
  });
  return {
    folder,
    home,
    workspace,
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    run: async (argv, options = {}) => {
      const stdout = Object.assign(
        new PassThrough(),
        options.columns === undefined ? {} : { isTTY: true, columns: options.columns },
      );
      const isTTY = options.typed !== undefined || options.talk !== undefined;
      const stderr = Object.assign(new PassThrough(), { isTTY });
      const stdin = Object.assign(new PassThrough(), { isTTY });
      if (options.typedAhead !== undefined) stdin.write(options.typedAhead);
      if (options.input !== undefined) stdin.end(options.input);
      const left = [...(options.talk ?? [])];
      let screen = '';
      stderr.on('data', (chunk: Buffer) => {
        if (options.typed !== undefined && chunk.toString().endsWith('[y/N] ')) stdin.end(options.typed);
        screen += chunk.toString();
        const [next] = left;
        if (next === undefined || !screen.endsWith(next[0])) return;
        left.shift();
        screen = '';
        // As a terminal: when somebody reads. The end of the input is Ctrl-D.
        const [, typed] = next;
        const type = (text: string): unknown =>
          text.endsWith('\u0004') ? stdin.end(text.slice(0, -1)) : stdin.write(text);
        setImmediate(() => (typeof typed === 'string' ? type(typed) : void typed().then(type)));
      });
      const [out, err] = [collect(stdout), collect(stderr)];
      const code = await run(argv, {
        stdin,
        stdout,
        stderr,
        env: { PATH: '/usr/bin:/bin', ...options.env },
        cwd: options.cwd ?? workspace,
        homeFolder: home,
        platform: 'linux',
        ...(options.interrupt === undefined ? {} : { onInterrupt: pressing(options.interrupt) }),
        ...(options.terminate === undefined ? {} : { onTerminate: onceTerminated(options.terminate) }),
      });
      return { code, out: out(), err: err() };
    },
  };
}

export function skillText(
  name: string,
  description = `Does ${name}. Use when ${name} is needed.`,
  more = '',
): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n\nDo it.\n`;
}

function pressing(interrupt: number | Promise<unknown>): (heard: () => void) => () => void {
  let left = interrupt;
  return (heard) => {
    if (left === 0) return () => undefined;
    let listens = true;
    const press = (): void => {
      if (listens) heard();
    };
    if (typeof left === 'number') setImmediate(press);
    else void left.then(press);
    left = typeof left === 'number' ? left - 1 : 0;
    return () => {
      listens = false;
    };
  };
}

function onceTerminated(when: Promise<unknown>): (heard: (exitCode: number) => void) => () => void {
  return (heard) => {
    let listens = true;
    void when.then(() => (listens ? heard(143) : undefined));
    return () => {
      listens = false;
    };
  };
}

function collect(stream: PassThrough): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
