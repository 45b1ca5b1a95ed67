// Sources of the web against real servers on loopback: redirects, faults, addresses, digests, npm, indexes, git over http.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortSource, neverAborted } from '../../src/base/abort.ts';
import { fetchResolved, fetchSource } from '../../src/hub/fetch/fetch-source.ts';
import type { FetchOptions } from '../../src/hub/fetch/options.ts';
import { indexSchema } from '../../src/hub/source/index-format.ts';
import type { Fetched, Progress, Source } from '../../src/hub/source/source.ts';
import { commitCrafted, noGit, skillText, tarOf, tgzOf, zipOf } from '../support/hub/craft.ts';
import { gitAnswer } from '../support/hub/git-http.ts';
import type { LocalServer, Registry } from '../support/hub/npm-registry.ts';
import { openRegistry, serve } from '../support/hub/npm-registry.ts';
import type { Bench } from '../support/hub/options.ts';
import { failure, fetchWith, openBench, summary } from '../support/hub/options.ts';

const pack = tgzOf([
  { name: 'wrapper/skills/pdf/SKILL.md', bytes: skillText('pdf') },
  { name: 'wrapper/skills/pdf/scripts/run.sh', bytes: '#!/bin/sh\n', executable: true },
]);
const sha256 = (bytes: Buffer | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('sources of the web', () => {
  let bench: Bench;
  const opened: { close(): Promise<void> }[] = [];
  beforeEach(() => {
    bench = openBench();
  });
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
    bench.close();
  });

  const withOptions = (change: Partial<FetchOptions>, hub: Partial<FetchOptions['hub']> = {}): Bench => ({
    ...bench,
    options: { ...bench.options, ...change, hub: { ...bench.options.hub, ...hub } },
  });
  const open = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<LocalServer> => {
    const server = await serve(answer);
    opened.push(server);
    return server;
  };
  const archive = (location: string, digest: string | null = null): Source => ({
    kind: 'archive',
    location,
    digest,
    skills: [],
  });

  describe('an archive', () => {
    it('is downloaded with progress, and named by its digest', async () => {
      const { url } = await open((_, response) =>
        response.writeHead(200, { 'content-length': pack.length }).end(pack),
      );
      const told: Progress[] = [];
      const fetched = await fetchSource(
        archive(`${url}a.tar.gz`),
        bench.options,
        (each) => told.push(each),
        neverAborted,
      );
      expect(summary(fetched)).toEqual(['pdf: SKILL.md scripts/run.sh']);
      expect(fetched.packages[0]?.resolved).toEqual({
        kind: 'archive',
        location: `${url}a.tar.gz`,
        digest: sha256(pack),
      });
      expect(told.find(({ phase }) => phase === 'download')).toMatchObject({
        doneBytes: pack.length,
        totalBytes: pack.length,
      });
    });

    it('is compared with the digest that was given', async () => {
      const { url } = await open((_, response) => response.end(pack));
      expect(summary(await fetchWith(bench, archive(`${url}a.tar.gz`, sha256(pack))))).toHaveLength(1);
      expect((await failure(fetchWith(bench, archive(`${url}a.tar.gz`, sha256('x'))))).code).toBe(
        'SOURCE_DAMAGED',
      );
    });

    it('follows five redirects and no more', async () => {
      const { url } = await open((request, response) => {
        const left = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
        if (left === 0) response.end(pack);
        else response.writeHead(302, { location: `/${left - 1}.tar.gz` }).end();
      });
      expect(summary(await fetchWith(bench, archive(`${url}5.tar.gz`)))).toHaveLength(1);
      expect((await failure(fetchWith(bench, archive(`${url}6.tar.gz`)))).code).toBe('SOURCE_REFUSED');
    });

    it.each([
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/a.tar.gz',
      'http://localhost/a.tar.gz',
      'http://[::1]/a.tar.gz',
      'http://[::ffff:7f00:1]/a.tar.gz',
      'http://0.0.0.0/a.tar.gz',
      'http://2130706433/a.tar.gz',
      'http://example.org/a.tar.gz',
      'https://127.1.2.3/a.tar.gz',
      'https://192.168.1.1/a.tar.gz',
      'https://[fd00::1]/a.tar.gz',
      'https://[64:ff9b::a00:1]/a.tar.gz',
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
      'https://user:pass@127.0.0.1/a.tar.gz',
    ])('refuses a redirect to %s', async (location) => {
      const { url } = await open((_, response) => response.writeHead(302, { location }).end());
      const error = await failure(fetchWith(withOptions({}), archive(`${url}a.tar.gz`)));
      // The decimal form is that of 127.0.0.1, which the configuration names; nothing listens at port 80.
      expect(error.code).toBe(location.includes('2130706433') ? 'SOURCE_UNREACHABLE' : 'SOURCE_REFUSED');
    });

    it('asks the very address that was checked, and resolves a name once', async () => {
      const { url } = await open((_, response) => response.end(pack));
      const asked: string[] = [];
      const answers = [['127.0.0.1'], ['10.9.9.9']];
      const resolveHost = (host: string): Promise<readonly string[]> => {
        asked.push(host);
        return Promise.resolve(answers[asked.length - 1] ?? []);
      };
      const named = url.replace('127.0.0.1', 'pinned.test');
      const allowed = withOptions({ resolveHost }, { allowHosts: ['pinned.test'] });
      expect(summary(await fetchWith(allowed, archive(`${named}a.tar.gz`)))).toHaveLength(1);
      expect(asked).toEqual(['pinned.test']);
      // One private address among public ones is enough.
      const mixed = withOptions({ resolveHost: () => Promise.resolve(['93.184.216.34', '127.0.0.1']) });
      const error = await failure(fetchWith(mixed, archive(`${named.replace('http:', 'https:')}a.tar.gz`)));
      expect([error.code, error.message]).toEqual(['SOURCE_REFUSED', expect.stringContaining('127.0.0.1')]);
    });

    it('refuses plain http, and hosts of this machine that are not named', async () => {
      const { url } = await open((_, response) => response.end(pack));
      const nothing = withOptions({}, { allowHosts: [] });
      for (const location of [url, url.replace('http:', 'https:')])
        expect((await failure(fetchWith(nothing, archive(`${location}a.tar.gz`)))).code).toBe(
          'SOURCE_REFUSED',
        );
    });

    it.each([
      [
        'a status',
        (_: IncomingMessage, response: ServerResponse) =>
          response.writeHead(503, { 'retry-after': '9' }).end(),
      ],
      [
        'an end in the middle',
        (_: IncomingMessage, response: ServerResponse) => {
          response.writeHead(200, { 'content-length': pack.length });
          response.write(pack.subarray(0, 20), () => response.destroy());
        },
      ],
      ['no answer', (request: IncomingMessage) => request.destroy()],
      ['nonsense', (request: IncomingMessage) => void request.socket.end('SSH-2.0-OpenSSH\r\n')],
    ])('says so for a server with %s', async (_, answer) => {
      const { url } = await open(answer);
      const error = await failure(fetchWith(bench, archive(`${url}a.tar.gz`)));
      expect([error.code, error.hint]).toEqual(['SOURCE_UNREACHABLE', expect.any(String)]);
    });

    it('gives up on a server that is silent', async () => {
      const { url } = await open(() => undefined);
      const slow = withOptions({ limits: { idleMs: 200, totalMs: 5_000 } });
      expect((await failure(fetchWith(slow, archive(`${url}a.tar.gz`)))).code).toBe('SOURCE_LIMIT');
    });

    it('stops when it is told to', async () => {
      const abort = new AbortSource();
      const reason = new Error('enough');
      const { url } = await open((_, response) => {
        response.write(pack.subarray(0, 20));
        setImmediate(() => abort.abort(reason));
      });
      await expect(
        fetchSource(archive(`${url}a.tar.gz`), bench.options, () => undefined, abort.signal),
      ).rejects.toBe(reason);
    });

    it('unpacks an answer that was packed, and refuses other encodings', async () => {
      const tar = tarOf([{ name: 'SKILL.md', bytes: skillText('pdf') }]);
      const { url } = await open((request, response) =>
        request.url === '/a.tar'
          ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(tar))
          : response.writeHead(200, { 'content-encoding': 'br' }).end(tar),
      );
      expect(summary(await fetchWith(bench, archive(`${url}a.tar`)))).toEqual(['pdf: SKILL.md']);
      expect((await failure(fetchWith(bench, archive(`${url}b.tar`)))).code).toBe('SOURCE_REFUSED');
    });
  });

  describe('an npm package', () => {
    let registry: Registry;
    let npm: Bench;
    beforeEach(async () => {
      registry = await openRegistry();
      opened.push(registry);
      npm = withOptions({}, { npmRegistry: registry.url });
      for (const [version, publishedAt] of [
        ['1.0.0', '2026-01-01T00:00:00.000Z'],
        ['1.2.0', '2026-02-01T00:00:00.000Z'],
        ['2.0.0-beta.1', '2026-03-01T00:00:00.000Z'],
      ] as const)
        registry.publish('@acme/skills', version, {
          publishedAt,
          tarball: tgzOf([
            { name: 'package/package.json', bytes: '{"scripts":{"postinstall":"touch canary"}}' },
            { name: 'package/skills/pdf/SKILL.md', bytes: skillText('pdf') },
            { name: 'package/dist/skills/notes/SKILL.md', bytes: skillText(`notes`) },
            { name: 'package/version', bytes: version },
          ]),
        });
      registry.tag('@acme/skills', 'latest', '1.2.0');
    });
    const source = (range: string | null, name = '@acme/skills'): Source => ({
      kind: 'npm',
      name,
      range,
      skills: [],
    });

    it.each([
      [null, '1.2.0'],
      ['latest', '1.2.0'],
      ['1.0.0', '1.0.0'],
      ['^1', '1.2.0'],
      ['<1.2', '1.0.0'],
      ['2.0.0-beta.1', '2.0.0-beta.1'],
    ])('of the range %s has version %s, its integrity and its time', async (range, version) => {
      const fetched = await fetchWith(npm, source(range));
      expect(summary(fetched)).toEqual(['pdf: SKILL.md', 'notes: SKILL.md']);
      expect(fetched.packages[0]?.resolved).toMatchObject({
        kind: 'npm',
        version,
        integrity: expect.stringMatching(/^sha512-/),
        publishedAt: expect.stringMatching(/^2026-/),
      });
    });

    it('says which versions there are', async () => {
      const error = await failure(fetchWith(npm, source('^9')));
      expect([error.code, error.hint]).toEqual(['SOURCE_UNREACHABLE', 'it has 1.0.0, 1.2.0, 2.0.0-beta.1']);
      expect((await failure(fetchWith(npm, source(null, 'nothing')))).code).toBe('SOURCE_UNREACHABLE');
    });

    it('is refused when its bytes are not those of the integrity, or there is none', async () => {
      const tarball = tgzOf([{ name: 'package/SKILL.md', bytes: skillText('pdf') }]);
      registry.publish('bad', '1.0.0', { tarball, integrity: `sha512-${'A'.repeat(86)}==` });
      registry.publish('weak', '1.0.0', { tarball, integrity: null });
      expect((await failure(fetchWith(npm, source(null, 'bad')))).code).toBe('SOURCE_DAMAGED');
      expect((await failure(fetchWith(npm, source(null, 'weak')))).code).toBe('SOURCE_REFUSED');
    });

    it('is not fetched from a private address that its registry names', async () => {
      const tarball = tgzOf([{ name: 'package/SKILL.md', bytes: skillText('pdf') }]);
      registry.publish('elsewhere', '1.0.0', { tarball, url: 'https://169.254.169.254/x.tgz' });
      expect((await failure(fetchWith(npm, source(null, 'elsewhere')))).code).toBe('SOURCE_REFUSED');
    });

    it('comes from the registry of npm, with its token for that host only', async () => {
      const other = await open((_, response) =>
        response.end(tgzOf([{ name: 'package/SKILL.md', bytes: skillText('pdf') }])),
      );
      const tarball = tgzOf([{ name: 'package/SKILL.md', bytes: skillText('pdf') }]);
      registry.publish('moved', '1.0.0', { tarball, url: `${other.url}moved.tgz` });
      const host = new URL(registry.url).host;
      writeFileSync(
        join(bench.folder, '.npmrc'),
        `registry=${registry.url}\n//${host}/:_authToken=\${TOKEN}\n`,
      );
      const own = withOptions({ variables: { ...bench.options.variables, TOKEN: 'secret-token' } });
      expect(summary(await fetchWith(own, source(null, 'moved')))).toEqual(['pdf: SKILL.md']);
      expect(registry.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token']);
      expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    });

    it('needs a registry that is configured', async () => {
      const error = await failure(fetchWith(bench, source(null)));
      expect([error.code, error.hint]).toEqual(['ENVIRONMENT', expect.stringContaining('hub.npmRegistry')]);
    });

    it('is fetched again as it was, or not at all', async () => {
      const [skill] = (await fetchWith(npm, source(null))).packages;
      if (skill === undefined) throw new Error('nothing was fetched');
      const again = (): Promise<Fetched> => fetchResolved(skill, npm.options, () => undefined, neverAborted);
      expect(summary(await again())).toEqual(['pdf: SKILL.md']);
      registry.publish('@acme/skills', '1.2.0', {
        tarball: tgzOf([{ name: 'package/skills/pdf/SKILL.md', bytes: skillText('pdf') + 'new' }]),
      });
      expect((await failure(again())).code).toBe('SOURCE_CHANGED');
    });
  });

  describe('a site with an index', () => {
    const zip = zipOf([
      { name: 'SKILL.md', bytes: skillText('pdf') },
      { name: 'references/a.md', bytes: 'a' },
    ]);
    const note = skillText('notes');
    const site = (
      index: (base: string) => object,
      paths: { readonly [path: string]: Buffer | string } = {},
    ): Promise<LocalServer> =>
      open((request, response) => {
        const base = `http://${request.headers.host}/`;
        const all: { readonly [path: string]: Buffer | string } = {
          '/.well-known/agent-skills/index.json': JSON.stringify(index(base)),
          '/.well-known/agent-skills/pdf.zip': zip,
          '/notes/SKILL.md': note,
          ...paths,
        };
        const found = all[request.url ?? ''];
        if (found === undefined) response.writeHead(404).end();
        else response.end(found);
      });
    const index = (change: object = {}): object => ({
      $schema: indexSchema,
      skills: [
        {
          name: 'pdf',
          type: 'archive',
          description: 'd',
          url: 'pdf.zip',
          digest: sha256(zip),
          version: '1.0.0',
          publishedAt: '2026-01-01T00:00:00.000Z',
          ...change,
        },
        { name: 'notes', type: 'skill-md', description: 'd', url: '/notes/SKILL.md', digest: sha256(note) },
        { name: 'Bad Name', type: 'skill-md', description: 'd', url: '/x', digest: sha256('') },
        { name: 'other', type: 'oci', description: 'd', url: '/x', digest: sha256('') },
      ],
    });
    const source = (url: string, ...skills: string[]): Source => ({ kind: 'well-known', url, skills });

    it('gives its skills, verified, and says what it passed over', async () => {
      const { url } = await site(() => index());
      const fetched = await fetchWith(bench, source(url));
      expect(summary(fetched)).toEqual(['pdf: SKILL.md references/a.md', 'notes: SKILL.md']);
      expect(fetched.packages[0]?.resolved).toEqual({
        kind: 'well-known',
        index: `${url}.well-known/agent-skills/index.json`,
        url: `${url}.well-known/agent-skills/pdf.zip`,
        digest: sha256(zip),
        version: '1.0.0',
        publishedAt: '2026-01-01T00:00:00.000Z',
        publisher: null,
      });
      expect(fetched.refused.map(({ path }) => path)).toEqual(['Bad Name', 'other']);
      expect(summary(await fetchWith(bench, source(url, 'notes')))).toEqual(['notes: SKILL.md']);
    });

    it('is refused when an artifact has another digest, name or form', async () => {
      const codes: string[] = [];
      for (const change of [{ digest: sha256('x') }, { url: 'http://10.0.0.1/x' }, { url: 'https://[' }])
        codes.push(
          (await failure(fetchWith(bench, source((await site(() => index(change))).url, 'pdf')))).code,
        );
      const wrapped = zipOf([{ name: 'pdf/SKILL.md', bytes: skillText('pdf') }]);
      const { url } = await site(() => index({ digest: sha256(wrapped) }), {
        '/.well-known/agent-skills/pdf.zip': wrapped,
      });
      codes.push((await failure(fetchWith(bench, source(url, 'pdf')))).code);
      expect(codes).toEqual(['SOURCE_DAMAGED', 'SOURCE_REFUSED', 'SOURCE_DAMAGED', 'SOURCE_EMPTY']);
    });

    it('takes no more than the limit of all artifacts together, unpacked', async () => {
      const names = ['one', 'two', 'three'];
      const zipped = (name: string): Buffer =>
        zipOf([
          { name: 'SKILL.md', bytes: skillText(name) },
          { name: 'assets/zeros.txt', bytes: '0'.repeat(40_000) },
        ]);
      const { url } = await site(
        () => ({
          $schema: indexSchema,
          skills: names.map((name) => ({
            name,
            type: 'archive',
            description: 'd',
            url: `${name}.zip`,
            digest: sha256(zipped(name)),
          })),
        }),
        Object.fromEntries(names.map((name) => [`/.well-known/agent-skills/${name}.zip`, zipped(name)])),
      );
      const small = withOptions({ limits: { totalBytes: 100_000 } });
      expect(summary(await fetchWith(small, source(url, 'one', 'two')))).toHaveLength(2);
      expect((await failure(fetchWith(small, source(url)))).code).toBe('SOURCE_LIMIT');
    });

    it('does not read an index of another version', async () => {
      const { url } = await site(() => ({
        ...index(),
        $schema: 'https://schemas.agentskills.io/discovery/9.0.0/schema.json',
      }));
      expect((await failure(fetchWith(bench, source(url)))).code).toBe('SOURCE_DAMAGED');
    });

    it('asks who signed the index', async () => {
      const { url } = await site(() => index());
      const publisher = { keyId: `sha256:${'a'.repeat(64)}`, trustedAs: 'Harbour' };
      const seen: string[] = [];
      const signed = withOptions({
        verifyIndex: (hub) => {
          seen.push(hub);
          return Promise.resolve(publisher);
        },
      });
      const fetched = await fetchWith(signed, source(url, 'pdf'));
      expect([fetched.packages[0]?.resolved, seen]).toEqual([expect.objectContaining({ publisher }), [url]]);
    });

    it('reads the older index, file by file, and the same again', async () => {
      const files: { [path: string]: string } = { SKILL: skillText('old') };
      const { url } = await open((request, response) => {
        const found: { readonly [path: string]: string | undefined } = {
          '/docs/.well-known/skills/index.json': JSON.stringify({
            skills: [{ name: 'old', description: 'd', files: ['SKILL.md', 'references/a%20b.md'] }],
          }),
          '/docs/.well-known/skills/old/SKILL.md': files['SKILL'],
          '/docs/.well-known/skills/old/references/a%2520b.md': 'text',
        };
        const text = found[request.url ?? ''];
        if (text === undefined) response.writeHead(404).end();
        else response.end(text);
      });
      const fetched = await fetchWith(bench, source(`${url}docs`));
      expect(summary(fetched)).toEqual(['old: SKILL.md references/a%20b.md']);
      const [skill] = fetched.packages;
      if (skill === undefined) throw new Error('nothing was fetched');
      const again = (): Promise<Fetched> =>
        fetchResolved(skill, bench.options, () => undefined, neverAborted);
      expect(summary(await again())).toHaveLength(1);
      files['SKILL'] = `${skillText('old')}changed`;
      expect((await failure(again())).code).toBe('SOURCE_CHANGED');
    });

    it('says what a site without an index is', async () => {
      const { url } = await open((_, response) => response.writeHead(404).end());
      const error = await failure(fetchWith(bench, source(url)));
      expect([error.code, error.message]).toEqual(['SOURCE_UNREACHABLE', `"${url}" has no index of skills`]);
    });
  });

  describe.skipIf(noGit)('a repository of the web', () => {
    const backend = (): Promise<LocalServer> => {
      const answer = gitAnswer(bench.folder);
      return open((request, response) => {
        const { pathname, search } = new URL(request.url ?? '/', 'http://x');
        if (!pathname.startsWith('/moved')) return answer(request, response);
        response.writeHead(301, { location: `${pathname.replace('/moved', '/repository')}${search}` }).end();
      });
    };
    const source = (url: string, change: object = {}): Source => ({
      kind: 'git',
      url,
      ref: null,
      path: null,
      treePath: null,
      skills: [],
      ...change,
    });
    let commit: string;
    beforeEach(() => {
      mkdirSync(join(bench.folder, 'repository.git'));
      commit = commitCrafted(join(bench.folder, 'repository.git'), [
        { name: 'skills/pdf/SKILL.md', bytes: skillText('pdf') },
      ]);
    });

    it('is fetched over http, also by a commit, and after a redirect that was checked', async () => {
      const { url } = await backend();
      for (const each of [
        source(`${url}repository.git`),
        source(`${url}repository.git`, { ref: commit }),
        source(`${url}moved.git`),
      ])
        expect((await fetchWith(bench, each)).packages[0]?.resolved).toMatchObject({ commit });
    });

    it('is fetched again by its commit although the branch moved on', async () => {
      const { url } = await backend();
      const [skill] = (await fetchWith(bench, source(`${url}repository.git`))).packages;
      if (skill === undefined) throw new Error('nothing was fetched');
      commitCrafted(join(bench.folder, 'repository.git'), [
        { name: 'skills/pdf/SKILL.md', bytes: `${skillText('pdf')}new` },
      ]);
      const fetched = await fetchResolved(skill, bench.options, () => undefined, neverAborted);
      expect(fetched.packages[0]?.resolved).toMatchObject({ commit });
    });

    it('is asked at the address that was checked', async () => {
      const { url } = await backend();
      const resolveHost = (): Promise<readonly string[]> => Promise.resolve(['127.0.0.1']);
      const named = withOptions({ resolveHost }, { allowHosts: ['pinned.test'] });
      const fetched = await fetchWith(
        named,
        source(`${url.replace('127.0.0.1', 'pinned.test')}repository.git`),
      );
      expect(fetched.packages[0]?.resolved).toMatchObject({ commit });
      const unnamed = withOptions({ resolveHost }, { allowHosts: [] });
      expect((await failure(fetchWith(unnamed, source(`https://pinned.test/repository.git`)))).code).toBe(
        'SOURCE_REFUSED',
      );
    });

    it('is told apart from what is not there', async () => {
      const { url } = await backend();
      for (const [each, code] of [
        [source(`${url}nothing.git`), 'SOURCE_UNREACHABLE'],
        [source(`${url}repository.git`, { ref: 'nothing' }), 'SOURCE_UNREACHABLE'],
        [source(`${url}repository.git`, { ref: 'b'.repeat(40) }), 'SOURCE_UNREACHABLE'],
        [source(`${url}repository.git`, { path: 'nothing' }), 'SOURCE_EMPTY'],
        [source(`${url}repository.git`, { skills: ['nothing'] }), 'SOURCE_EMPTY'],
        [source(`ssh://git@127.0.0.1/x.git`), 'SOURCE_REFUSED'],
        [source(`git@127.0.0.1:x.git`), 'SOURCE_REFUSED'],
        [source(`git://localhost/x.git`), 'SOURCE_REFUSED'],
      ] as const)
        expect([each, (await failure(fetchWith(bench, each))).code]).toEqual([each, code]);
    });

    it('is fetched over git:// from a host that is named', async () => {
      const free = await serve(() => undefined);
      const port = Number(new URL(free.url).port);
      await free.close();
      const daemon = spawn(
        'git',
        [
          'daemon',
          '--export-all',
          '--listen=127.0.0.1',
          `--port=${port}`,
          `--base-path=${bench.folder}`,
          '--verbose',
          '--log-destination=stderr',
        ],
        {
          env: { PATH: process.env['PATH'], HOME: bench.folder },
          stdio: ['ignore', 'ignore', 'pipe'],
          detached: true,
        },
      );
      try {
        await new Promise((resolve) => daemon.stderr?.once('data', resolve));
        const fetched = await fetchWith(bench, source(`git://127.0.0.1:${port}/repository.git`));
        expect(fetched.packages[0]?.resolved).toMatchObject({ commit });
      } finally {
        process.kill(-(daemon.pid as number), 'SIGKILL');
      }
    });
  });
});
