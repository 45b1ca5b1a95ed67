// What `outdated` and `update` ask of a source when nothing, or little, changed: counted on real servers of loopback.
import { mkdirSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexSchema } from '../../src/hub/source/index-format.ts';
import { manifestOfFiles } from '../../src/hub/stage/tree.ts';
import { commitCrafted, noGit, skillText, tgzOf } from '../support/hub/craft.ts';
import { gitAnswer } from '../support/hub/git-http.ts';
import type { LocalServer } from '../support/hub/npm-registry.ts';
import { openRegistry, serve } from '../support/hub/npm-registry.ts';
import type { Ran, World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

let world: World;
const opened: { close(): Promise<void> }[] = [];
beforeEach(() => {
  world = createWorld();
  configure({});
});
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
  world.remove();
});

function configure(hub: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      hub: { allowHosts: ['127.0.0.1'], minimumAgeHours: 0, ...hub },
    }),
  });
}

const yes = { talk: [['[y/N] ', 'y\n']] } as const;
const outdated = async (): Promise<{ readonly [name: string]: unknown }> => {
  const { skills } = JSON.parse((await world.run(['outdated', '--json'])).out) as {
    readonly skills: readonly { name: string; outdated: boolean; fault: { code: string } | null }[];
  };
  return Object.fromEntries(skills.map(({ name, outdated: is, fault }) => [name, fault?.code ?? is]));
};
const pathsOf = ({ requests }: LocalServer): readonly string[] => requests.map(({ url }) => url ?? '');
const added = async (...words: readonly string[]): Promise<Ran> => {
  const ran = await world.run(['add', ...words], yes);
  expect([ran.code, ran.err]).toEqual([0, expect.any(String)]);
  return ran;
};

describe.skipIf(noGit)('a repository of the web', () => {
  it('is asked for its refs, and fetched only after its branch moved', async () => {
    const repository = join(world.folder, 'repositories/repository.git');
    mkdirSync(repository, { recursive: true });
    const files = (text: string) => [
      { name: 'skills/pdf/SKILL.md', bytes: skillText('pdf') + text },
      { name: 'skills/notes/SKILL.md', bytes: skillText('notes') },
    ];
    commitCrafted(repository, files('old'));
    const commands: string[] = [];
    const server = await serve(gitAnswer(join(world.folder, 'repositories'), commands));
    opened.push(server);
    await added(`${server.url}repository.git`, '--yes');
    expect(commands).toContain('fetch');
    commands.length = 0;
    expect(await outdated()).toEqual({ notes: false, pdf: false });
    const updated = await world.run(['update'], yes);
    expect([updated.code, updated.out]).toEqual([
      0,
      'notes is installed already, and its source has nothing new.\npdf is installed already, and its source has nothing new.\n',
    ]);
    expect(commands).toEqual(['ls-refs', 'ls-refs']);
    commitCrafted(repository, files('new'));
    expect(await outdated()).toEqual({ notes: false, pdf: true });
    expect(commands.filter((command) => command === 'fetch')).toEqual(['fetch']);
    expect((await world.run(['update'], yes)).out).toContain('Updated pdf');
  });

  it('is not asked at all for a commit that was named', async () => {
    const repository = join(world.folder, 'repositories/repository.git');
    mkdirSync(repository, { recursive: true });
    const commit = commitCrafted(repository, [{ name: 'SKILL.md', bytes: skillText('repository') }]);
    const server = await serve(gitAnswer(join(world.folder, 'repositories')));
    opened.push(server);
    await added(`${server.url}repository.git#${commit}`, '--yes');
    await server.close();
    expect(await outdated()).toEqual({ repository: false });
  });
});

describe('a package of npm', () => {
  it('is asked for its versions, and fetched only after there is another', async () => {
    const registry = await openRegistry();
    opened.push(registry);
    configure({ npmRegistry: registry.url });
    const publish = (version: string, text: string): void =>
      registry.publish('skills', version, {
        publishedAt: '2026-01-01T00:00:00.000Z',
        tarball: tgzOf([{ name: 'package/skills/pdf/SKILL.md', bytes: skillText('pdf') + text }]),
      });
    publish('1.0.0', 'old');
    await added('npm:skills', '--yes');
    expect(pathsOf(registry)).toEqual(['/skills', '/skills/-/skills-1.0.0.tgz']);
    expect(await outdated()).toEqual({ pdf: false });
    expect((await world.run(['update'], yes)).code).toBe(0);
    expect(pathsOf(registry).slice(2)).toEqual(['/skills', '/skills']);
    publish('1.1.0', 'new');
    expect(await outdated()).toEqual({ pdf: true });
    expect(pathsOf(registry).slice(4)).toEqual(['/skills', '/skills', '/skills/-/skills-1.1.0.tgz']);
  });
});

describe('a site of many skills', () => {
  const names = Array.from({ length: 150 }, (_, at) => `skill-${at}`);
  const index = '/.well-known/agent-skills/index.json';

  /** A site whose skills have these texts besides; without `tree` as other publishers write an index. */
  async function site(texts: { [name: string]: string | null }, withTree: boolean): Promise<LocalServer> {
    const fileOf = (name: string): string => skillText(name) + (texts[name] ?? '');
    const server = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      const name = /agent-skills\/([a-z0-9-]+)\/SKILL\.md$/.exec(pathname)?.[1];
      if (pathname !== index) return void response.end(fileOf(name ?? ''));
      const skills = names
        .filter((each) => texts[each] !== null)
        .map((each) => ({
          name: each,
          type: 'skill-md',
          description: 'd',
          url: `${each}/SKILL.md`,
          digest: `sha256:${createHash('sha256').update(fileOf(each)).digest('hex')}`,
          ...(withTree
            ? {
                tree: manifestOfFiles(
                  new Map([['SKILL.md', { bytes: Buffer.from(fileOf(each)), executable: false }]]),
                ).digest,
              }
            : {}),
        }));
      response.end(JSON.stringify({ $schema: indexSchema, skills }));
    });
    opened.push(server);
    return server;
  }
  const artifact = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`;
  const two = ['--skill', 'skill-7', '--skill', 'skill-120', '--yes'];

  it('is asked for its index alone where that has the digests of the files', async () => {
    const texts: { [name: string]: string | null } = {};
    const server = await site(texts, true);
    await added(server.url, ...two);
    expect(pathsOf(server)).toEqual([index, artifact('skill-7'), artifact('skill-120')]);
    expect(await outdated()).toEqual({ 'skill-120': false, 'skill-7': false });
    texts['skill-7'] = 'new';
    expect(await outdated()).toEqual({ 'skill-120': false, 'skill-7': true });
    expect(pathsOf(server).slice(3)).toEqual([index, index]);
    const { code, out } = await world.run(['update'], yes);
    expect([code, out]).toEqual([0, expect.stringContaining('Updated skill-7')]);
    expect(pathsOf(server).slice(5)).toEqual([index, index, artifact('skill-7')]);
  });

  it('is asked only for the skills whose digest is another one', async () => {
    const texts: { [name: string]: string | null } = {};
    const server = await site(texts, false);
    await added(server.url, ...two);
    texts['skill-7'] = 'new';
    expect(await outdated()).toEqual({ 'skill-120': false, 'skill-7': true });
    expect(pathsOf(server).slice(3)).toEqual([index, index, artifact('skill-7')]);
  });

  it('that lost a skill still answers for the others', async () => {
    const texts: { [name: string]: string | null } = {};
    const server = await site(texts, true);
    await added(server.url, ...two);
    texts['skill-7'] = null;
    texts['skill-120'] = 'new';
    expect(await outdated()).toEqual({ 'skill-120': true, 'skill-7': 'SOURCE_CHANGED' });
    const { out, err } = await world.run(['update'], yes);
    expect(out).toContain('Updated skill-120');
    expect(err).toContain('Not updated: skill-7: ');
    expect(err).toContain('techne pin skill-7');
  });

  it('gives back a skill whose folder is gone', async () => {
    const server = await site({}, true);
    await added(server.url, ...two);
    rmSync(join(world.workspace, '.techne/skills/skill-7'), { recursive: true });
    expect((await world.run(['update'], yes)).out).toContain('Updated skill-7');
  });
});
