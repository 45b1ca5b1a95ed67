// What was done -> proposals of skills. They wait in the queue and are checked like those of an agent; nothing else happens to them.
//
//   history -> workflows -> known ones set aside -> a draft of the model, or a scaffold -> queue -> checks
//
// L1. The same history gives the same workflows and scaffolds, to the byte.
// L2. A draft that cannot be used (a wrong answer, a taken name) is replaced by the scaffold, and the reason is told.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { ChatModel } from '../../ports/model.ts';
import { turnText } from '../../ports/model.ts';
import type { WholeFile } from '../../proposals/change-tree.ts';
import type { DraftTexts } from '../../proposals/learn/draft-skill.ts';
import { draftFiles, scaffoldTexts, titleOf, workflowName } from '../../proposals/learn/draft-skill.ts';
import type { Workflow } from '../../proposals/learn/generalise.ts';
import { findWorkflows } from '../../proposals/learn/learn.ts';
import { draftRequest, draftSystem, readDraft } from '../../proposals/learn/model-draft.ts';
import type { Proposal, ProposalReport } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Proposals } from '../proposals/proposals.ts';
import { KnownWorkflows } from './known-workflow.ts';
import type { ReadWork } from './read-work.ts';

export interface LearnRequest {
  readonly proposals: Proposals;
  readonly work: ReadWork;
  readonly least: number;
  /** How many new workflows are proposed at most. */
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

export interface LearnedWorkflow {
  readonly workflow: Workflow;
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

export async function learn(request: LearnRequest): Promise<readonly LearnedWorkflow[]> {
  const { proposals, work, least, most, dryRun, signal, onProgress = () => undefined } = request;
  const workflows = findWorkflows(work.works, { least, most: mostLookedAt, sha256: nodeSha256 });
  const snapshot = await proposals.library.load();
  const { proposals: queued } = await proposals.queue.list();
  const taken = new Set(
    queued.filter(({ state }) => state === 'pending').map(({ skill, newName }) => newName ?? skill),
  );
  const knownOnes = new KnownWorkflows(queued, snapshot);
  const learned: LearnedWorkflow[] = [];
  let isNew = 0;
  for (const workflow of workflows) {
    if (signal.aborted || isNew >= most) break;
    const known = await knownOnes.reason(workflow);
    if (known !== null) {
      const name = workflowName(workflow, () => false);
      learned.push({ workflow, name, outcome: { what: 'known', reason: known } });
      continue;
    }
    const name = workflowName(workflow, (one) => snapshot.has(one) || taken.has(one));
    isNew += 1;
    const scaffold = scaffoldTexts(workflow, name);
    taken.add(name);
    if (dryRun) {
      const files = draftFiles(workflow, scaffold);
      learned.push({ workflow, name, outcome: { what: 'would-propose', files } });
      continue;
    }
    onProgress(`${name}: draft`);
    const drafted = await draftOf(request, workflow, scaffold, snapshot, taken);
    if (signal.aborted) break;
    onProgress(`${drafted.texts.name}: checks`);
    learned.push({
      workflow,
      name: drafted.texts.name,
      outcome: await proposed(request, workflow, drafted).catch(refusalOf),
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
  workflow: Workflow,
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
      said: [{ by: 'user', text: draftRequest(workflow) }],
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
function refusalOf(error: unknown): LearnedWorkflow['outcome'] {
  if (error instanceof TechneError && error.code === 'PROPOSAL_REFUSED')
    return {
      what: 'refused',
      reason: error.hint === null ? error.message : `${error.message}; ${error.hint}`,
    };
  throw error;
}

async function proposed(
  { proposals, scope, model }: LearnRequest,
  workflow: Workflow,
  { texts, draft, note }: Drafted,
): Promise<Extract<LearnedWorkflow['outcome'], { what: 'proposed' }>> {
  const { examples, count, sources } = workflow;
  const [only] = sources === 1 ? examples : [];
  const { proposal } = await proposals.propose(
    { kind: 'create', skill: texts.name, files: draftFiles(workflow, texts) },
    {
      why: `done ${counted(count, 'time')} in ${sources === 1 ? 'one conversation or run' : `${sources} conversations or runs`}: ${workflow.steps.map(titleOf).join(', ')}`.slice(
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
        learned: workflow.digest,
      },
      scope,
    },
  );
  const checked = await proposals.check(proposal.id);
  return { what: 'proposed', proposal: checked.proposal, report: checked.report, draft, note };
}

/** What was learned, as the JSON of the command shows it. */
export function learnedJson({ workflow, name, outcome }: LearnedWorkflow): object {
  const { digest, count, sources, examples, steps, inputs } = workflow;
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
