// The tools with which the model of a conversation proposes changes: a port to the queue that can do nothing else.
import { failedResult } from '../../ports/tool.ts';
import type { Tool } from '../../ports/tool.ts';
import { createProposalTools } from '../../proposals/proposal-tools.ts';
import type { ProposalOrigin } from '../../proposals/proposal.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { Proposals } from './proposals.ts';

/** Who is behind the conversation, as far as its surface knows. */
export type ConversationOrigin = Partial<Pick<ProposalOrigin, 'surface' | 'conversation' | 'model' | 'run'>>;

export function proposalTools(
  library: SkillLibrary,
  homeFolder: string,
  from: ConversationOrigin,
): readonly Tool[] {
  const proposals = new Proposals({ library, homeFolder });
  const origin: ProposalOrigin = {
    surface: 'library',
    run: null,
    conversation: null,
    model: null,
    ...from,
    by: 'agent',
  };
  const tools = createProposalTools({
    propose: (request, why, scope) => proposals.propose(request, { why, origin, scope }),
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
