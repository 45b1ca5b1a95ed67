// Files for the workspaces of runs, over HTTP.
import { TechneError } from '../../base/error.ts';
import type { NamedFiles } from '../../ports/shared-files.ts';
import type { Serving } from '../../techne/serving.ts';
import { pushArchive } from '../../techne/travel/files.ts';
import type { ApiService, Handlers } from '../service.ts';
import { mustShare, useRuns } from '../service.ts';

type Names = 'listFiles' | 'showFiles' | 'putFiles' | 'removeFiles';

export function fileHandlers(service: ApiService): Handlers<Names> {
  const useServing = <T>(work: (serving: Serving) => Promise<T>): Promise<T> =>
    useRuns(service, ({ serving }) => work(mustShare(serving, 'files of runs')));
  return {
    listFiles: () => useServing(async ({ shared }) => ({ files: [...(await shared.listFiles())] })),
    showFiles: ({ params }) =>
      useServing(async ({ shared }) => found(params.name, await shared.findFiles(params.name))),
    putFiles: ({ params, body, identity, left }) =>
      useServing(async (serving) => {
        const { techne, workspace: cwd, homeFolder, variables } = service;
        const place = { library: techne.library, serving, cwd, homeFolder, variables };
        const by = `${identity.role} ${identity.name}`;
        return { ...(await pushArchive({ name: params.name, bytes: body, by }, place, left)) };
      }),
    removeFiles: ({ params }) =>
      useServing(async ({ shared }) => {
        const removed = found(params.name, await shared.findFiles(params.name));
        await shared.removeFiles(params.name);
        return removed;
      }),
  };
}

function found(name: string, files: NamedFiles | null): NamedFiles {
  if (files !== null) return { ...files };
  throw new TechneError('WORKSPACE_UNKNOWN', `the store has no files of the name "${name}"`, {
    hint: 'GET /v1/files lists them',
  });
}
