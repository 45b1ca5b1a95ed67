// techne skills: how skills are used, and what to do about those that are not.
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

const days = (usual: number): OptionSpec => ({
  name: 'days',
  value: 'N',
  description: `How many days to look back (default: ${usual})`,
});
const exitCodes =
  'Exit codes: 0 done, 1 some of the history cannot be read, 2 wrong usage, 3 environment, 130 stopped, 70 a bug in techne.';

export const skillsCommand: CommandSpec = {
  name: 'skills',
  summary: 'Show how skills are used, and which to merge or retire',
  details: [
    'Counts what conversations of "techne chat", the journals of runs and the MCP server recorded on this machine: which skills came before a model, which ran, failed and what they cost.',
  ],
  positionals: [],
  options: [],
  examples: [
    { line: 'techne skills stats', what: 'Uses, failures, cost and last use of each skill' },
    { line: 'techne skills curate', what: 'What could be merged, retired or fixed' },
  ],
  exitCodes,
  load: async () => (await import('../commands/skills.ts')).runSkillsStats,
  subcommands: [
    {
      name: 'skills stats',
      summary: 'Show uses, activations, failures, cost and last use of each skill',
      details: [
        'An activation is a body that came before a model; a miss is a skill that the model had to look for, since the message had not suggested it. Skills that were never used are shown with --all. The cost is that of runs, with the runs inside them.',
      ],
      positionals: [
        {
          name: 'NAME',
          description: 'One skill, with the messages that missed it',
          required: false,
          repeatable: false,
          complete: 'skill',
        },
      ],
      options: [days(90), storeOption],
      examples: [
        { line: 'techne skills stats --days 30', what: 'The last 30 days' },
        { line: 'techne skills stats daily-note', what: 'One skill' },
      ],
      exitCodes,
      load: async () => (await import('../commands/skills.ts')).runSkillsStats,
    },
    {
      name: 'skills curate',
      summary: 'Suggest skills to merge, retire, fix or describe better',
      details: [
        'Retire: your own skill was not used in all these days, and the records reach back so far. Merge: two of your own skills say nearly the same. Fix: half of its runs fail. Sharpen: models look for it, since no trigger or word suggests it.',
        'Nothing changes. With --propose, what is to be merged or retired is proposed, and waits until you accept it (techne proposals).',
      ],
      positionals: [],
      options: [
        days(90),
        { name: 'propose', description: 'Propose to merge and retire; each waits for your review' },
        storeOption,
      ],
      examples: [
        { line: 'techne skills curate', what: 'The report' },
        { line: 'techne skills curate --days 180 --propose', what: 'Propose what it suggests' },
      ],
      exitCodes,
      load: async () => (await import('../commands/skills.ts')).runSkillsCurate,
    },
  ],
};
