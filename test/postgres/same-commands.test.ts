// Every command about runs does and prints the same, whether runs are in files or in Postgres.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { RunOptions, World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`;

const files = {
  'work/.techne/skills/steps/SKILL.md': skill('steps'),
  'work/.techne/skills/steps/SKILL.star': `
def run(input):
    first = ask("First: " + input["task"], {"purpose": "first"})["answer"]
    done = command(["tool", first])
    trace("tool", {"ok": done["ok"], "large": "x" * 20000})
    return {"status": "accepted", "answer": first + " " + done["result"]}
`,
  'work/.techne/skills/form/SKILL.md': skill('form'),
  'work/.techne/skills/form/SKILL.star': 'def run(input):\n    return "about " + ask("Topic?")["answer"]\n',
  'work/a.yaml': 'answers: [one, two]\ncommands: [{argv: [tool, "*"], stdout: done}]\n',
  'work/b.yaml': 'answers: [other, two]\ncommands: [{argv: [tool, "*"], stdout: done}]\n',
};

let database: TestDatabase;
let world: World;
let made = 0;

describe.skipIf(noPostgres)('runs in Postgres and in files', () => {
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    world = createWorld(files);
    configure({});
  });
  afterEach(() => world.remove());

  const configure = (runs: object): void =>
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        cache: { enabled: false },
        trust: { folders: [world.workspace] },
        runs,
      }),
    });
  const address = (): string => `${database.url}?schema=cli_${(made += 1)}`;

  /** What a session of commands prints, with ids, times and places made equal. */
  async function session(store: readonly string[]): Promise<readonly string[]> {
    const printed: string[] = [];
    const ids = new Map<string, string>();
    const plain = (text: string): string =>
      text
        .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, (id) => {
          if (!ids.has(id)) ids.set(id, `<${ids.size + 1}>`);
          return ids.get(id) as string;
        })
        .replaceAll(/(nested in )\w{8}/g, '$1<run>')
        .replaceAll(/\b[0-9]+(?:\.[0-9]+)? (?:ms|s)\b|\+[0-9.]+ ?m?s/g, '<time>')
        .replaceAll(/"(\w*[aA]t|ms|wallMs|durationMs|nonce)": ?("[^"]*"|\d+(?:\.\d+)?)/g, '"$1": <>')
        .replaceAll(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, '<date>')
        .replaceAll(/just now|\d+ seconds? ago|\b\d+s\b/g, '<ago>')
        .replaceAll(/(journal +).*/g, '$1<place>')
        .replaceAll(/question [0-9a-z]+/gi, 'question <id>')
        .replaceAll(/"(id)": "[^"]+"/g, '"$1": "<>"')
        .replaceAll(/\\?"(at|ms)\\?":\d+/g, '"$1":<>')
        .replaceAll(/\\"nonce\\":\\"[\w-]+\\"/g, '"nonce":<>')
        .replaceAll(/(show )[0-9A-Z]{6}\b/g, '$1<end>')
        .replaceAll(/as in run \w{6}/g, 'as in run <>')
        .replaceAll(/x{100,}/g, 'x…')
        .replaceAll(/  (?:now|<time>)/g, '  <age>')
        .replaceAll(/ {2,}/g, '  ');
    const command = async (argv: readonly string[], options?: RunOptions): Promise<string> => {
      const { code, out, err } = await world.run([...argv, ...store], options);
      printed.push(plain(`$ ${argv.join(' ')}\n${code}\n${out}${err}`));
      return out;
    };
    const start = async (...argv: readonly string[]): Promise<string> =>
      (JSON.parse(await command(['run', ...argv, '--json', '-q'])) as { run: string }).run;

    await command(['runs', 'list']);
    await command(['runs', 'show', 'last']);
    const first = await start('steps', 'task=it', '--answer', 'script:a.yaml');
    const second = await start('steps', 'task=it', '--answer', 'script:b.yaml');
    await command(['runs', 'show', first]);
    await command(['runs', 'show', first.slice(-6), '--effects', '--json']);
    await command(['runs', 'show', first.slice(0, 2)]);
    await command(['runs', 'show', 'NOSUCHRUN']);
    await command(['runs', 'replay', first]);
    await command(['runs', 'diff', first, second]);
    await command(['runs', 'fork', first, '--edit', '1=changed', '--answer', 'script:a.yaml']);
    await command(['runs', 'to-test', second]);
    await command(['runs', 'tail', first]);
    await command(['runs', 'resume', first]);
    const asking = await start('form', 'x=1', '--answer', 'caller');
    await command(['runs', 'show', asking]);
    await command(['answer', asking, '--text', 'tides']);
    await command(['runs', 'show', asking]);
    const other = await start('form', 'x=1', '--answer', 'caller');
    await command(['runs', 'cancel', other, '--reason', 'enough']);
    await command(['runs', 'list', '--json']);
    await command(['runs', 'list', '--status', 'completed', '--limit', '2']);
    await command(['runs', 'prune', '--older-than', '0s', '--dry-run']);
    await command(['runs', 'prune', '--older-than', '0s', '--keep', '1']);
    await command(['runs', 'list']);
    return printed;
  }

  it('are used by the same commands, with the same output', async () => {
    const inFiles = await session([]);
    const at = address();
    const inPostgres = await session(['--store', at]);
    // What to type next has the store that was given, and a hint names the option also where it was not.
    const withoutStore = (text: string): string =>
      text.replaceAll(/ --store (?:'[^']*'|[\w:/.@=%+?&-]+)/g, '').replace(/ --store .*/, '');
    const shown = at.replace(/:[^:@/]*@/, '@');
    expect(inPostgres.some((text) => text.includes(`--store '${shown}'`))).toBe(true);
    expect(inPostgres.map(withoutStore)).toEqual(inFiles.map(withoutStore));
    expect(inFiles.every((text) => !text.includes('Error:'))).toBe(true);
  });

  it('are in the store that the configuration names', async () => {
    const at = address();
    const url = new URL(at);
    const password = decodeURIComponent(url.password);
    url.password = '';
    configure({ store: url.toString() });
    const env = { PGPASSWORD: password };
    const pgpassword = process.env['PGPASSWORD'];
    process.env['PGPASSWORD'] = password;
    try {
      const { out } = await world.run(['run', 'steps', 'task=it', '--answer', 'script:a.yaml'], { env });
      expect(out).toContain(url.toString());
      expect(out).not.toContain(password);
      expect((await world.run(['runs', 'show', 'last'], { env })).out).toContain('completed');
      // The other store is untouched.
      expect((await world.run(['runs', 'list', '--store', 'files'], { env })).out).toContain(
        'There is no run yet',
      );
      expect((await world.run(['runs', 'list', '--store', at], { env })).out).toContain('steps');
      expect((await world.run(['config', 'show', '--json'], { env })).out).not.toContain(password);
    } finally {
      if (pgpassword === undefined) delete process.env['PGPASSWORD'];
      else process.env['PGPASSWORD'] = pgpassword;
    }
  });

  it('are never taken from another place in silence', async () => {
    world.write({ 'home/.techne/config.json': '{"runs": {"store": "postgres://me@db/x",}' });
    expect(await world.run(['runs', 'list'])).toMatchObject({ code: 1, out: '' });
    configure({ store: 'postgres://me:secret@db/x' });
    const refused = await world.run(['runs', 'list']);
    expect([
      refused.code,
      refused.err.includes('must not hold a password'),
      refused.err.includes('secret'),
    ]).toEqual([1, true, false]);
    expect(readFileSync(join(world.home, '.techne/config.json'), 'utf8')).toContain('secret');
    expect((await world.run(['runs', 'list', '--store', 'files'])).code).toBe(0);
    expect(await world.run(['runs', 'list', '--store', 'sqlite:x'])).toMatchObject({ code: 2 });
    expect((await world.run(['runs', 'list', '--store', 'postgres://u:hidden@'])).err).not.toContain(
      'hidden',
    );
  });
});
