// techne learn: skills from what was done.
import type { CommandSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

export const learnCommand: CommandSpec = {
  name: 'learn',
  summary: 'Propose skills for work that you repeat',
  details: [
    'Looks for sequences of tool calls, commands and runs that were repeated in conversations of "techne chat" and in runs. What differed each time becomes an input; secrets are never copied. Each sequence becomes a draft: written by the model, where one is configured, else a scaffold with the steps. The draft goes to the proposals and is checked there. Nothing is installed: "techne proposals accept" does that, and asks you.',
    'What was proposed or rejected before, or what a skill does already, is not proposed again. By default only work in this workspace counts.',
  ],
  positionals: [],
  options: [
    {
      name: 'from',
      value: 'RUN|CHAT|DAYS',
      suggest: ['7d', '30d', '90d'],
      description:
        'What to learn from: the last days, such as 7d (default: 30d), or one run or conversation by its id',
    },
    {
      name: 'least',
      value: 'N',
      description: 'Propose only what was done at least N times (default: 3; 1 with a run or conversation)',
    },
    { name: 'limit', value: 'N', description: 'Propose at most N skills (default: 5)' },
    {
      name: 'everywhere',
      description: 'Learn from work in every workspace; the skills go to your own folder',
    },
    { name: 'dry-run', description: 'Only show what would be proposed; no model is asked' },
    {
      name: 'answer',
      value: 'WHO',
      suggest: ['model'],
      description:
        'Who writes the drafts: model, model:NAME or script:FILE (default: a model, if configured)',
    },
    { name: 'no-model', description: 'Write scaffolds, and ask no model' },
    storeOption,
  ],
  examples: [
    { line: 'techne learn --dry-run', what: 'What was repeated in the last 30 days' },
    { line: 'techne learn --from 7d --no-model', what: 'Propose scaffolds from the last week' },
    { line: 'techne learn --from 01KB7Z', what: 'Make a skill from one conversation' },
  ],
  exitCodes:
    'Exit codes: 0 done, also when nothing was found, 1 some of the history cannot be read or a proposal was refused, 2 wrong usage, 3 environment, 130 stopped, 70 a bug in techne.',
  load: async () => (await import('../commands/learn.ts')).runLearn,
};
