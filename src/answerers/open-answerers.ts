// The answerers of this process: the requested one, or the first that is available.
//
//   OpenAnswerersOptions -> { answerers, facts }, the chosen one first
//
// All available answerers are returned, so that a run which another answerer began can be resumed; what they need (a
// model library, a program) is loaded on first use. A requested answerer that is not available is ENVIRONMENT with
// what to do; no other is used instead. The two that need nothing, the person and the caller, are here too.
import { isAbsolute, resolve } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { Config } from '../config/types.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { createNodeEnvironment } from '../node/environment.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import type { Files } from '../ports/files.ts';
import type { AnswererFact, Candidate, UsableCandidate } from './detect-answerers.ts';
import { detectAnswerers, factOf, firstChoice, isUsable, resolveWish } from './detect-answerers.ts';
import type { FileRoots } from '../node/confined/confined-files.ts';
import { AnswerLater } from '../ports/answerer.ts';

export interface OpenAnswerersOptions {
  /** `model`, `model:NAME`, `caller`, `person`, `agent-cli`, `agent-cli:NAME`, `script:FILE`, `replay:FILE`, or one of the program's own; null is the first that is there. */
  readonly wanted: string | Answerer | null;
  /** Keeps what the chosen one answers in this file; null keeps nothing. */
  readonly record: string | null;
  readonly config: Pick<Config, 'models'>;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Where nested agents work; relative names of files start here. */
  readonly cwd: string;
  readonly files: Files;
  /** The skills that a nested agent can load and run. */
  readonly snapshot: Snapshot;
  /** Whether a person can be asked here. */
  readonly terminal: boolean;
  /** Whether a key in the usual variables is enough to choose a model. Default: true. */
  readonly inheritedKeys?: boolean;
  /** What the file tools of a nested agent may touch; relative to `cwd`. */
  readonly fileRoots: FileRoots;
  /** Whether a skill is trusted: others are not offered. Default: none is. */
  readonly isTrusted?: (skill: Skill) => Promise<boolean>;
  /** Tools of MCP servers that a nested agent may use. Default: none. */
  readonly tools?: ToolHost | null;
}

interface OpenedAnswerers {
  readonly answerers: readonly Answerer[];
  readonly facts: readonly AnswererFact[];
}

export async function openAnswerers(options: OpenAnswerersOptions): Promise<OpenedAnswerers> {
  const { config, variables, terminal, wanted, inheritedKeys } = options;
  const environment = createNodeEnvironment({ variables });
  const candidates = detectAnswerers({
    config,
    variables,
    hasTerminal: terminal,
    findProgram: (name) => environment.findProgram(name),
  });
  const answerer = typeof wanted === 'string' ? await openFile(wanted, options) : wanted;
  if (answerer !== null) {
    const own: AnswererFact = {
      name: answerer.name,
      available: true,
      chosen: true,
      detail: answerer.description,
      hint: null,
    };
    return {
      answerers: [await recorded(answerer, options), ...openAll(candidates, null, options)],
      facts: [own, ...candidates.map((candidate) => factOf(candidate, null))],
    };
  }
  const chosen =
    typeof wanted === 'string' ? resolveWish(wanted, candidates) : firstChoice(candidates, inheritedKeys);
  if (!('kind' in chosen)) throw new TechneError('ENVIRONMENT', chosen.message, { hint: chosen.hint });
  const [first, ...others] = openAll(candidates, chosen, options) as [Answerer, ...Answerer[]];
  return {
    answerers: [await recorded(first, options), ...others],
    facts: candidates.map((candidate) => factOf(candidate, chosen)),
  };
}

/** A script or a recording; `null` when the wish names no file. */
async function openFile(wanted: string, { cwd, files }: OpenAnswerersOptions): Promise<Answerer | null> {
  if (!wanted.includes(':')) return null;
  const { openScriptedWorld } = await import('../scripted/world.ts');
  const scripted = await openScriptedWorld(wanted, cwd, files);
  if (scripted !== null) return scripted.answerer;
  const [, name] = /^replay:([^]+)$/.exec(wanted) ?? [];
  if (name === undefined) return null;
  const path = isAbsolute(name) ? name : resolve(cwd, name);
  const [{ createReplayAnswerer }, { readAnswerFile }] = await Promise.all([
    import('./replay.ts'),
    import('../scripted/world.ts'),
  ]);
  return createReplayAnswerer(`replay:${path}`, path, await readAnswerFile(path, files));
}

/** All available answerers, the chosen one first. */
function openAll(
  candidates: readonly Candidate[],
  chosen: UsableCandidate | null,
  options: OpenAnswerersOptions,
): readonly Answerer[] {
  const there = candidates.filter(isUsable).filter(({ available, kind }) => available || kind === 'person');
  const ordered = chosen === null ? there : [chosen, ...there.filter((candidate) => candidate !== chosen)];
  return ordered.map((candidate) => openOne(candidate, there, options));
}

function openOne(
  candidate: UsableCandidate,
  there: readonly UsableCandidate[],
  {
    terminal,
    variables,
    cwd,
    snapshot,
    fileRoots,
    isTrusted = async () => false,
    tools = null,
  }: OpenAnswerersOptions,
): Answerer {
  switch (candidate.kind) {
    case 'caller':
      return callerAnswerer;
    case 'person':
      return createPersonAnswerer(terminal);
    case 'agent-cli':
      return lazily(candidate.name, `the program ${candidate.program}`, false, async () => {
        const { createAgentCliAnswerer } = await import('./agent-cli.ts');
        return createAgentCliAnswerer({
          program: candidate.program,
          path: candidate.path as string,
          cwd,
          variables,
        });
      });
    case 'model':
      return lazily(candidate.name, candidate.detail, true, async () => {
        const { createModelAnswerer } = await import('./model/model-answerer.ts');
        const endpoints = there.flatMap((other) =>
          other.kind === 'model' ? [{ label: other.label, endpoint: other.endpoint }] : [],
        );
        return createModelAnswerer({
          name: candidate.name,
          label: candidate.label,
          endpoints,
          variables,
          snapshot,
          fileRoots: absoluteRoots(fileRoots, cwd),
          isTrusted,
          tools,
        });
      });
  }
}

function absoluteRoots({ read, write, ...rest }: FileRoots, cwd: string): FileRoots {
  return {
    ...rest,
    read: read.map((root) => resolve(cwd, root)),
    write: write.map((root) => resolve(cwd, root)),
  };
}

/** A model or an agent: both can be asked at any time. */
function lazily(name: string, description: string, fenced: boolean, load: () => Promise<Answerer>): Answerer {
  let loading: Promise<Answerer> | null = null;
  return {
    name,
    description,
    fenced,
    // A program does what it does by itself.
    inParts: fenced,
    readsFor: () => true,
    async answer(request, context) {
      loading ??= load();
      return (await loading).answer(request, context);
    },
  };
}

async function recorded(answerer: Answerer, { record, cwd, files }: OpenAnswerersOptions): Promise<Answerer> {
  if (record === null) return answerer;
  const { checkRecordable, recordAnswers } = await import('./record.ts');
  const path = isAbsolute(record) ? record : resolve(cwd, record);
  await checkRecordable(path, files);
  return recordAnswers(answerer, { path, files });
}

// A person answers: the run pauses with a question, which any terminal can ask.
//
// A person has no tools of techne, so there is nothing to fence. The question is in the journal, so it can be
// answered at any terminal at any time; the time it takes is not charged to the run.

/** `atTerminal`: a person can be asked immediately. */
export function createPersonAnswerer(atTerminal: boolean): Answerer {
  return {
    name: 'person',
    description: atTerminal ? 'a person at this terminal' : 'a person answers later, with "techne answer"',
    fenced: true,
    answer: () => Promise.reject(new AnswerLater('person')),
  };
}

// The agent that started the run answers: the run pauses with the prompt, and resumes with `techne answer` or a tool
// call.
//
// Techne cannot confine that agent to a set of tools, so it is unfenced.

export const callerAnswerer: Answerer = {
  name: 'caller',
  description: 'the caller answers later',
  fenced: false,
  answer: () => Promise.reject(new AnswerLater('caller')),
};
