// The versions of a skill that anything here knows, and what changed between two of them.
//
//   files now + accepted proposals + lock + trusted digests + runs -> versions by digest, each with where it was seen
//
// There is no archive of skills. A version can be compared where its bytes are kept: all of its files now and in proposals, those that
// were executed in the journals of runs.
import { TechneError } from '../base/error.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { CandidateTree } from '../proposals/change-tree.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { bundlePath } from '../run/plan/runs.ts';
import type { RunStarted } from '../journal/entry.ts';
import type { SkillLibrary } from './open-skills.ts';
import type { OpenRuns } from './open-runs.ts';
import { openHub } from './hub/open-hub.ts';
import { originText, versionText } from './hub/words.ts';
import type { ShownChange } from './proposals/file-changes.ts';
import { fileChanges } from './proposals/file-changes.ts';
import type { Proposals } from './proposals/proposals.ts';

/** Where a version was seen. */
export interface VersionEvent {
  readonly kind: 'accepted' | 'rolled-back' | 'replaced' | 'installed' | 'trusted' | 'runs';
  /** Milliseconds; `null`: not recorded. */
  readonly at: number | null;
  /** Of the proposal, or of the newest run. */
  readonly id: string | null;
  readonly text: string;
}

export interface SkillVersion {
  readonly digest: string;
  readonly isCurrent: boolean;
  /** Of its files, what can be read: all, those that a run executed, or none. */
  readonly kept: 'all' | 'executed' | 'none';
  /** The newest first. */
  readonly events: readonly VersionEvent[];
}

interface Sources {
  readonly library: SkillLibrary;
  readonly snapshot: Snapshot;
  readonly proposals: Proposals;
  readonly runs: Pick<OpenRuns, 'store' | 'blobs'>;
}

const mostRuns = 50;
const mostListed = 2_000;

/** The current one first, then by when they were last seen. `isCut`: older runs were not looked at. */
export async function skillVersions(
  sources: Sources,
  skill: Skill,
): Promise<{ readonly versions: readonly SkillVersion[]; readonly isCut: boolean }> {
  const { library, snapshot } = sources;
  const { digest: current } = await snapshot.manifest(skill.name);
  const found = new Map<string, { kept: SkillVersion['kept']; readonly events: VersionEvent[] }>();
  const at = (digest: string) => {
    const known = found.get(digest) ?? { kept: 'none' as const, events: [] };
    found.set(digest, known);
    return known;
  };
  at(current).kept = 'all';
  for (const { proposal, side, event } of await proposed(sources, skill.name)) {
    const version = at(proposal[side] as string);
    version.kept = 'all';
    version.events.push(event);
  }
  for (const event of await installed(library, skill)) at(event.digest).events.push(event);
  const { digests } = await (await library.openTrust()).list();
  for (const { digest, name, grantedAt } of digests)
    if (name === skill.name)
      at(digest).events.push({ kind: 'trusted', at: timeOf(grantedAt), id: null, text: 'trusted' });
  const { runs, isCut } = await runsOf(sources, skill.name);
  const byDigest = new Map<string, RunStarted[]>();
  for (const one of runs) byDigest.set(one.skill.digest, [...(byDigest.get(one.skill.digest) ?? []), one]);
  for (const [digest, started] of byDigest) {
    const version = at(digest);
    if (version.kept === 'none') version.kept = 'executed';
    const [newest] = started;
    version.events.push({
      kind: 'runs',
      at: newest?.at ?? null,
      id: newest?.run ?? null,
      text: started.length === 1 ? 'run once' : `run ${started.length} times`,
    });
  }
  const versions = [...found].map(([digest, { kept, events }]): SkillVersion => ({
    digest,
    isCurrent: digest === current,
    kept,
    events: events.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
  }));
  const seen = ({ isCurrent, events }: SkillVersion): number =>
    isCurrent ? Number.POSITIVE_INFINITY : (events[0]?.at ?? 0);
  return { versions: versions.toSorted((a, b) => seen(b) - seen(a)), isCut };
}

/** What changed from one version to the other. Throws FILE_MISSING where the bytes of one of them are not kept. */
export async function compareVersions(
  sources: Sources,
  skill: Skill,
  from: string,
  to: string,
): Promise<{ readonly files: readonly ShownChange[]; readonly isPartial: boolean }> {
  const [before, after] = [await treeOf(sources, skill, from), await treeOf(sources, skill, to)];
  const isPartial = before.isPartial || after.isPartial;
  // What a run did not execute it did not keep, which does not mean that it was not there.
  const isKnown = (path: string): boolean =>
    (!before.isPartial || before.tree.has(path) || (after.isPartial && after.tree.has(path))) &&
    (!after.isPartial || after.tree.has(path) || (before.isPartial && before.tree.has(path)));
  const only = (tree: CandidateTree): CandidateTree => new Map([...tree].filter(([path]) => isKnown(path)));
  return { files: fileChanges(only(before.tree), only(after.tree)), isPartial };
}

async function treeOf(
  sources: Sources,
  skill: Skill,
  digest: string,
): Promise<{ readonly tree: CandidateTree; readonly isPartial: boolean }> {
  const { snapshot, proposals, runs } = sources;
  const manifest = await snapshot.manifest(skill.name);
  if (manifest.digest === digest) {
    const tree = new Map<string, { readonly bytes: Uint8Array; readonly executable: boolean }>();
    for (const { path, executable } of manifest.files)
      tree.set(path, { bytes: await snapshot.readFile(skill.name, path), executable });
    return { tree, isPartial: false };
  }
  for (const { proposal, side } of await proposed(sources, skill.name))
    if (proposal[side] === digest) {
      const tree = await proposals.queue.tree(proposal, side);
      if (tree !== null) return { tree, isPartial: false };
    }
  const started = (await runsOf(sources, skill.name)).runs.find((one) => one.skill.digest === digest);
  if (started === undefined)
    throw new TechneError('FILE_MISSING', `the files of this version of "${skill.name}" are not kept`, {
      hint: 'proposals keep the files that they change, and runs those that they executed',
    });
  const tree = new Map<string, { readonly bytes: Uint8Array; readonly executable: boolean }>();
  for (const [path, blob] of Object.entries(started.files))
    if (path !== bundlePath) tree.set(path, { bytes: await runs.blobs.get(blob), executable: false });
  return { tree, isPartial: true };
}

async function proposed(
  { proposals }: Sources,
  name: string,
): Promise<
  readonly {
    readonly proposal: Proposal;
    readonly side: 'base' | 'candidate';
    readonly event: VersionEvent;
  }[]
> {
  const mine = (await proposals.queue.list()).proposals.filter(
    ({ skill, newName, state }) =>
      (skill === name || newName === name) && (state === 'accepted' || state === 'rolled-back'),
  );
  if (mine.length === 0) return [];
  const { entries } = await proposals.history(null);
  return mine.flatMap((proposal) => {
    const last = (acts: readonly string[]) =>
      entries.findLast((one) => one.proposal === proposal.id && acts.includes(one.act));
    const taken = last(['accepted', 'auto-enabled']);
    const back = proposal.state === 'rolled-back' ? last(['rolled-back']) : undefined;
    const event = (kind: VersionEvent['kind'], when: string | undefined, text: string): VersionEvent => ({
      kind,
      at: timeOf(when ?? proposal.madeAt),
      id: proposal.id,
      text,
    });
    return [
      ...(proposal.candidate === null
        ? []
        : [
            {
              proposal,
              side: 'candidate' as const,
              event: event('accepted', taken?.at, `proposed: ${proposal.why}`),
            },
          ]),
      ...(proposal.base === null
        ? []
        : [
            {
              proposal,
              side: 'base' as const,
              event:
                back === undefined
                  ? event('replaced', taken?.at, 'replaced by a proposal')
                  : event('rolled-back', back.at, 'put back'),
            },
          ]),
    ];
  });
}

async function installed(
  library: SkillLibrary,
  { name, folder }: Skill,
): Promise<readonly (VersionEvent & { readonly digest: string })[]> {
  const { hubs } = await openHub({ library });
  const events: (VersionEvent & { readonly digest: string })[] = [];
  for (const hub of hubs)
    for (const { entry } of await hub.list())
      if (entry.name === name && folder.startsWith(hub.place.skills))
        events.push({
          kind: 'installed',
          at: null,
          id: null,
          digest: entry.digest,
          text: `installed from ${originText(entry.resolved)} (${versionText(entry.resolved)})`,
        });
  return events;
}

async function runsOf(
  { runs: { store } }: Sources,
  name: string,
): Promise<{ readonly runs: readonly RunStarted[]; readonly isCut: boolean }> {
  const runs: RunStarted[] = [];
  let cursor: string | null = null;
  let listed = 0;
  do {
    const page: Awaited<ReturnType<typeof store.list>> = await store.list({
      limit: 200,
      ...(cursor === null ? {} : { cursor }),
    });
    listed += page.runs.length;
    for (const { run, skill, status } of page.runs) {
      if (skill !== name || status === 'corrupt') continue;
      if (runs.length >= mostRuns) return { runs, isCut: true };
      const started = await startOf(store, run);
      if (started !== null) runs.push(started);
    }
    cursor = page.cursor;
  } while (cursor !== null && listed < mostListed);
  return { runs, isCut: cursor !== null };
}

/** `null`: the run was removed meanwhile, or is damaged. */
async function startOf(store: OpenRuns['store'], run: string): Promise<RunStarted | null> {
  try {
    const entry = (await store.read(run))[0]?.entry;
    return entry?.type === 'run.started' ? entry : null;
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

function timeOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
