// Skills of others over HTTP: search, jobs that fetch and show, consent by digest, what is installed, scans.
//
// What may be installed is decided as at a terminal (techne/hub/hub-jobs.ts); the token is the person who agrees.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { hasRole } from '../../api/role.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { pinInstalled, removeInstalled } from '../../techne/hub/change-installed.ts';
import { describeReport } from '../../techne/hub/describe-proposal.ts';
import type { HubJobRequest } from '../../techne/hub/hub-job.ts';
import { listInstalled, showInstalled } from '../../techne/hub/list-installed.ts';
import { openHub } from '../../techne/hub/open-hub.ts';
import { createHubSearcher } from '../../techne/hub/served-search.ts';
import { keyWords } from '../../techne/hub/words.ts';
import { displayPath } from '../../techne/paths.ts';
import { fingerprintOf, openHubs } from '../../techne/publish/open-hubs.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import { acceptFindings, findFindings, scanTargets } from '../../techne/scan-skills.ts';
import { whoIs } from '../guard.ts';
import { RequestFault } from '../problem.ts';
import type { ApiService, Call, Handlers } from '../service.ts';

type Names =
  | 'listInstalled'
  | 'removeInstalled'
  | 'pinInstalled'
  | 'searchHubs'
  | 'listHubKeys'
  | 'listHubDecisions'
  | 'listHubJobs'
  | 'startHubJob'
  | 'startScan'
  | 'getHubJob'
  | 'hubJobFile'
  | 'cancelHubJob'
  | 'agreeHubJob'
  | 'acceptFindings';

type Output<Name extends Names> = OperationOutput<Operations[Name]>;

const usualHits = 50;
const usualDecisions = 100;
const longestWords = 1_024;

export function hubHandlers(service: ApiService): Handlers<Names> {
  const { techne, jobs, workspace, homeFolder, nowMs } = service;
  const { library } = techne;
  const { variables } = service;
  const places = { cwd: workspace, homeFolder };
  const shownPath = (path: string): string => displayPath(path, places);
  const searcher = createHubSearcher(library, { ...places, variables, nowMs });
  const by = ({ identity }: Pick<Call<Names>, 'identity'>): string => `${identity.role} ${identity.name}`;
  /** What is loaded, and what lists show. */
  const changed = async (): Promise<void> => {
    await techne.refresh();
    service.changes.tell({ type: 'hub.changed' });
  };

  return {
    async listInstalled() {
      const hub = await openHub({ library });
      return showInstalled(await listInstalled(hub, null), shownPath) as Output<'listInstalled'>;
    },

    async removeInstalled({ params, body, identity }) {
      const { scope = null, force = false } = (body as typeof body | null) ?? {};
      const change = { library, log: jobs.log, name: params.skill, scope, by: by({ identity }), nowMs };
      const removed = await removeInstalled(change, force);
      await changed();
      return { name: params.skill, scope: removed };
    },

    async pinInstalled({ params, body: { scope = null, pinned }, identity }) {
      const change = { library, log: jobs.log, name: params.skill, scope, by: by({ identity }), nowMs };
      const isChanged = await pinInstalled(change, pinned);
      if (isChanged) await changed();
      return { name: params.skill, pinned, changed: isChanged };
    },

    async searchHubs({ query: { query = '', limit = usualHits, fresh = false } }) {
      const { indexes } = searcher;
      const none = { indexes: [...indexes], readAt: null, total: 0, hubs: [], results: [], failures: [] };
      if (indexes.length === 0) return none;
      const { hubs, hits, failures, readAt } = await searcher.search(query, fresh);
      const installed = new Map<string, ('workspace' | 'user')[]>();
      for (const hub of (await openHub({ library })).hubs)
        for (const { name } of (await hub.lock()).skills)
          installed.set(name, [...(installed.get(name) ?? []), hub.place.scope]);
      return {
        indexes: [...indexes],
        readAt,
        total: hits.length,
        hubs: hubs.map(({ address, title, skills, publisher, skipped }) => ({
          address,
          title: title === null ? null : printableLine(title),
          skills: skills.length,
          signer: printableLine(keyWords(publisher)),
          skipped: skipped
            .slice(0, usualHits)
            .map(({ path, reason }) => ({ path: printableLine(path), reason: printableLine(reason) })),
        })),
        results: hits
          .slice(0, limit)
          .map(({ name, description, version, publisher, hub, source, reason }) => ({
            name,
            description: printableLine(description).slice(0, longestWords),
            version: version === null ? null : printableLine(version),
            hub,
            source,
            signer: printableLine(keyWords(publisher)),
            isTrusted: publisher !== null && publisher.trustedAs !== null,
            reason: reason === null ? null : printableLine(reason),
            installed: installed.get(name) ?? [],
          })),
        failures: failures.map(({ hub, error }) => ({
          hub,
          code: error.code,
          message: printableLine(error.message),
          hint: error.hint === null ? null : printableLine(error.hint),
        })),
      };
    },

    async listHubKeys() {
      const hubs = openHubs(library, { ...places, variables });
      const [own, { keys, hubs: seen }] = await Promise.all([hubs.own.list(), hubs.trusted.read()]);
      const nameOf = new Map(keys.map(({ keyId, name }) => [keyId, name]));
      return {
        own: own.map(({ name, keyId }) => ({ name, keyId, fingerprint: fingerprintOf(keyId) })),
        trusted: keys.map(({ name, keyId, trustedAt }) => ({
          name: printableLine(name),
          keyId,
          fingerprint: fingerprintOf(keyId),
          trustedAt,
        })),
        hubs: seen.map(({ hub, keyId }) => ({
          hub,
          keyId,
          fingerprint: fingerprintOf(keyId),
          trustedAs: nameOf.get(keyId) ?? null,
        })),
      };
    },

    async listHubDecisions({ query: { limit = usualDecisions } }) {
      return { decisions: (await jobs.log.newest(limit)).map((one) => ({ ...one })) };
    },

    listHubJobs: () => ({ jobs: jobs.list().map((one) => ({ ...one })) }),

    startHubJob: ({ body, identity }) => ({ ...jobs.start(requestOf(body), by({ identity })) }),

    startScan: ({ body, identity }) => {
      const { targets = [] } = (body as typeof body | null) ?? {};
      return { ...jobs.start({ kind: 'scan', targets }, by({ identity })) };
    },

    getHubJob: ({ params }) => jobs.get(params.job) as unknown as Output<'getHubJob'>,

    hubJobFile: ({ params, query: { skill = '', path = '' } }) => ({ ...jobs.file(params.job, skill, path) }),

    async cancelHubJob({ params, identity }) {
      if (jobs.kindOf(params.job) !== 'scan' && !hasRole(identity.role, 'operator'))
        throw new TechneError('ROLE_REFUSED', `this needs the role "operator", and ${whoIs(identity)}`, {
          hint: 'use a token with the role "operator"',
        });
      return { ...(await jobs.cancel(params.job)) };
    },

    async agreeHubJob({ params, body, identity }) {
      const agreed = body.skills.map(({ name, digest, allowIncomplete = false }) => ({
        name,
        digest,
        allowIncomplete,
      }));
      return (await jobs.agree(params.job, agreed, by({ identity }))) as unknown as Output<'agreeHubJob'>;
    },

    async acceptFindings({ params, body: { fingerprints, digest, rulesVersion, reason }, identity }) {
      const { name, folder, realFolder } = resolveSkill(techne.snapshot, params.skill);
      const target = { name, folder, real: realFolder };
      const look = () => scanTargets([target], library, homeFolder, inTurns);
      const scanned = await look();
      const [before] = scanned;
      if (before?.report.digest !== digest || before.report.rulesVersion !== rulesVersion)
        throw new TechneError('STALE', `"${name}" has changed since it was scanned; nothing was accepted`, {
          hint: 'scan it again, and look at the findings',
        });
      const found = findFindings(scanned, fingerprints);
      await jobs.log.record([
        {
          at: nowMs(),
          by: by({ identity }),
          act: 'accept',
          scope: null,
          skill: name,
          digest,
          before: null,
          verdict: before.report.verdict,
          source: null,
        },
      ]);
      const now = new Date(nowMs());
      await acceptFindings(found, { library, homeFolder, reason: reason.trim(), now, by: by({ identity }) });
      const [after = before] = await look();
      await changed();
      return { skill: name, ...describeReport(after.report) } as Output<'acceptFindings'>;
    },
  };
}

/** Other requests are answered between two files. */
async function inTurns(): Promise<void> {
  await new Promise(setImmediate);
}

/** Throws RequestFault for what does not belong together. */
function requestOf({
  kind,
  source,
  skills,
  expect,
  scope: where,
}: Call<'startHubJob'>['body']): HubJobRequest {
  const scope = where ?? null;
  const only = (given: unknown, name: string): void => {
    if (given !== undefined) throw new RequestFault([`"${name}" is for the kind "add"`]);
  };
  if (kind === 'add') {
    if (source === undefined) throw new RequestFault(['"source" is missing']);
    return { kind, source, skills: skills ?? [], expect: expect ?? [], scope };
  }
  only(source, 'source');
  only(expect, 'expect');
  if (kind === 'adopt') {
    const [name, ...others] = skills ?? [];
    if (name === undefined || others.length > 0)
      throw new RequestFault(['"skills" must name the one skill to adopt']);
    return { kind, name, scope };
  }
  return { kind, names: skills ?? null, scope };
}
