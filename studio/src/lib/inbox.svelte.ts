// What waits for a person, for the badge in the bar and the page "Overview": read once, and again when the stream says so.
import type { OperationOutput } from '../../../src/api/operation.ts';
import type { Operations } from '../../../src/api/operations.ts';
import { live } from './live.svelte.ts';
import { faultOf } from './load.svelte.ts';
import type { Fault } from './load.svelte.ts';
import { whyNot } from './role.ts';
import { call } from './session.svelte.ts';

type Page = OperationOutput<Operations['listQuestions']>;
export type Question = Page['questions'][number];
export type Undecided = Page['undecided'][number];
export type Chat = OperationOutput<Operations['listChats']>['chats'][number];
export type Proposal = OperationOutput<Operations['listProposals']>['proposals'][number];

/** Questions and decisions that are read at most. */
const mostShown = 200;

class Inbox {
  questions = $state.raw<readonly Question[]>([]);
  undecided = $state.raw<readonly Undecided[]>([]);
  proposals = $state.raw<readonly Proposal[]>([]);
  /** Conversations in which a call waits for an approval. */
  chats = $state.raw<readonly Chat[]>([]);
  /** There are more questions than are shown. */
  hasMore = $state(false);
  isLoaded = $state(false);
  fault = $state.raw<Fault | null>(null);
  #asked = 0;

  get count(): number {
    return this.questions.length + this.undecided.length + this.proposals.length + this.chats.length;
  }

  /** To be called once, while the shell is made. */
  start(): void {
    $effect(() => {
      void live.questions;
      void this.#load(async () => {
        this.#asked += 1;
        const number = this.#asked;
        const [questions, undecided]: [Question[], Undecided[]] = [[], []];
        // A page looks at some thousand runs, so that an old one that waits may be on a later one.
        let cursor: string | null = null;
        do {
          const page: Page = await call('listQuestions', {
            query: { limit: 200, ...(cursor === null ? {} : { cursor }) },
          });
          if (number !== this.#asked) return;
          questions.push(...page.questions);
          undecided.push(...page.undecided);
          ({ cursor } = page);
        } while (cursor !== null && questions.length + undecided.length < mostShown);
        [this.questions, this.undecided, this.hasMore] = [questions, undecided, cursor !== null];
        this.isLoaded = true;
      });
    });
    $effect(() => {
      void live.proposals;
      void this.#load(async () => {
        this.proposals = (await call('listProposals')).proposals;
      });
    });
    $effect(() => {
      void live.chats;
      if (whyNot('reviewer') !== null) return;
      void this.#load(async () => {
        const { chats } = await call('listChats', { query: { limit: 200 } });
        this.chats = chats.filter(({ status }) => status === 'waiting');
      });
    });
  }

  async #load(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.fault = null;
    } catch (error) {
      this.fault = faultOf(error);
    }
  }
}

export const inbox = new Inbox();
