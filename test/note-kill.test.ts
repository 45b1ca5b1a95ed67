// kill -9 of the real program at every call that changes or syncs a file, while it writes a note: there is the old note or the
// new one, whole, and never a second one; a resume, or the same command again, finishes it, and a replay agrees.
// A sample here; `TECHNE_SOAK=1 npm test -- test/note-kill.test.ts` takes every call in every way.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const isSoak = process.env['TECHNE_SOAK'] === '1';
const ways = ['before', 'torn', 'after'] as const;
const program = fileURLToPath(new URL('../bin/techne.mjs', import.meta.url));
const preload = new URL('fixtures/preload/kill-at-call.mjs', import.meta.url).href;
const base = mkdtempSync(join(tmpdir(), 'techne-note-kill-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let made = 0;

interface Place {
  readonly home: string;
  readonly work: string;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
}

const before =
  '---\ntype: concept # mine\n---\n# Entropy\n\n## Definition\n\nMine.\n\n## Details\n\n## Examples\n\n## Questions\n';
const words = ['concept=Entropy', 'definition=How many states look alike.', 'prerequisite=Probability'];
const command = ['run', 'concept-note', ...words];

function place(old: string | null): Place {
  const folder = join(base, String((made += 1)));
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  for (const path of [join(home, '.techne'), join(work, '.git')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, '.techne/config.json'), '{"cache": {"enabled": false}}\n');
  writeFileSync(join(work, '.git/HEAD'), '');
  writeFileSync(join(work, 'Probability.md'), '# Probability\n');
  if (old !== null) writeFileSync(join(work, 'Entropy.md'), old);
  return { home, work };
}

function techne(
  { home, work }: Place,
  argv: readonly string[],
  kill: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, program, ...argv], {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: home, ...kill },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out }));
  });
}

/** Notes by name; leftovers of a crash are dot files, which no tool shows. */
function notesIn({ work }: Place): { readonly [name: string]: string } {
  const names = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/(?:^|\/)\./.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(work, name), 'utf8')]));
}

interface Listed {
  readonly runs: readonly { readonly run: string; readonly status: string }[];
}

/** What is wrong after a kill at this call; null: the call was not reached. */
async function killAt(
  old: string | null,
  after: string,
  at: number,
  how: string,
): Promise<readonly string[] | null> {
  const scene = place(old);
  const { signal } = await techne(scene, command, { KILL_AT: String(at), KILL_HOW: how });
  if (signal !== 'SIGKILL') return null;
  const problems: string[] = [];
  const whole = [old, after].map((text) => ({
    ...(text === null ? {} : { 'Entropy.md': text }),
    'Probability.md': '# Probability\n',
  }));
  const isWhole = (notes: object): boolean =>
    whole.some((one) => JSON.stringify(one) === JSON.stringify(notes));
  if (!isWhole(notesIn(scene))) problems.push(`torn or twice: ${JSON.stringify(notesIn(scene))}`);
  const { runs } = JSON.parse((await techne(scene, ['runs', '--json'])).out) as Listed;
  const [left] = runs;
  const again = await techne(scene, left === undefined ? command : ['runs', 'resume', left.run, '--json']);
  if (again.code !== 0) problems.push(`it cannot be finished: ${again.out}`);
  if (JSON.stringify(notesIn(scene)) !== JSON.stringify(whole[1])) problems.push('it is not finished');
  if (left !== undefined && (await techne(scene, ['runs', 'replay', left.run])).code !== 0)
    problems.push('a replay differs');
  rmSync(join(scene.home, '..'), { recursive: true, force: true });
  return problems;
}

describe.each([
  ['a new note', null],
  ['a note that exists', before],
])('the program, killed while it writes %s', (what, old) => {
  it('leaves the old or the new note, and finishes it once', async () => {
    const counting = place(old);
    const countFile = join(counting.home, 'count');
    expect((await techne(counting, command, { KILL_COUNT: countFile })).code).toBe(0);
    const after = notesIn(counting)['Entropy.md'] as string;
    expect(after).toContain('How many states look alike.');
    const calls = Number(readFileSync(countFile, 'utf8'));
    expect(calls).toBeGreaterThan(15);
    const problems: string[] = [];
    let kills = 0;
    for (let at = 1; at <= calls; at += isSoak ? 1 : 7)
      for (const how of isSoak ? ways : [ways[at % 3] as (typeof ways)[number]]) {
        const found = await killAt(old, after, at, how);
        if (found === null) continue;
        kills += 1;
        problems.push(...found.map((problem) => `call ${at} of ${calls}, ${how}: ${problem}`));
      }
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(isSoak ? calls * 2 : 3);
    if (isSoak) process.stderr.write(`${what}: ${kills} kills at ${calls} calls\n`);
  }, 3_600_000);
});
