// The hub of a library: what is installed for the workspace and for the user, and the ways to change it.
//
//   SkillLibrary -> OpenHub { workspace, user } -> proposals -> installed skills, trusted where a person said so
//
// Fetching, scanning and trust come together here. A surface shows a proposal, asks, and says what was answered; what may be
// answered is decided here (hub/install/proposal.ts).
import { promises } from 'node:fs';
import { join } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { precedenceOrder } from '../../config/precedence.ts';
import type { GuardFile } from '../../guard/detector.ts';
import type { Report } from '../../guard/report.ts';
import type { FetchOptions, FetchResolved, FetchSource, FindLatest } from '../../hub/fetch/options.ts';
import { firstSeen } from '../../hub/install/first-seen.ts';
import { Hub } from '../../hub/install/hub.ts';
import type { HubPlace, Scope } from '../../hub/install/place.ts';
import { hubPlace } from '../../hub/install/place.ts';
import type { ConsentGiven, Decision, ProposedSkill, ShadowOf } from '../../hub/install/proposal.ts';
import { decide } from '../../hub/install/proposal.ts';
import { scanFiles } from '../../hub/install/propose/packages.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import { findEntry } from '../../hub/lock/lock.ts';
import type { KeyStore } from '../../hub/sign/key-records.ts';
import type { Progress, Source } from '../../hub/source/source.ts';
import { packageFolder } from '../../node/package-info.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { workspaceAround } from '../open-skills.ts';
import type { OwnRecord } from './words.ts';

/** How sources are understood and fetched; tests have their own. */
export interface Fetcher {
  readonly parseSource: (text: string, cwd: string) => Source;
  readonly fetchSource: FetchSource;
  readonly fetchResolved: FetchResolved;
  readonly findLatest: FindLatest;
}

/** Where skills are installed, and who is told. */
export interface OpenHubOptions {
  /** Of `openSkills`: its configuration, workspace, home folder, variables and trust count. */
  readonly library: SkillLibrary;
  /** Where the workspace is looked for, and the paths of `scanSource` start. Default: the workspace of the library. */
  readonly cwd?: string;
  /** Told while something is fetched, scanned or installed. Default: none. */
  readonly tell?: (progress: Progress) => void;
  /** Stops fetching and scanning; nothing is installed then. Default: never. */
  readonly signal?: Abort;
  /** Default: techne's own. @internal */
  readonly fetcher?: Fetcher;
}

/** A skill of a source, and what a scan found in it. */
export interface ScannedSource {
  readonly name: string;
  readonly report: Report;
}

/** Everything that is installed for a workspace and a user, and the ways to change it. */
export interface OpenHub {
  /** The workspace first; one of the two where they are the same place. */
  readonly hubs: readonly Hub[];
  /** Where `add` puts skills when nothing is said: the workspace where there is one. */
  readonly preferred: Scope;
  /** Throws USAGE for a workspace that is the home folder. */
  at(scope: Scope): Hub;
  /** The one that has the skill. Throws SKILL_UNKNOWN. */
  holding(name: string, scope: Scope | null): Promise<Hub>;
  /** Fetches a source and scans its skills; nothing is installed or kept. Throws what fetching throws. */
  scanSource(text: string): Promise<readonly ScannedSource[]>;
  /** What may be done with a proposed skill, by the policy of the configuration. */
  decide(skill: ProposedSkill, given: Omit<ConsentGiven, 'policy'>): Decision;
  /** Lets this content be executed. Only after a person at a terminal said so. */
  trust(hub: Hub, entry: LockEntry): Promise<void>;
  untrust(hub: Hub, name: string): Promise<void>;
  /** What the user's own records say: what may be executed, and whose key is trusted. What a lock says about it does not count. */
  ownRecords(hub: Hub): Promise<(entry: LockEntry) => OwnRecord>;
}

/** For a command that holds a place while it renames. */
const waitMs = 10_000;

/** Opens what is installed. Nothing is fetched or changed by opening. Throws PATH_UNSAFE for a workspace whose `.techne` leads out of it. */
export async function openHub(options: OpenHubOptions): Promise<OpenHub> {
  const { library } = options;
  const { config, workspace } = library.loaded;
  const { homeFolder, variables } = library.environment;
  const { cwd = workspace, tell: told = () => undefined, signal: stopped = neverAborted } = options;
  const fetcher = options.fetcher ?? (await ownFetcher(homeFolder));
  const keyStore = async (): Promise<KeyStore> =>
    (await import('../../hub/sign/key-records.ts')).createKeyStore(library.files, homeFolder);
  const fetching: FetchOptions = {
    hub: config.hub,
    mcpServers: config.mcpServers,
    cwd: workspace,
    homeFolder,
    variables,
    verifyIndex: async (address, index) => (await keyStore()).verify(address, index),
  };
  const shipped = new Set(await promises.readdir(join(packageFolder(), 'skills')));
  let snapshot: Promise<Snapshot> | null = null;
  const open = (place: HubPlace): Hub =>
    new Hub(place, {
      parseSource: fetcher.parseSource,
      fetch: (source, tell, signal) => fetcher.fetchSource(source, fetching, tell, signal),
      fetchResolved: (pinned, tell, signal) => fetcher.fetchResolved(pinned, fetching, tell, signal),
      latest: (source, skills, tell, signal) => fetcher.findLatest(source, skills, fetching, tell, signal),
      scan: (name, guarded) => scan(name, guarded, library, stopped),
      shadowsOf: async (name, at) => shadowsOf(await (snapshot ??= library.load()), name, at, config),
      isShipped: (name) => shipped.has(name),
      parseFull: nodeParseFull,
      homeFolder,
      minimumAgeHours: config.hub.minimumAgeHours,
      nowMs: () => Date.now(),
      firstSeen: (key, nowMs) => firstSeen(library.files, homeFolder, key, nowMs),
      limits: config.limits,
      calls: promises,
      waitMs,
      tell: told,
      signal: stopped,
    });
  const user = open(hubPlace('user', workspace, homeFolder));
  const own = open(hubPlace('workspace', workspace, homeFolder));
  const hubs = own.place.scope === 'user' ? [user] : [own, user];
  return {
    hubs,
    preferred:
      hubs.length > 1 && workspaceAround(library.files, cwd, homeFolder) !== null ? 'workspace' : 'user',
    at(scope) {
      if (scope === 'user') return user;
      if (own.place.scope === 'user')
        throw new TechneError('USAGE', 'the home folder is no workspace', {
          hint: 'leave --to out, or use --to user',
        });
      return own;
    },
    async holding(name, scope) {
      const among = hubs.filter(({ place }) => scope === null || place.scope === scope);
      for (const hub of among)
        if (findEntry(await hub.lock(), name) !== null || (await hub.receipts()).has(name)) return hub;
      // Says what is there instead.
      await (among[0] ?? user).entry(name);
      return user;
    },
    async scanSource(text) {
      const source = fetcher.parseSource(text, cwd);
      const { packages } = await fetcher.fetchSource(source, fetching, told, stopped);
      const ports = {
        tell: told,
        scan: (name: string, guarded: readonly GuardFile[]) => scan(name, guarded, library, stopped),
      };
      const scanned: ScannedSource[] = [];
      for (const { name, files, refused } of packages) {
        const taken = [...files].map(([path, { bytes, executable }]) => ({
          path,
          size: bytes.length,
          executable,
          bytes,
        }));
        scanned.push({ name, report: await scanFiles(ports, name, taken, refused) });
      }
      return scanned;
    },
    decide: (skill, given) => decide(skill, { ...given, policy: config.hub.install }),
    async trust({ place }, { name, digest }) {
      const store = await library.openTrust();
      await store.trustDigest({ digest, name, folder: join(place.skills, name) });
    },
    async untrust({ place }, name) {
      const store = await library.openTrust();
      await store.untrust(join(place.skills, name));
    },
    async ownRecords(hub) {
      const { digests } = await (await library.openTrust()).list();
      const receipts = await hub.receipts();
      const { keys } = await (await keyStore()).read();
      return ({ name, digest, resolved }) => {
        const keyId = resolved.kind === 'well-known' ? resolved.publisher?.keyId : undefined;
        // The signature was verified when this user installed it; the lock alone proves nothing.
        const isOwn = receipts.get(name)?.digest === digest;
        return {
          trusted: digests.some((one) => one.digest === digest && one.path === join(hub.place.skills, name)),
          trustedAs: isOwn ? (keys.find((key) => key.keyId === keyId)?.name ?? null) : null,
        };
      };
    },
  };
}

async function ownFetcher(homeFolder: string): Promise<Fetcher> {
  const [{ parseSource }, { nodeLook }, { fetchSource, fetchResolved }, { findLatest }] = await Promise.all([
    import('../../hub/source/parse-source.ts'),
    import('../../hub/source/look-at.ts'),
    import('../../hub/fetch/fetch-source.ts'),
    import('../../hub/fetch/find-latest.ts'),
  ]);
  const look = nodeLook(homeFolder);
  return { parseSource: (text, cwd) => parseSource(text, cwd, look), fetchSource, fetchResolved, findLatest };
}

/** Findings that the user accepted for this very content count as accepted, as everywhere. */
async function scan(
  name: string,
  guarded: readonly GuardFile[],
  library: SkillLibrary,
  signal: Abort,
): Promise<Report> {
  const [
    { scanSkillInSteps },
    { createNameBook },
    { nodeGuardPorts },
    { readAccepted, withAccepted },
    { acceptedFile },
  ] = await Promise.all([
    import('../../guard/scan.ts'),
    import('../../guard/detect/name-book.ts'),
    import('../../node/guard-ports.ts'),
    import('../guard/accepted.ts'),
    import('../paths.ts'),
  ]);
  const names = createNameBook(await library.knownNames());
  // Ctrl-C is heard between two files.
  const report = await scanSkillInSteps(guarded, nodeGuardPorts, { name, names }, async () => {
    await new Promise(setImmediate);
    if (signal.aborted) throw signal.reason;
  });
  return withAccepted(
    report,
    await readAccepted(library.files, acceptedFile(library.environment.homeFolder)),
  );
}

/** Skills of the name in other folders, and which of the two is used. */
function shadowsOf(
  { skills, shadowed }: Snapshot,
  name: string,
  place: HubPlace,
  config: SkillLibrary['loaded']['config'],
): readonly ShadowOf[] {
  const order = precedenceOrder(config.precedence);
  const rank = (source: Skill['source']): number => order.indexOf(source);
  return [...skills, ...shadowed.map(({ skill }) => skill)]
    .filter((skill) => skill.name === name && skill.realFolder !== join(place.skills, name))
    .map((skill): ShadowOf => {
      const { folder, source } = skill;
      // Within a source techne's own folder comes first.
      return { folder, source, isHidden: rank(source) <= rank(place.scope) };
    });
}
