// The commands that measure skills: whether they are found, chosen, and of use.
import type { CommandSpec, OptionSpec } from './command-spec.ts';

const evalTriggers: CommandSpec = {
  name: 'eval triggers',
  summary: 'Check which skills are found for given messages',
  details: [
    'FILE holds cases: a message, the skill that is expected for it or null, and a kind; as JSON lines, YAML or the evals.json of a skill (docs/guide/evaluating.md). With --skill the cases are those of its evals/evals.json, with uses and traps made from its triggers: negations, quotations, translations, questions, pasted and told text. Every message goes the way that a message in a conversation goes.',
    'Prints how many are right by kind, what was found in place of what, and what went wrong. --json prints {cases, skipped, right, accuracy, falsePositives, falseNegatives, wrongSkill, hitAt3, kinds, confusions, failures, unknown, unreachable, threshold, ok}. The exit code is 1 if the accuracy is below --threshold, there is no case to measure it by, or a case file has an error.',
  ],
  positionals: [
    { name: 'FILE', description: 'A file of cases', required: false, repeatable: true, complete: 'path' },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      repeatable: true,
      complete: 'skill',
      description: 'The cases of this skill, and those made from its triggers; may be repeated',
    },
    { name: 'threshold', value: 'T', description: 'Exit with 1 if fewer cases are right: 0.95 or 95%' },
    {
      name: 'frames',
      value: 'N',
      description:
        'The most made cases of each kind for a trigger, 0 to 1000; 0 takes only what is written (default all)',
    },
    { name: 'seed', value: 'N', description: 'Which ones are chosen with --frames (default 1)' },
  ],
  examples: [
    { line: 'techne eval triggers cases.jsonl', what: 'The cases of a file' },
    {
      line: 'techne eval triggers --skill changelog --threshold 0.98',
      what: 'One skill, for a build that fails below 98 %',
    },
    { line: 'techne eval triggers cases.yaml --json', what: 'For a program' },
  ],
  load: async () => (await import('../commands/eval-triggers.ts')).runEvalTriggers,
};

/** Of everything that asks a model. */
const asking = (defaultTurns: number): readonly OptionSpec[] => [
  {
    name: 'answer',
    value: 'SPEC',
    suggest: ['model', 'script:'],
    description:
      'Who answers: model, model:NAME or script:FILE (default: the first model there is, see techne doctor)',
  },
  { name: 'model', value: 'NAME', description: 'Short for --answer model:NAME' },
  { name: 'runs', value: 'N', description: 'How often each is tried (default 3)' },
  {
    name: 'seed',
    value: 'N',
    description: 'What is drawn at random: the same seed draws the same (default 1)',
  },
  { name: 'parallel', value: 'N', description: 'How many are tried at a time, 1 to 64 (default 1)' },
  {
    name: 'max-turns',
    value: 'N',
    description: `The most turns of the model for one try (default ${defaultTurns})`,
  },
  { name: 'max-calls', value: 'N', description: 'Stop after so many turns of models in all (default 1000)' },
  {
    name: 'max-tokens',
    value: 'N',
    description: 'Stop after so many tokens in all, in and out (default 5000000)',
  },
  {
    name: 'keep',
    value: 'DIR',
    complete: 'folder',
    description: 'Keep what was said in this folder, one JSON file for each try',
  },
];

const measuredCodes =
  'Exit codes: 0 all measured, 1 below the threshold, not all measured or an error in a file, 2 wrong usage, 3 environment (no model), 130 stopped; what was measured is printed in any case. 70 a bug in techne.';

const evalActivation: CommandSpec = {
  name: 'eval activation',
  summary: 'Check which skills a model chooses for given messages',
  details: [
    'Each message is sent to a model that sees the skills as in a conversation: the index, the block of the turn, and the tools skill_search, skill_load, use_skill and run_metaskill. The first skill that it loads or wants to run is its choice; nothing is run. A skill that the message names is given without asking the model, as always. FILE and --skill are as for techne eval triggers. Each case is tried --runs times, with --distractors among so many other skills of the library, drawn anew each time.',
    'Prints how many are right by kind, every case with its rate, the worst first, and what was chosen in place of what. A model that fails is counted apart, and in no rate. --json prints {cases, skipped, measured, right, accuracy, interval, falsePositives, falseNegatives, wrongSkill, errors, unmeasured, meanTurns, meanTokens, kinds, confusions, model, runs, seed, distractors, spent, stopped, unknown, unreachable, threshold, ok}.',
  ],
  positionals: [
    { name: 'FILE', description: 'A file of cases', required: false, repeatable: true, complete: 'path' },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      repeatable: true,
      complete: 'skill',
      description: 'The cases of this skill (evals/evals.json); may be repeated',
    },
    {
      name: 'distractors',
      value: 'N',
      description: 'Offer the skills of the cases and N others, instead of the whole library',
    },
    { name: 'threshold', value: 'T', description: 'Exit with 1 if fewer attempts are right: 0.95 or 95%' },
    {
      name: 'frames',
      value: 'N',
      description:
        'Cases of each kind that are made from a trigger of --skill (default 1 without evals.json, else 0)',
    },
    ...asking(4),
  ],
  examples: [
    { line: 'techne eval activation cases.jsonl', what: 'Among the whole library, three times each' },
    {
      line: 'techne eval activation --skill changelog --distractors 10 --runs 5 --threshold 0.9',
      what: 'One skill among ten others, for a build',
    },
    {
      line: 'techne eval activation cases.yaml --model fast --max-tokens 200000 --json',
      what: 'A certain model, within a budget, for a program',
    },
  ],
  exitCodes: measuredCodes,
  load: async () => (await import('../commands/eval-activation.ts')).runEvalActivation,
};

const evalOutput: CommandSpec = {
  name: 'eval output',
  summary: 'Have a model judge results with a skill and without it',
  details: [
    'The prompts are the eval_prompts of the skill, or cases of kind rubric (docs/guide/evaluating.md). Each is answered by a model with the skill and without any, then a judge compares the two by the rubric. It sees them as A and B, each first equally often, and is not told which is which; what they say is quoted as data. A skill that can be executed is run, with the input of the case where it has one, and its run is kept like any other.',
    'Prints scores from 0 to 10 with and without the skill, their difference with a 95 % interval, wins, ties and losses, how often the judge preferred what it saw first, and a warning where its preferences follow the order. A judgement that does not fit its schema is asked for once more, and then reported as invalid and not counted. --json prints {prompts, pairs, wins, ties, losses, winRate, scoreWith, scoreWithout, difference, interval, failed, invalid, unmeasured, position, judged, model, judge, runs, seed, bothOrders, spent, stopped, threshold, ok}.',
  ],
  positionals: [
    {
      name: 'FILE',
      description: 'A file with cases of kind rubric',
      required: false,
      repeatable: true,
      complete: 'path',
    },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      repeatable: true,
      complete: 'skill',
      description: 'The prompts of this skill; may be repeated',
    },
    {
      name: 'judge',
      value: 'SPEC',
      suggest: ['model', 'script:'],
      description: 'Who judges: model:NAME or script:FILE (default: the model that answers)',
    },
    {
      name: 'both-orders',
      description: 'Judge each pair in both orders; a verdict that changes with the order is a tie',
    },
    {
      name: 'threshold',
      value: 'T',
      description: 'Exit with 1 if the skill wins fewer pairs, ties counted half: 0.6 or 60%',
    },
    ...asking(20),
  ],
  examples: [
    { line: 'techne eval output --skill changelog', what: 'Its prompts, three times each' },
    {
      line: 'techne eval output cases.yaml --judge model:strong --both-orders --keep transcripts',
      what: 'Another judge, in both orders, with all that was said',
    },
    { line: 'techne eval output --skill changelog --runs 5 --threshold 0.6 --json', what: 'For a program' },
  ],
  exitCodes: measuredCodes,
  load: async () => (await import('../commands/eval-output.ts')).runEvalOutput,
};

export const evalCommand: CommandSpec = {
  name: 'eval',
  summary: 'Measure how well skills are found, chosen and of use',
  details: [
    'techne eval triggers checks which skills are found for given messages; techne eval activation, which ones a model chooses; techne eval output, whether its results are better with the skill.',
  ],
  positionals: [],
  options: [],
  examples: [
    { line: 'techne eval triggers cases.jsonl', what: 'Without any model' },
    { line: 'techne eval activation cases.jsonl', what: 'The same cases, with a model that chooses' },
    { line: 'techne eval output --skill changelog', what: 'Results with the skill and without it, judged' },
  ],
  subcommands: [evalTriggers, evalActivation, evalOutput],
  load: async () => evalTriggers.load(),
};
