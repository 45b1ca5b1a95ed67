// A team as a user sets it up: a Postgres, a workspace with skills, and real processes of techne over both.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from './postgres.ts';
import { createDatabase } from './postgres.ts';
import type { Ran, World } from './run-cli.ts';
import { createWorld } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

export interface Team {
  readonly database: TestDatabase;
  readonly world: World;
  /** The address, with a short lease. */
  readonly store: string;
  /** A command line over the store, in this process. */
  techne(...argv: readonly string[]): Promise<Ran>;
  /** A process that stays; resolves with what it printed once that contains `ready`. */
  start(
    argv: readonly string[],
    ready: string,
    /** Default: the store of the team. */
    at?: string,
  ): Promise<{ readonly child: ChildProcess; readonly out: string }>;
  startWorker(at?: string): Promise<ChildProcess>;
  /** `techne serve --workers`; resolves to its address. */
  startServer(...argv: readonly string[]): Promise<string>;
  /** Ends all processes. */
  killAll(): void;
  close(): Promise<void>;
}

export async function createTeam(
  files: { readonly [path: string]: string },
  config: object = {},
): Promise<Team> {
  const database = await createDatabase();
  const store = `${database.url}?lease=2`;
  const world = createWorld(files);
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [world.workspace] },
      ...config,
    }),
  });
  const children = new Set<ChildProcess>();
  const start: Team['start'] = (argv, ready, at = store) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...argv, '--store', at, '--json'], {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home },
      });
      children.add(child);
      let [out, err] = ['', ''];
      child.stderr.on('data', (text: Buffer) => (err += text.toString()));
      child.stdout.on('data', (text: Buffer) => {
        out += text.toString();
        if (out.includes(ready) && out.includes('\n')) resolve({ child, out });
      });
      child.on('exit', (code, signal) => {
        children.delete(child);
        reject(new Error(`${argv.join(' ')} ended with ${code ?? signal}: ${err}`));
      });
    });
  const killAll = (): void => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  };
  return {
    database,
    world,
    store,
    techne: (...argv) => world.run([...argv, '--store', store]),
    start,
    startWorker: async (at) => (await start(['worker', '--answer', 'caller'], '"ready"', at)).child,
    async startServer(...argv) {
      const { out } = await start(
        ['serve', '--port', '0', '--workers', '--answer', 'caller', ...argv],
        '"url"',
      );
      return (JSON.parse(out) as { url: string }).url;
    },
    killAll,
    async close() {
      killAll();
      await database.drop();
      world.remove();
    },
  };
}

/** Looks again and again until there is something. */
export async function until<T>(look: () => Promise<T | null | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not come about within a minute');
}

/** A skill that is a program. */
export function programSkill(name: string, code: string, more = ''): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n${more}---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: code,
  };
}
