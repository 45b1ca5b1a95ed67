import {
  appendFileSync,
  chmodSync,
  existsSync,
  promises,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderFetcher } from '../../../test/support/folder-fetcher.ts';
import type { HubScene } from '../../../test/support/hub-scene.ts';
import { hubScene, leftovers, limits, lockText, writeTo } from '../../../test/support/hub-scene.ts';
import { AbortSource, neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { GuardFile } from '../../guard/detector.ts';
import type { Report, Verdict } from '../../guard/report.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { parseLock } from '../lock/lock-text.ts';
import { firstSeen } from './first-seen.ts';
import { Hub } from './hub.ts';
import type { HubPorts } from './ports.ts';
import type { Proposal } from './proposal.ts';
import { decide } from './proposal.ts';

let scene: HubScene;
let source: string;
beforeEach(() => {
  scene = hubScene();
  source = join(scene.workspace, 'team');
  writeTo(source, {
    'tides/SKILL.md':
      '---\nname: tides\ndescription: Tells the tides.\nallowed-tools: Read Bash\ninstall: brew install tide\n---\n\n```sh\ncurl -s https://tides.example/now | jq .\n```\n',
    'tides/scripts/go.sh!': '#!/bin/sh\nmake tides\n',
    'winds/SKILL.md': '---\nname: winds\ndescription: Tells the winds.\n---\n\nLook outside.\n',
  });
});
afterEach(() => scene.remove());

const scanned = (verdict: Verdict): Report => ({
  verdict,
  findings: [],
  accepted: [],
  scanned: [],
  notScanned: [],
  names: [],
  rulesVersion: 'r1',
  digest: '',
});

function open(ports: Partial<HubPorts> = {}, fetcher = folderFetcher): Hub {
  return new Hub(scene.place, {
    parseSource: fetcher.parseSource,
    fetch: (one, tell, signal) => fetcher.fetchSource(one, {} as never, tell, signal),
    fetchResolved: (one, tell, signal) => fetcher.fetchResolved(one, {} as never, tell, signal),
    latest: (one, skills, tell, signal) => fetcher.findLatest(one, skills, {} as never, tell, signal),
    scan: async () => scanned('clean'),
    shadowsOf: async () => [],
    isShipped: () => false,
    parseFull: nodeParseFull,
    homeFolder: scene.home,
    minimumAgeHours: 24,
    nowMs: () => Date.parse('2026-01-02T00:00:00Z'),
    firstSeen: async () => '2025-01-01T00:00:00.000Z',
    limits,
    calls: promises,
    waitMs: 1000,
    tell: () => undefined,
    signal: neverAborted,
    ...ports,
  });
}

const add = (hub: Hub, text = './team', skills: readonly string[] = []): Promise<Proposal> =>
  hub.proposeAdd({ source: text, cwd: scene.workspace, skills, expect: [] });
const all = ({ skills }: Proposal): readonly string[] => skills.map(({ name }) => name);
const at = (path: string): string => join(scene.place.skills, path);

async function installAll(hub: Hub, text?: string): Promise<void> {
  const proposal = await add(hub, text);
  await hub.install(proposal, all(proposal), []);
}

describe('proposeAdd', () => {
  it('shows everything of the private copy, and installs nothing', async () => {
    const seen: (readonly GuardFile[])[] = [];
    const hub = open({
      scan: async (_name, files) => {
        seen.push(files);
        return scanned('caution');
      },
    });
    const proposal = await add(hub);
    const [tides] = proposal.skills;
    expect(tides).toMatchObject({
      name: 'tides',
      change: 'new',
      before: null,
      declared: { tools: ['Read', 'Bash'], installHints: ['brew install tide'], form: 'instructions' },
      used: { scripts: ['scripts/go.sh'], commands: ['curl', 'jq', 'make'], hosts: ['tides.example'] },
      isPinned: false,
      wasAgreed: false,
    });
    expect(tides?.after).toMatchObject({
      source: './team',
      resolved: { kind: 'folder', path: './team' },
      path: 'tides',
      verdict: 'caution',
      rulesVersion: 'r1',
    });
    expect(seen[0]?.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['scripts/go.sh', true],
    ]);
    expect([existsSync(scene.place.skills), lockText(scene.place)]).toEqual([false, null]);
    await hub.discard(proposal);
    expect(leftovers(scene.place)).toEqual([]);
  });

  it('installs what was agreed to and nothing else, with modes that do not depend on the source', async () => {
    chmodSync(join(source, 'winds/SKILL.md'), 0o600);
    chmodSync(join(source, 'tides/scripts/go.sh'), 0o777);
    const hub = open();
    const proposal = await add(hub);
    await hub.install(proposal, ['winds'], []);
    expect(readdirSync(scene.place.skills)).toEqual(['winds']);
    await installAll(hub);
    expect(
      parseLock(lockText(scene.place) as string, '').skills.map(({ name, trusted }) => [name, trusted]),
    ).toEqual([
      ['tides', false],
      ['winds', false],
    ]);
    const mode = async (path: string): Promise<number> => (await promises.stat(at(path))).mode & 0o777;
    expect([await mode('winds/SKILL.md'), await mode('tides/scripts/go.sh')]).toEqual([0o644, 0o755]);
    expect(leftovers(scene.place)).toEqual([]);
  });

  it('takes only the skills that are named, and names those that are not there', async () => {
    const hub = open();
    const proposal = await add(hub, './team', ['winds']);
    expect(all(proposal)).toEqual(['winds']);
    await hub.discard(proposal);
    await expect(add(hub, './team', ['wind'])).rejects.toMatchObject({
      code: 'SKILL_UNKNOWN',
      hint: 'did you mean "winds"?',
    });
  });

  it('does not overwrite work of the person, and refuses bad names one by one', async () => {
    writeTo(scene.place.skills, { 'winds/SKILL.md': 'mine' });
    writeTo(source, { 'Bad_Name/SKILL.md': 'x', 'tides/a.md': 'x', 'tides/A.md': 'y' });
    const hub = open();
    const proposal = await add(hub);
    expect(proposal.skills).toEqual([]);
    expect(new Set(proposal.notProposed.map(({ name, code }) => `${name} ${code}`))).toEqual(
      new Set(['Bad_Name INSTALL_REFUSED', 'tides INSTALL_REFUSED', 'winds TARGET_EXISTS']),
    );
    await hub.discard(proposal);
    expect(readFileSync(at('winds/SKILL.md'), 'utf8')).toBe('mine');
  });

  it('adds again what was taken out of the lock, unless it was changed', async () => {
    const hub = open();
    await installAll(hub);
    const lock = lockText(scene.place);
    rmSync(scene.place.lockFile);
    await installAll(hub);
    expect(lockText(scene.place)).toBe(lock);
    rmSync(scene.place.lockFile);
    writeFileSync(at('winds/SKILL.md'), 'mine');
    const proposal = await add(hub);
    expect([all(proposal), proposal.notProposed[0]?.code]).toEqual([['tides'], 'DRIFTED']);
    await hub.discard(proposal);
  });

  it('gives the scanner the reason why an entry was not taken', async () => {
    const seen: (readonly GuardFile[])[] = [];
    const reason = 'its path holds ".."';
    const hub = open(
      {
        scan: async (_name, files) => {
          seen.push(files);
          return scanned('incomplete');
        },
      },
      {
        ...folderFetcher,
        fetchSource: async (...args) => {
          const fetched = await folderFetcher.fetchSource(...args);
          const refused = [{ path: 'winds/../x', reason }];
          return { ...fetched, packages: fetched.packages.map((skill) => ({ ...skill, refused })) };
        },
      },
    );
    await hub.discard(await add(hub, './team', ['winds']));
    expect(seen[0]?.filter(({ kind }) => kind !== 'file').map(({ path, why }) => [path, why])).toEqual([
      ['winds/../x', `it was not taken: ${reason}`],
    ]);
  });

  it('asks a site only for the skills that are named', async () => {
    const asked: (readonly string[])[] = [];
    const hub = open(
      {},
      {
        ...folderFetcher,
        parseSource: () => ({ kind: 'well-known', url: 'https://skills.example/', skills: [] }),
        fetchSource: async ({ skills }, ...rest) => {
          asked.push(skills);
          return folderFetcher.fetchSource({ kind: 'folder', path: source, skills }, ...rest);
        },
      },
    );
    for (const skills of [['winds'], [], ['*']])
      await hub.discard(await add(hub, 'https://skills.example/', skills));
    expect(asked).toEqual([['winds'], [], []]);
  });

  it('installs only the digest that was expected, and that pins', async () => {
    const hub = open();
    const digest = (await add(hub)).skills[1]?.after.digest ?? '';
    const expecting = (expect_: string): Promise<Proposal> =>
      hub.proposeAdd({ source: './team', cwd: scene.workspace, skills: ['winds'], expect: [expect_] });
    expect((await expecting(digest)).skills[0]?.isPinned).toBe(true);
    expect((await expecting(`sha256:${'0'.repeat(64)}`)).notProposed[0]?.code).toBe('SOURCE_CHANGED');
  });

  it('does not take a commit that is too new, unless the person named it or it is of this machine', async () => {
    const aged = (url: string, committedAt: string): typeof folderFetcher => ({
      ...folderFetcher,
      fetchSource: async (...args) => {
        const fetched = await folderFetcher.fetchSource(...args);
        const resolved = {
          kind: 'git',
          url,
          ref: null,
          commit: 'b'.repeat(40),
          path: null,
          committedAt,
        } as const;
        return { ...fetched, packages: fetched.packages.map((skill) => ({ ...skill, resolved })) };
      },
    });
    const codes = async (url: string, at_: string, text?: string): Promise<readonly string[]> => {
      const hub = open({}, aged(url, at_));
      const proposal = await add(hub, text, ['winds']);
      await hub.discard(proposal);
      return proposal.notProposed.map(({ code }) => code);
    };
    const [fresh, old] = ['2026-01-01T12:00:00Z', '2025-12-31T00:00:00Z'];
    expect(await codes('https://git.example/x', fresh)).toEqual(['SOURCE_TOO_NEW']);
    expect(await codes('https://git.example/x', old)).toEqual([]);
    expect(await codes('https://git.example/x', fresh, 'commit:./team')).toEqual([]);
    expect(await codes('file:///x', fresh)).toEqual([]);
  });

  it('believes the date of a commit at a first install, and not that of an update that it never saw before', async () => {
    const resolved = {
      kind: 'git',
      url: 'https://git.example/x',
      ref: null,
      commit: 'b'.repeat(40),
      path: null,
      committedAt: '2020-01-01T00:00:00Z',
    } as const;
    const fetcher: typeof folderFetcher = {
      ...folderFetcher,
      fetchSource: async (...args) => {
        const fetched = await folderFetcher.fetchSource(...args);
        return { ...fetched, packages: fetched.packages.map((skill) => ({ ...skill, resolved })) };
      },
    };
    const refusals = async (now: string, more: Partial<HubPorts> = {}): Promise<readonly string[]> => {
      const hub = open(
        {
          nowMs: () => Date.parse(now),
          firstSeen: (key, nowMs) => firstSeen(createNodeFiles(), scene.home, key, nowMs),
          ...more,
        },
        fetcher,
      );
      const proposal = await add(hub, './team', ['winds']);
      await hub.discard(proposal);
      return proposal.notProposed.map(({ code, message }) => `${code} ${message}`);
    };
    const refusal = [
      `SOURCE_TOO_NEW "winds" is not 24 hours old: commit ${'b'.repeat(40)} was first seen on this machine at 2026-01-02T00:00:00.000Z (earlier dates are its author's word)`,
    ];
    expect(await refusals('2026-01-02T00:00:00Z')).toEqual([]);
    await installAll(open());
    appendFileSync(join(scene.workspace, 'team', 'winds', 'SKILL.md'), 'More.\n');
    expect(await refusals('2026-01-02T00:00:00Z')).toEqual(refusal);
    expect(await refusals('2026-01-02T23:00:00Z')).toEqual(refusal);
    expect(await refusals('2026-01-02T23:00:00Z', { minimumAgeHours: 0 })).toEqual([]);
    expect(await refusals('2026-01-03T00:00:00Z')).toEqual([]);
    writeFileSync(join(scene.home, '.techne/hub/first-seen.json'), '{');
    expect(await refusals('2026-01-03T00:00:00Z')).toEqual([
      expect.stringMatching(/^LOCK_INVALID the record of what was first seen when/) as string,
    ]);
  });

  it('stops when it is interrupted, and leaves nothing', async () => {
    const stop = new AbortSource();
    const reason = new Error('stopped');
    const hub = open({
      signal: stop.signal,
      scan: async () => {
        stop.abort(reason);
        return scanned('clean');
      },
    });
    await expect(add(hub)).rejects.toBe(reason);
    expect(leftovers(scene.place)).toEqual([]);
  });

  it('hears an interrupt that came while the last skill was scanned', async () => {
    const stop = new AbortSource();
    const reason = new TechneError('ENVIRONMENT', 'it was interrupted');
    const hub = open({
      signal: stop.signal,
      // A signal is delivered by the event loop, after the scan.
      shadowsOf: async () => {
        setImmediate(() => stop.abort(reason));
        return [];
      },
    });
    await expect(add(hub, './team', ['winds'])).rejects.toBe(reason);
    expect(leftovers(scene.place)).toEqual([]);
  });

  it('removes the records of killed processes beside the mutex, and no others', async () => {
    const hub = open();
    await hub.discard(await add(hub));
    const record = (pid: number, token: string): string => {
      const path = `${scene.place.mutexFile}.${token}.tmp`;
      writeFileSync(path, JSON.stringify({ ...own, token, pid }));
      return path;
    };
    const own = await owner();
    const [dead, alive] = [record(999_999_999, '0'.repeat(24)), record(process.pid, '1'.repeat(24))];
    await hub.discard(await add(hub));
    expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
  });

  it('removes the private copies of killed processes', async () => {
    const dead = join(scene.place.stages, `stage-${'0'.repeat(16)}`);
    writeTo(dead, {
      'owner.json': '{"pid":999999999,"startedAt":null,"bootId":null,"pidSpace":null,"host":"here"}',
      'new/x/SKILL.md': 'x',
    });
    writeFileSync(
      join(dead, 'owner.json'),
      JSON.stringify({
        ...JSON.parse(readFileSync(join(dead, 'owner.json'), 'utf8')),
        ...(await owner()),
        pid: 999_999_999,
      }),
    );
    const hub = open();
    await hub.discard(await add(hub));
    expect(leftovers(scene.place)).toEqual([]);
  });
});

async function owner(): Promise<object> {
  return (await import('../../node/files/owner-record.ts')).ownRecord();
}

describe('proposeUpdate', () => {
  it('proposes what changed, and says what did not', async () => {
    const hub = open();
    await installAll(hub);
    writeTo(source, {
      'winds/SKILL.md': '---\nname: winds\ndescription: Tells the winds.\nallowed-tools: Bash\n---\n\nAsk.\n',
    });
    const proposal = await hub.proposeUpdate(null);
    expect(proposal.skills.map(({ name, change, expects }) => [name, change, expects])).toEqual([
      ['tides', 'same', 'as-locked'],
      ['winds', 'changed', 'as-locked'],
    ]);
    await hub.install(proposal, all(proposal), []);
    expect(readFileSync(at('winds/SKILL.md'), 'utf8')).toContain('Ask.');
    expect((await hub.outdated(null)).map(({ latest, fault }) => [latest, fault])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('leaves pinned skills, refuses changed ones, and reports a source that is gone', async () => {
    const hub = open();
    await installAll(hub);
    await hub.pin('tides', true);
    writeFileSync(at('winds/SKILL.md'), 'mine');
    expect((await hub.proposeUpdate(['tides'])).notProposed).toMatchObject([
      { name: 'tides', hint: 'techne unpin tides, and then techne update tides' },
    ]);
    expect((await hub.proposeUpdate(null)).notProposed.map(({ name, code }) => [name, code])).toEqual([
      ['winds', 'DRIFTED'],
    ]);
    rmSync(source, { recursive: true });
    expect((await hub.outdated(['winds']))[0]?.fault?.code).toBe('SOURCE_UNREACHABLE');
    expect((await hub.proposeUpdate(['winds'])).notProposed[0]?.code).toBe('SOURCE_UNREACHABLE');
  });
});

describe('proposeRestore', () => {
  it('puts back what drifted or is gone, and touches nothing else', async () => {
    const hub = open();
    await installAll(hub);
    const lock = lockText(scene.place);
    writeFileSync(at('winds/SKILL.md'), 'other');
    rmSync(at('tides'), { recursive: true });
    const proposal = await hub.proposeRestore(null);
    expect(proposal.skills.map(({ name, change, wasAgreed }) => [name, change, wasAgreed])).toEqual([
      ['tides', 'back', true],
      ['winds', 'back', true],
    ]);
    await hub.install(proposal, all(proposal), []);
    expect((await hub.list()).map(({ drift }) => drift.files)).toEqual([[], []]);
    expect(lockText(scene.place)).toBe(lock);
    expect((await hub.proposeRestore(null)).skills).toEqual([]);
  });

  it('refuses a source that no longer has what was locked', async () => {
    const hub = open();
    await installAll(hub);
    rmSync(at('winds'), { recursive: true });
    writeTo(source, { 'winds/SKILL.md': 'other' });
    expect((await hub.proposeRestore(null)).notProposed).toMatchObject([
      {
        name: 'winds',
        code: 'SOURCE_CHANGED',
        hint: 'techne update winds shows what it has now; techne remove winds takes it out of the lock',
      },
    ]);
  });
});

describe('adopt', () => {
  it('takes the present content into the lock, without the trust', async () => {
    const hub = open();
    const proposal = await add(hub);
    await hub.install(proposal, all(proposal), ['winds']);
    writeFileSync(at('winds/SKILL.md'), '---\nname: winds\ndescription: Mine.\n---\n');
    const proposed = await hub.proposeAdopt('winds');
    expect(proposed.after).toMatchObject({ adopted: true, trusted: false });
    await hub.adopt(proposed);
    expect((await hub.list()).every(({ drift }) => drift.files.length === 0)).toBe(true);
    rmSync(at('winds'), { recursive: true });
    expect((await hub.proposeRestore(['winds'])).notProposed[0]?.message).toContain(
      'was adopted with changes',
    );
  });

  it('refuses links, and content that changes while it is looked at', async () => {
    const hub = open();
    await installAll(hub);
    const proposed = await hub.proposeAdopt('winds');
    writeFileSync(at('winds/SKILL.md'), 'other');
    await expect(hub.adopt(proposed)).rejects.toMatchObject({ code: 'STALE' });
    await promises.symlink('/etc/passwd', at('winds/link'));
    await expect(hub.proposeAdopt('winds')).rejects.toMatchObject({ code: 'INSTALL_REFUSED' });
  });

  it('puts a skill back that the lock lost', async () => {
    const hub = open();
    await installAll(hub);
    rmSync(scene.place.lockFile);
    await hub.adopt(await hub.proposeAdopt('winds'));
    expect((await hub.list()).map(({ entry }) => [entry.name, entry.source])).toEqual([['winds', './team']]);
  });
});

describe('remove', () => {
  it('takes the folder, the entry and the receipt, and keeps changes unless it is forced', async () => {
    const hub = open();
    await installAll(hub);
    writeFileSync(at('winds/SKILL.md'), 'mine');
    await expect(hub.remove('winds', false)).rejects.toMatchObject({ code: 'DRIFTED' });
    await hub.remove('winds', true);
    await hub.remove('tides', false);
    expect([readdirSync(scene.place.skills), [...(await hub.receipts()).keys()]]).toEqual([[], []]);
    await expect(hub.remove('tides', false)).rejects.toMatchObject({ code: 'SKILL_UNKNOWN' });
  });
});

describe('decide', () => {
  const given = { terminal: false, yes: false, allowIncomplete: false, policy: 'ask' } as const;
  const proposed = async (
    verdict: Verdict,
    text = './team',
    ports: Partial<HubPorts> = {},
  ): Promise<Proposal['skills'][number]> => {
    const hub = open({ scan: async () => scanned(verdict), ...ports });
    const proposal = await add(hub, text, ['winds']);
    await hub.discard(proposal);
    return proposal.skills[0] as Proposal['skills'][number];
  };
  const answer = (skill: Proposal['skills'][number], how: Partial<Parameters<typeof decide>[1]>): string => {
    const decision = decide(skill, { ...given, ...how });
    return decision.kind === 'refused'
      ? decision.code
      : decision.kind === 'ask' && decision.explicitly
        ? 'ask explicitly'
        : decision.kind;
  };

  it('asks a person, and takes --yes', async () => {
    const clean = await proposed('clean');
    expect(answer(clean, { terminal: true })).toBe('ask');
    expect(answer(clean, { terminal: true, yes: true })).toBe('allowed');
    expect(answer(clean, { terminal: true, policy: 'off' })).toBe('INSTALL_REFUSED');
  });

  it('without a person needs a pinned source, and --yes or the policy', async () => {
    const [floating, pinned] = [await proposed('clean'), await proposed('clean', 'commit:./team')];
    expect(answer(floating, { yes: true })).toBe('CONSENT_NEEDED');
    expect(answer(floating, { yes: true, policy: 'pinned' })).toBe('CONSENT_NEEDED');
    expect(answer(pinned, {})).toBe('CONSENT_NEEDED');
    expect(answer(pinned, { yes: true })).toBe('allowed');
    expect(answer(pinned, { policy: 'pinned' })).toBe('allowed');
    expect(answer(pinned, { policy: 'off', yes: true })).toBe('INSTALL_REFUSED');
  });

  it('puts nothing of a source into a command to copy that a shell would understand', async () => {
    const skill = await proposed('clean');
    const hint = (text: string): string => {
      const after = { ...skill.after, source: text };
      const decision = decide({ ...skill, change: 'back', after }, given);
      return decision.kind === 'refused' ? decision.hint : '';
    };
    expect(hint('./team')).toContain('techne add ./team --skill winds');
    expect(hint('x; rm -r .')).toContain('techne add SOURCE --skill winds');
    expect(hint('$(id)')).toContain('techne add SOURCE --skill winds');
  });

  it('refuses what is dangerous, whoever asks', async () => {
    const bad = await proposed('dangerous', 'commit:./team');
    expect(answer(bad, { terminal: true, yes: true, allowIncomplete: true, policy: 'pinned' })).toBe(
      'INSTALL_REFUSED',
    );
  });

  it('needs a word of its own for what could not be scanned', async () => {
    const gaps = await proposed('incomplete', 'commit:./team');
    expect(answer(gaps, { terminal: true })).toBe('ask explicitly');
    expect(answer(gaps, { terminal: true, yes: true })).toBe('ask explicitly');
    expect(answer(gaps, { yes: true })).toBe('CONSENT_NEEDED');
    expect(answer(gaps, { yes: true, allowIncomplete: true })).toBe('allowed');
  });

  it('reserves the names of shipped skills', async () => {
    const taken = await proposed('clean', './team', { isShipped: (name) => name === 'winds' });
    for (const change of ['new', 'changed', 'back'] as const)
      expect(answer({ ...taken, change, wasAgreed: true }, { terminal: true })).toBe('INSTALL_REFUSED');
  });
});
