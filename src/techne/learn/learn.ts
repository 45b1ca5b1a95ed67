// What was done -> proposals of skills. They wait in the queue and are checked like those of an agent; nothing else happens to them.
//
//   history -> routines -> known ones set aside -> a draft of the model, or a scaffold -> queue -> checks
//
// L1. The same history gives the same routines and scaffolds, to the byte.
// L2. A draft that cannot be used (a wrong answer, a taken name) is replaced by the scaffold, and the reason is told.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { ChatModel } from '../../ports/model.ts';
import { turnText } from '../../ports/model.ts';
import type { WholeFile } from '../../proposals/change-tree.ts';
import type { DraftTexts } from '../../proposals/learn/draft-skill.ts';
import { draftFiles, scaffoldTexts, titleOf, routineName } from '../../proposals/learn/draft-skill.ts';
import type { Routine } from '../../proposals/learn/generalise.ts';
import { findRoutines } from '../../proposals/learn/learn.ts';
import { draftRequest, draftSystem, readDraft } from '../../proposals/learn/model-draft.ts';
import type { Proposal, ProposalReport } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Proposals } from '../proposals/proposals.ts';
import { KnownRoutines } from './known-routine.ts';
import type { ReadWork } from './read-work.ts';

export interface LearnRequest {
  readonly proposals: Proposals;
  readonly work: ReadWork;
  readonly least: number;
  /** How many new routines are proposed at most. */
  readonly most: number;
  /** Where a new skill goes. Default: the workspace, where there is one. */
  readonly scope: 'user' | 'workspace' | null;
  /** `null`: scaffolds. */
  readonly model: ChatModel | null;
  /** Nothing is written, and no model is asked. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly onProgress?: (text: string) => void;
}

export interface LearnedRoutine {
  readonly routine: Routine;
  readonly name: string;
  readonly outcome:
    | { readonly what: 'known'; readonly reason: string }
    | { readonly what: 'would-propose'; readonly files: readonly WholeFile[] }
    /** The queue does not take it: too much waits already. */
    | { readonly what: 'refused'; readonly reason: string }
    | {
        readonly what: 'proposed';
        readonly proposal: Proposal;
        readonly report: ProposalReport;
        /** Who wrote it; with the reason where it was to be the model. */
        readonly draft: 'model' | 'scaffold';
        readonly note: string | null;
      };
}

/** Also known ones are looked at, so that the new ones behind them are found. */
const mostLookedAt = 50;

export async function learn(request: LearnRequest): Promise<readonly LearnedRoutine[]> {
  const { proposals, work, least, most, dryRun, signal, onProgress = () => undefined } = request;
  const routines = findRoutines(work.works, { least, most: mostLookedAt, sha256: nodeSha256 });
  const snapshot = await proposals.library.load();
  const { proposals: queued } = await proposals.queue.list();
  const taken = new Set(
    queued.filter(({ state }) => state === 'pending').map(({ skill, newName }) => newName ?? skill),
  );
  const knownOnes = new KnownRoutines(queued, snapshot);
  const learned: LearnedRoutine[] = [];
  let isNew = 0;
  for (const routine of routines) {
    if (signal.aborted || isNew >= most) break;
    const known = await knownOnes.reason(routine);
    if (known !== null) {
      const name = routineName(routine, () => false);
      learned.push({ routine, name, outcome: { what: 'known', reason: known } });
      continue;
    }
    const name = routineName(routine, (one) => snapshot.has(one) || taken.has(one));
    isNew += 1;
    const scaffold = scaffoldTexts(routine, name);
    taken.add(name);
    if (dryRun) {
      const files = draftFiles(routine, scaffold);
      learned.push({ routine, name, outcome: { what: 'would-propose', files } });
      continue;
    }
    onProgress(`${name}: draft`);
    const drafted = await draftOf(request, routine, scaffold, snapshot, taken);
    if (signal.aborted) break;
    onProgress(`${drafted.texts.name}: checks`);
    learned.push({
      routine,
      name: drafted.texts.name,
      outcome: await proposed(request, routine, drafted).catch(refusalOf),
    });
  }
  return learned;
}

interface Drafted {
  readonly texts: DraftTexts;
  readonly draft: 'model' | 'scaffold';
  readonly note: string | null;
}

async function draftOf(
  { model, signal }: LearnRequest,
  routine: Routine,
  scaffold: DraftTexts,
  snapshot: Snapshot,
  taken: ReadonlySet<string>,
): Promise<Drafted> {
  const instead = (note: string | null): Drafted => ({ texts: scaffold, draft: 'scaffold', note });
  if (model === null) return instead(null);
  let answer: string;
  try {
    const { turn } = await model.takeTurn({
      system: draftSystem,
      said: [{ by: 'user', text: draftRequest(routine) }],
      tools: [],
      before: 0,
      purpose: null,
      signal,
      onText: () => undefined,
    });
    answer = turnText(turn);
  } catch (error) {
    if (signal.aborted) return instead(null);
    return instead(
      `the model failed: ${printableLine(error instanceof Error ? error.message : String(error)).slice(0, 200)}`,
    );
  }
  const read = readDraft(answer);
  if (!read.ok) return instead(`the draft of the model was not used: ${read.reason}`);
  const { name } = read.texts;
  if (name !== scaffold.name && (snapshot.has(name) || taken.has(name)))
    return {
      texts: { ...read.texts, name: scaffold.name },
      draft: 'model',
      note: `the name "${name}" is taken`,
    };
  return { texts: read.texts, draft: 'model', note: null };
}

/** What was proposed before it stays on the list. */
function refusalOf(error: unknown): LearnedRoutine['outcome'] {
  if (error instanceof TechneError && error.code === 'PROPOSAL_REFUSED')
    return {
      what: 'refused',
      reason: error.hint === null ? error.message : `${error.message}; ${error.hint}`,
    };
  throw error;
}

async function proposed(
  { proposals, scope, model }: LearnRequest,
  routine: Routine,
  { texts, draft, note }: Drafted,
): Promise<Extract<LearnedRoutine['outcome'], { what: 'proposed' }>> {
  const { examples, count, sources } = routine;
  const [only] = sources === 1 ? examples : [];
  const { proposal } = await proposals.propose(
    { kind: 'create', skill: texts.name, files: draftFiles(routine, texts) },
    {
      why: `done ${counted(count, 'time')} in ${sources === 1 ? 'one conversation or run' : `${sources} conversations or runs`}: ${routine.steps.map(titleOf).join(', ')}`.slice(
        0,
        1000,
      ),
      origin: {
        by: 'learn',
        surface: 'cli',
        run: only?.kind === 'run' ? only.id : null,
        conversation: only?.kind === 'chat' ? only.id : null,
        model: draft === 'model' ? (model?.name ?? null) : null,
        client: null,
        learned: routine.digest,
      },
      scope,
    },
  );
  const checked = await proposals.check(proposal.id);
  return { what: 'proposed', proposal: checked.proposal, report: checked.report, draft, note };
}

/** What was learned, as the JSON of the command shows it. */
export function learnedJson({ routine, name, outcome }: LearnedRoutine): object {
  const { digest, count, sources, examples, steps, inputs } = routine;
  return {
    name,
    digest,
    count,
    sources,
    examples,
    steps: steps.map(({ kind, key, repeats }) => ({ kind, call: key, repeats })),
    inputs: inputs.map((input) => ({ name: input.name, type: input.type, secret: input.isSecret })),
    outcome,
  };
}
