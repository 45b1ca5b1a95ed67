// The tools with which the model of a conversation proposes changes: a port to the queue that can do nothing else.
import { failedResult } from '../../ports/tool.ts';
import type { Tool, ToolCaller } from '../../ports/tool.ts';
import { createProposalTools } from '../../proposals/proposal-tools.ts';
import type { ProposalOrigin } from '../../proposals/proposal.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { Proposals } from './proposals.ts';

/** Who is behind the conversation, as far as its surface knows. */
export interface ConversationOrigin extends ToolCaller {
  readonly surface?: ProposalOrigin['surface'];
}

export function proposalTools(
  library: SkillLibrary,
  homeFolder: string,
  from: ConversationOrigin,
): readonly Tool[] {
  const proposals = new Proposals({ library, homeFolder });
  const originOf = (caller: ToolCaller): ProposalOrigin => {
    const { surface = 'library', run, conversation, model, client } = { ...from, ...caller };
    return {
      by: 'agent',
      surface,
      run: bounded(run),
      conversation: bounded(conversation),
      model: bounded(model),
      client: bounded(client),
    };
  };
  const tools = createProposalTools({
    propose: (request, why, scope, caller) =>
      proposals.propose(request, { why, origin: originOf(caller), scope }),
    check: (id) => proposals.check(id),
    async list() {
      const { proposals: all } = await proposals.queue.list();
      return Promise.all(
        all.map(async (proposal) => ({ proposal, report: await proposals.queue.report(proposal.id) })),
      );
    },
  });
  // What was wrong with a proposal is for the model to correct.
  return tools.map((tool) => ({
    ...tool,
    async call(args, use) {
      try {
        return await tool.call(args, use);
      } catch (error) {
        return failedResult(error);
      }
    },
  }));
}

/** A client names itself; its name is only a note. */
function bounded(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text.slice(0, 200);
}
