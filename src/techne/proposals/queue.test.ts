import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { HubCalls } from '../../hub/stage/held-folder.ts';
import { readTree, manifestOfFiles } from '../../hub/stage/tree.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import { heal, installChange } from './install-change.ts';
import type { NewProposal } from './queue.ts';
import { ProposalQueue } from './queue.ts';

const treeOf = (text: string): CandidateTree =>
  new Map([
    ['SKILL.md', { bytes: encodeUtf8(`---\nname: tides\n---\n${text}\n`), executable: false }],
    ['references/more.md', { bytes: encodeUtf8(text), executable: false }],
  ]);
const [one, two] = [treeOf('one'), treeOf('two')];
const accept = { act: 'accepted', by: 'person', reason: 'looks good', details: {} } as const;
const back = { act: 'rolled-back', by: 'person', reason: 'was wrong', details: {} } as const;

let home: string;
let skills: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-queue-'));
  skills = join(home, 'skills');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (calls: HubCalls = promises): ProposalQueue =>
  new ProposalQueue({
    folder: join(home, '.techne/proposals'),
    calls,
    now: () => '2026-11-18T10:00:00.000Z',
    waitMs: 2000,
  });
const asked = (kind: Proposal['kind'], newName: string | null = null): NewProposal => ({
  kind,
  skill: 'tides',
  newName,
  folder: join(skills, 'tides'),
  why: 'asked for',
  origin: { by: 'agent', surface: 'library', run: null, conversation: null, model: null },
});
function write(tree: CandidateTree, name = 'tides'): void {
  for (const [path, { bytes }] of tree) {
    mkdirSync(join(skills, name, path, '..'), { recursive: true });
    writeFileSync(join(skills, name, path), bytes);
  }
}
async function digestAt(name = 'tides'): Promise<string | null> {
  return (await readTree(promises, join(skills, name), { files: 100, bytes: 1e6 }))?.manifest.digest ?? null;
}
const digestOf = (tree: CandidateTree): string => manifestOfFiles(tree).digest;

describe('ProposalQueue', () => {
  it('keeps a proposal with its trees, bound to their bytes, and the audit', async () => {
    const { proposal, isNew } = await open().add(asked('edit'), one, two);
    expect([isNew, proposal.state, proposal.base, proposal.candidate]).toEqual([
      true,
      'pending',
      digestOf(one),
      digestOf(two),
    ]);
    expect(await open().list()).toEqual({ proposals: [proposal], faults: [] });
    expect(await open().tree(proposal, 'candidate')).toEqual(two);
    expect((await open().audit()).entries.map(({ act, proposal: id }) => [act, id])).toEqual([
      ['proposed', proposal.id],
    ]);
  });

  it('takes the same bytes for the same proposal, and others for another', async () => {
    const first = await open().add(asked('edit'), one, two);
    expect(await open().add(asked('edit'), one, two)).toEqual({ proposal: first.proposal, isNew: false });
    expect((await open().add(asked('edit'), two, one)).proposal.id).not.toBe(first.proposal.id);
  });

  it('is one queue for two processes at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => open().add(asked('create'), null, treeOf(`text ${at % 4}`))),
    );
    expect(new Set(made.map(({ proposal }) => proposal.id)).size).toBe(4);
    expect([made.filter(({ isNew }) => isNew).length, (await open().list()).proposals.length]).toEqual([
      4, 4,
    ]);
    expect((await open().audit()).entries.length).toBe(4);
  });

  it.each([
    [
      'a torn record',
      (text: string) => text.slice(0, text.length / 2),
      'it is not a JSON object, or is cut off',
    ],
    [
      'a record of another candidate',
      (text: string) => text.replace(digestOf(two), digestOf(one)),
      'its id does not fit what it says: it was changed',
    ],
    [
      'another folder',
      (text: string) => text.replace('/skills/tides', '/skills/other'),
      'its id does not fit what it says: it was changed',
    ],
    ['an unknown state', (text: string) => text.replace('"pending"', '"blessed"'), 'its state is unknown'],
  ])('reports %s and does not use it', async (_, change, message) => {
    const { proposal } = await open().add(asked('edit'), one, two);
    const file = join(home, '.techne/proposals', proposal.id, 'proposal.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(await open().list()).toEqual({ proposals: [], faults: [{ path: file, message }] });
    await expect(open().get(proposal.id)).rejects.toMatchObject({ code: 'FILE_INVALID' });
  });

  it('refuses a tree whose bytes were swapped, whichever file it is', async () => {
    const { proposal } = await open().add(asked('edit'), one, two);
    for (const path of ['SKILL.md', 'references/more.md', 'added.md']) {
      const file = join(home, '.techne/proposals', proposal.id, 'candidate/tides', path);
      const before = existsSync(file) ? readFileSync(file) : null;
      writeFileSync(file, 'other');
      await expect(open().tree(proposal, 'candidate')).rejects.toMatchObject({ code: 'PROPOSAL_CHANGED' });
      write(one);
      await expect(installChange(open(), proposal.id, accept)).rejects.toMatchObject({
        code: 'PROPOSAL_CHANGED',
      });
      if (before === null) rmSync(file);
      else writeFileSync(file, before);
    }
    expect(await digestAt()).toBe(digestOf(one));
  });

  it('goes on after a torn line of the audit, and says which it was', async () => {
    await open().add(asked('create'), null, one);
    appendFileSync(open().auditFile, '{"at":"2026');
    await open().add(asked('create'), null, two);
    const { entries, torn } = await open().audit();
    expect([entries.length, torn]).toEqual([2, [2]]);
  });

  it('finds by the beginning of an id, and says when there is none', async () => {
    const { proposal } = await open().add(asked('create'), null, one);
    expect((await open().get(proposal.id.slice(0, 6))).id).toBe(proposal.id);
    for (const wrong of ['', 'zz', '../x', 'ffffffffffffffff'])
      await expect(open().get(wrong)).rejects.toMatchObject({ code: 'PROPOSAL_UNKNOWN' });
  });

  it('takes no more than a person can look at', async () => {
    const queue = open();
    for (let at = 0; at < 100; at += 1) await queue.add(asked('create'), null, treeOf(`text ${at}`));
    await expect(queue.add(asked('create'), null, one)).rejects.toMatchObject({ code: 'PROPOSAL_REFUSED' });
  }, 60_000);
});

describe('installChange', () => {
  it.each(['create', 'edit', 'delete', 'rename'] as const)(
    'makes a change of kind %s, and takes it back',
    async (kind) => {
      if (kind !== 'create') write(one);
      const newName = kind === 'rename' ? 'sea' : null;
      const { proposal } = await open().add(
        asked(kind, newName),
        kind === 'create' ? null : one,
        kind === 'delete' ? null : two,
      );
      expect((await installChange(open(), proposal.id, accept)).state).toBe('accepted');
      const [old, fresh] = [kind === 'create' ? null : digestOf(one), digestOf(two)];
      expect([await digestAt(), await digestAt('sea')]).toEqual(
        kind === 'delete' ? [null, null] : kind === 'rename' ? [null, fresh] : [fresh, null],
      );
      expect((await installChange(open(), proposal.id, back)).state).toBe('rolled-back');
      expect([await digestAt(), await digestAt('sea')]).toEqual([old, null]);
      expect(readdirSync(skills).filter((name) => name.startsWith('.'))).toEqual([]);
      expect((await open().audit()).entries.map(({ act }) => act)).toEqual([
        'proposed',
        'accepted',
        'rolled-back',
      ]);
    },
  );

  it('refuses when the base moved, also for a rollback, and changes nothing', async () => {
    write(one);
    const { proposal } = await open().add(asked('edit'), one, two);
    write(treeOf('somebody else'));
    await expect(installChange(open(), proposal.id, accept)).rejects.toMatchObject({ code: 'STALE' });
    expect(await digestAt()).toBe(digestOf(treeOf('somebody else')));
    write(one);
    await installChange(open(), proposal.id, accept);
    write(treeOf('somebody else'));
    await expect(installChange(open(), proposal.id, back)).rejects.toMatchObject({ code: 'STALE' });
  });

  it('refuses where something is in the place of a new skill, and what is decided already', async () => {
    const { proposal } = await open().add(asked('create'), null, two);
    write(one);
    await expect(installChange(open(), proposal.id, accept)).rejects.toMatchObject({ code: 'STALE' });
    rmSync(skills, { recursive: true });
    await expect(installChange(open(), proposal.id, back)).rejects.toMatchObject({ code: 'STALE' });
    await installChange(open(), proposal.id, accept);
    await expect(installChange(open(), proposal.id, accept)).rejects.toMatchObject({ code: 'STALE' });
  });

  it('is made once by two processes at the same time', async () => {
    write(one);
    const { proposal } = await open().add(asked('edit'), one, two);
    const made = await Promise.allSettled([1, 2, 3].map(() => installChange(open(), proposal.id, accept)));
    expect(made.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await open().audit()).entries.filter(({ act }) => act === 'accepted').length).toBe(1);
  });

  /** Every call that changes something fails from the Nth on, as if the process had been killed there. */
  function killedAt(limit: number, count: { made: number }): HubCalls {
    const names = ['open', 'rename', 'unlink', 'mkdir', 'link', 'rmdir'] as const;
    const failing = Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: never[]) => {
          count.made += 1;
          if (count.made > limit) throw Object.assign(new Error('killed'), { code: 'EIO' });
          return (promises[name] as (...given: never[]) => Promise<unknown>)(...args);
        },
      ]),
    );
    return { ...promises, ...failing } as unknown as HubCalls;
  }

  it.each([
    ['accept', 'create'],
    ['accept', 'edit'],
    ['accept', 'delete'],
    ['accept', 'rename'],
    ['rollback', 'edit'],
    ['rollback', 'rename'],
  ] as const)(
    'leaves the old or the new skill, and a true record, wherever %s of kind %s is ended',
    async (way, kind) => {
      const newName = kind === 'rename' ? 'sea' : null;
      const [base, candidate] = [kind === 'create' ? null : one, kind === 'delete' ? null : two];
      let points = 0;
      for (let limit = 0; ; limit += 1) {
        rmSync(join(home, '.techne'), { recursive: true, force: true });
        rmSync(skills, { recursive: true, force: true });
        if (base !== null) write(base);
        const { proposal } = await open().add(asked(kind, newName), base, candidate);
        if (way === 'rollback') await installChange(open(), proposal.id, accept);
        const order = way === 'accept' ? accept : back;
        const count = { made: 0 };
        const done = await installChange(
          new ProposalQueue({
            folder: open().folder,
            calls: killedAt(limit, count),
            now: open().now,
            waitMs: 200,
          }),
          proposal.id,
          order,
        ).then(
          () => true,
          () => false,
        );
        // A dead process holds no lock; this one lives, so its lock is taken away here.
        for (const name of readdirSync(open().folder))
          if (name.startsWith('mutex')) rmSync(join(open().folder, name));
        await heal(open());
        const now = await open().get(proposal.id);
        const after =
          way === 'accept'
            ? { state: 'accepted', base, candidate }
            : { state: 'rolled-back', base: candidate, candidate: base };
        const before = way === 'accept' ? 'pending' : 'accepted';
        const target = way === 'accept' ? (newName ?? 'tides') : 'tides';
        const source = way === 'accept' ? 'tides' : (newName ?? 'tides');
        const isMade = now.state === after.state;
        expect([limit, now.state]).toEqual([limit, isMade ? after.state : before]);
        expect(isMade || !done).toBe(true);
        const [wanted, place] = isMade ? [after.candidate, target] : [after.base, source];
        expect([limit, await digestAt(place)]).toEqual([limit, wanted === null ? null : digestOf(wanted)]);
        expect(source === target ? null : await digestAt(isMade ? source : target)).toBeNull();
        expect((await open().audit()).entries.filter(({ act }) => act === order.act).length).toBe(
          isMade ? 1 : 0,
        );
        expect(existsSync(join(open().folder, 'intent.json'))).toBe(false);
        // What was not made can be made now.
        const again = isMade ? now : await installChange(open(), proposal.id, order);
        expect(again.state).toBe(after.state);
        expect(readdirSync(skills).filter((name) => name.startsWith('.techne'))).toEqual([]);
        if (done) break;
        points += 1;
      }
      expect(points).toBeGreaterThan(10);
    },
    120_000,
  );
});
