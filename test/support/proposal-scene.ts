// A queue with one proposal, and the skills around it, for processes that are killed while they change them.
import {
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import type { HubCalls } from '../../src/hub/stage/held-folder.ts';
import type { CandidateTree } from '../../src/proposals/change-tree.ts';
import type { ProposalKind } from '../../src/proposals/proposal.ts';
import type { InstallOrder } from '../../src/techne/proposals/install-change.ts';
import { installChange } from '../../src/techne/proposals/install-change.ts';
import { ProposalQueue } from '../../src/techne/proposals/queue.ts';

export const acts = ['accept', 'rollback'] as const;
export type SceneAct = (typeof acts)[number];

export const orders: { readonly [act in SceneAct]: InstallOrder } = {
  accept: { act: 'accepted', by: 'person', reason: 'looks good', details: {} },
  rollback: { act: 'rolled-back', by: 'person', reason: 'was wrong', details: {} },
};

const treeOf = (text: string): CandidateTree =>
  new Map([
    [
      'SKILL.md',
      { bytes: encodeUtf8(`---\nname: tides\ndescription: Tides.\n---\n${text}\n`), executable: false },
    ],
    ['references/more.md', { bytes: encodeUtf8(`${text} and more`), executable: false }],
    ['scripts/look', { bytes: encodeUtf8(`#!/bin/sh\necho ${text}\n`), executable: false }],
  ]);
const [one, two] = [treeOf('one'), treeOf('two')];

export function openQueue(home: string, calls: HubCalls = promises): ProposalQueue {
  return new ProposalQueue({
    folder: join(home, '.techne/proposals'),
    calls,
    now: () => '2026-11-18T10:00:00.000Z',
    waitMs: 5000,
  });
}

export interface ProposalScene {
  readonly home: string;
  /** The skills as they were before, and as they are after the act. */
  readonly before: Files;
  readonly after: Files;
  readonly remove: () => void;
}

export type Files = { readonly [path: string]: string };

/** `act` is what is to be done next: for a rollback the change was accepted. */
export async function proposalScene(act: SceneAct, kind: ProposalKind): Promise<ProposalScene> {
  const home = mkdtempSync(join(tmpdir(), 'techne-scene-'));
  const [base, candidate] = [
    kind === 'create' ? null : one,
    kind === 'delete' ? null : kind === 'rename' ? one : two,
  ];
  const newName = kind === 'rename' ? 'ebbs' : null;
  write(home, 'other', treeOf('other'));
  if (base !== null) write(home, 'tides', base);
  const queue = openQueue(home);
  const { proposal } = await queue.add(
    {
      kind,
      skill: 'tides',
      newName,
      folder: join(home, 'skills/tides'),
      why: 'asked for',
      origin: { by: 'agent', surface: 'library', run: null, conversation: null, model: null },
    },
    base,
    candidate,
  );
  const old = skillsOf(home);
  await installChange(queue, proposal.id, orders.accept);
  const fresh = skillsOf(home);
  if (act === 'accept') {
    // As it was, with a queue that has not decided yet.
    await installChange(queue, proposal.id, orders.rollback);
    await queue.exclusively(async () => {
      await queue.setState(await queue.get(proposal.id), 'pending');
      writeFileSync(queue.auditFile, `${readFileSync(queue.auditFile, 'utf8').split('\n')[0]}\n`);
    });
  }
  const [before, after] = act === 'accept' ? [old, fresh] : [fresh, old];
  return { home, before, after, remove: () => rmSync(home, { recursive: true, force: true }) };
}

function write(home: string, name: string, tree: CandidateTree): void {
  for (const [path, { bytes }] of tree) {
    mkdirSync(dirname(join(home, 'skills', name, path)), { recursive: true });
    writeFileSync(join(home, 'skills', name, path), bytes);
  }
}

/** Without what a change keeps beside the skills: that has a dot before its name, and no skill is looked for in it. */
export function skillsOf(home: string): Files {
  const root = join(home, 'skills');
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.') && statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/** What a change left beside the skills and in the queue. */
export function leftoversOf(home: string): readonly string[] {
  return [
    ...readdirSync(join(home, 'skills')).filter((name) => name.startsWith('.')),
    ...readdirSync(join(home, '.techne/proposals')).filter(
      (name) => name === 'intent.json' || name.startsWith('.new-'),
    ),
  ];
}
