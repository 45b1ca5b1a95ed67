// How this server is set up, and what is wrong with it. What is shown and checked is what `techne config` and `techne doctor` say.
import { TechneError } from '../../base/error.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { describeConfig, listConfig } from '../../techne/describe-config.ts';
import { examineMachine } from '../../techne/doctor/examine-machine.ts';
import { displayPath } from '../../techne/paths.ts';
import { findSchedule, resumeSchedule } from '../../techne/schedules.ts';
import { reasonsAgainst } from '../../techne/skill-limits.ts';
import { examineStoreAt } from '../../techne/store/examine.ts';
import type { ApiService, Handlers } from '../service.ts';
import { mustShare, useRuns } from '../service.ts';

type Names =
  | 'showConfig'
  | 'doctor'
  | 'tryServers'
  | 'examineStore'
  | 'listWorkers'
  | 'releaseRun'
  | 'listSchedules'
  | 'pauseSchedule'
  | 'resumeSchedule'
  | 'removeSchedule'
  | 'listTokens';
type ScheduleJson = OperationOutput<Operations['pauseSchedule']>;
type Found = Awaited<ReturnType<typeof findSchedule>>;

export function settingsHandlers(service: ApiService): Handlers<Names> {
  const { techne, workspace, homeFolder, variables, tokens } = service;
  const { library } = techne;
  const shownPath = (path: string): string => displayPath(path, { cwd: workspace, homeFolder });

  return {
    showConfig() {
      const { trusted, files, diagnostics } = describeConfig(library.loaded);
      return {
        workspace,
        trusted,
        files: files.map(({ layer, path }) => ({ layer, path: shownPath(path) })),
        values: listConfig(library.loaded).map(({ because = null, path, ...one }) => ({
          ...one,
          path: path === null ? null : shownPath(path),
          because,
        })),
        diagnostics: (diagnostics as unknown as OperationOutput<Operations['showConfig']>['diagnostics']).map(
          (one) => ({ ...one, path: shownPath(one.path) }),
        ),
      };
    },

    doctor: () =>
      useRuns(service, async ({ answerers, serving }) => {
        const { snapshot } = techne;
        const examined = await examineMachine({
          library,
          snapshot,
          homeFolder,
          cwd: workspace,
          variables,
          platform: library.environment.platform,
          hasTerminal: false,
          usesCache: true,
          startServers: null,
        });
        return {
          environment: [...examined.environment],
          // Those that the runs of this server have, which --answer can choose.
          answerers: answerers.map((one) => ({ ...one })),
          roots: examined.roots.map((root) => ({ ...root, path: shownPath(root.path) })),
          skills: examined.troubled.map((skill) => ({
            name: skill.name,
            path: shownPath(skill.file),
            reasons: reasonsAgainst(snapshot.facts(skill)).map(({ code, message, hint }) => ({
              code,
              message,
              hint,
            })),
          })),
          refused: examined.refused.map(({ skill, reasons }) => ({
            name: skill.name,
            path: shownPath(skill.file),
            reasons: reasons.map(({ code, message, hint }) => ({ code, message, hint: hint ?? null })),
          })),
          problems: { errors: examined.problems.error, warnings: examined.problems.warning },
          store: serving?.address.shown ?? 'files',
        };
      }),

    tryServers: () =>
      useRuns(service, async (runs) => ({
        servers: (await runs.checkServers()).map(({ server, tools, fault }) => ({
          server,
          tools: [...tools],
          fault,
        })),
      })),

    examineStore: () =>
      useRuns(service, async ({ serving }) => {
        if (serving === null) return { store: null };
        const { address, findings } = await examineStoreAt(serving.address);
        return { store: { address, findings: findings.map((one) => ({ ...one })) } };
      }),

    listWorkers: () =>
      useRuns(service, async ({ serving }) => {
        if (serving === null) return { isShared: false, workers: [], held: [] };
        const [workers, held] = await Promise.all([serving.served.workers(), serving.served.held()]);
        return {
          isShared: true,
          workers: workers.map(({ queues, ...one }) => ({
            ...one,
            isThis: one.id === serving.worker,
            queues: queues === null ? null : [...queues],
          })),
          held: held.map(({ run, queue, held: reason }) => ({ run, queue, reason: reason ?? '' })),
        };
      }),

    releaseRun: ({ params: { run } }) =>
      useRuns(service, async ({ serving }) => {
        const { served } = mustShare(serving, 'workers');
        if (((await served.find(run))?.held ?? null) === null)
          throw new TechneError('USAGE', `run ${run} is not held`, {
            hint: 'GET /v1/workers names the runs that are',
          });
        await served.release(run);
        return { run };
      }),

    listSchedules: () =>
      useRuns(service, async ({ serving }) => ({
        schedules: ((await serving?.schedules.list()) ?? []).map(scheduleOf),
      })),

    pauseSchedule: ({ params }) =>
      useRuns(service, async (runs) => {
        const serving = mustShare(runs.serving, 'schedules');
        const { id } = await findSchedule(serving, params.schedule);
        await serving.schedules.pause(id);
        return scheduleOf(await findSchedule(serving, id));
      }),

    resumeSchedule: ({ params }) =>
      useRuns(service, async (runs) => {
        const serving = mustShare(runs.serving, 'schedules');
        const found = await findSchedule(serving, params.schedule);
        if (found.isPaused) await resumeSchedule(serving, found);
        return scheduleOf(await findSchedule(serving, found.id));
      }),

    removeSchedule: ({ params }) =>
      useRuns(service, async (runs) => {
        const serving = mustShare(runs.serving, 'schedules');
        const { id, name } = await findSchedule(serving, params.schedule);
        await serving.schedules.remove(id);
        return { id, name };
      }),

    listTokens: () => ({
      tokens: tokens.list().map(({ name, role, createdAt, expiresAt, revokedAt }) => ({
        name,
        role,
        createdAt,
        expiresAt,
        revokedAt,
      })),
    }),
  };
}

function scheduleOf(found: Found): ScheduleJson {
  const { input: _, ...shown } = found;
  return shown;
}
