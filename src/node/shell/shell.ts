// Commands on this machine, plain or confined by bubblewrap.
//
//   CommandRequest -> the program, the sandbox -> Launch -> CommandOutcome
//
// No shell is involved: the program gets argv as it is. A request with a sandbox runs in one or not at all.
import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { nodeCrypto } from '../environment.ts';
import { inheritedFault } from './inherited.ts';
import type { Launch } from './launch.ts';
import { launch, notStarted } from './launch.ts';
import { endSurvivors, markVariable } from './processes.ts';
import { findProgram, folderFault } from './program.ts';
import type { CommandRequest, SandboxSpec, Shell } from '../../ports/shell.ts';
import { sandboxArguments, sandboxHome } from '../sandbox/arguments.ts';
import { createControlGroup } from '../sandbox/control-group.ts';
import type { SandboxFact } from '../sandbox/detect.ts';
import { detectSandbox } from '../sandbox/detect.ts';
import { holdNames, protectionFault } from '../sandbox/protected.ts';
import { startInside, starterVariables } from '../sandbox/starter.ts';
import { isSystemPath, toolchains } from '../sandbox/view.ts';

interface NodeShellOptions {
  /** Where bubblewrap is; `null` for none. Default: the first of the usual places. */
  readonly bubblewrap?: string | null;
  /** How long a command has to end after it was asked to. Default: 1000. */
  readonly graceMs?: number;
  /** The folder of the records of the names that sandboxes hold (sandbox/leftovers.ts). Default: none. */
  readonly recordFolder?: string | null;
}

export function createNodeShell(options: NodeShellOptions = {}): Shell {
  const { graceMs = 1000 } = options;
  return {
    get sandbox() {
      const { available, detail } = detectSandbox(options.bubblewrap);
      return { available, detail };
    },
    async run(request, signal, onOutput = () => undefined) {
      if (request.isRetry === true && request.mark !== undefined) await endSurvivors(request.mark);
      const prepared = signal.aborted
        ? { fault: 'it was stopped before it was started' }
        : prepare(request, options);
      if ('fault' in prepared) return notStarted(prepared.fault, signal.aborted);
      try {
        return await launch(
          prepared.launch,
          {
            timeoutMs: request.timeoutMs,
            stdin: request.stdin,
            maxOutputBytes: request.maxOutputBytes,
            graceMs,
            onOutput,
          },
          signal,
        );
      } finally {
        await prepared.release();
      }
    },
  };
}

type Prepared =
  | { readonly launch: Launch; readonly release: () => Promise<void> }
  | { readonly fault: string };

function prepare(request: CommandRequest, options: NodeShellOptions): Prepared {
  const { argv, cwd, environment, sandbox } = request;
  const [name] = argv;
  if (name === undefined) return { fault: 'the command is empty' };
  const texts = [...argv, cwd, ...Object.entries(environment).flat()];
  if (texts.some((text) => text.includes('\0')))
    return { fault: 'the command contains a NUL character, which cannot be passed to a program' };
  const badStart = folderFault(cwd) ?? inheritedFault();
  if (badStart !== null) return { fault: badStart };
  return sandbox === null
    ? preparePlain(request, name)
    : prepareConfined(
        request,
        name,
        sandbox,
        detectSandbox(options.bubblewrap),
        options.recordFolder ?? null,
      );
}

function preparePlain({ argv, cwd, environment, mark: lasting }: CommandRequest, name: string): Prepared {
  const program = findProgram(name, cwd, environment['PATH']);
  if (!program.ok) return { fault: program.fault };
  const mark = nodeCrypto().randomBytes(12).toString('hex');
  const marks = [process.env[markVariable], lasting, mark].filter((each) => each !== undefined).join(',');
  return {
    launch: {
      name,
      file: program.file,
      argv0: name,
      args: argv.slice(1),
      environment: { ...environment, [markVariable]: marks },
      cwd,
      mark,
      inputs: new Map(),
      sandbox: null,
    },
    release: async () => undefined,
  };
}

function prepareConfined(
  { argv, cwd, environment }: CommandRequest,
  name: string,
  spec: SandboxSpec,
  fact: SandboxFact,
  recordFolder: string | null,
): Prepared {
  if (!fact.available) return { fault: `there is no sandbox: ${fact.detail}` };
  const badRoot = spec.writeRoots.map(protectionFault).find((fault) => fault !== null);
  if (badRoot !== undefined) return { fault: badRoot };
  const search = environment['PATH'] ?? '';
  const roots = [...spec.readRoots, ...spec.writeRoots, ...(spec.protect ?? [])];
  const given = toolchains(search, null);
  const seen = [...roots, ...given];
  const isVisible = (path: string): boolean =>
    isSystemPath(path) || seen.some((root) => isInside(path, root));
  // A program that a visible one links to, such as /usr/local/bin/tool -> /opt/tool/bin/tool, needs its folder shown, too.
  const program = findProgram(
    name,
    cwd,
    search,
    (file) => isVisible(file) || toolchains('', file).some((folder) => isInside(file, folder)),
  );
  if (!program.ok) return { fault: program.fault };
  const uncovered = spec.hide?.find((path) => isInside(program.file, path));
  if (uncovered !== undefined)
    return {
      fault: `"${name}" lies in "${uncovered}", which is no part of the skill: its digest does not cover it`,
    };
  const tools = [...new Set([...given, ...toolchains('', program.file)])];
  const held = holdNames(spec.writeRoots, { places: spec.hold ?? [], recordFolder });
  if ('fault' in held) return held;
  const group = createControlGroup(spec.limits);
  const { args, inputs, statusDescriptor, reportDescriptor, gateDescriptor } = sandboxArguments({
    ...spec,
    cwd,
    toolchains: tools,
    heldNames: held.paths,
    isGated: group !== null,
    canDisableUserNamespaces: fact.canDisableUserNamespaces,
  });
  const shown = search.split(delimiter).filter((folder) => isAbsolute(folder) && isVisible(folder));
  return {
    launch: {
      name,
      file: fact.file,
      argv0: held.mark,
      args: [...args, '--', ...startInside([program.file, ...argv.slice(1)], spec.limits, reportDescriptor)],
      cwd: '/',
      mark: null,
      inputs,
      sandbox: {
        statusDescriptor,
        reportDescriptor,
        gateDescriptor,
        onFirst: (pid) => group?.add(pid),
      },
      environment: {
        ...environment,
        ...starterVariables,
        PATH: shown.join(delimiter),
        HOME: sandboxHome,
        TMPDIR: '/tmp',
      },
    },
    async release() {
      await group?.remove();
      await held.release();
    },
  };
}
