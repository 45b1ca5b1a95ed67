// The commands that measure skills: whether they are found, chosen, and useful.
import type { CommandSpec, OptionSpec } from './command-spec.ts';

const evalTriggers: CommandSpec = {
  name: 'eval triggers',
  summary: 'Check which skills are found for given messages',
  details: [
    'FILE contains cases: a message, the expected skill or null, and a kind; as JSON lines, YAML or the evals.json of a skill (docs/guide/evaluating.md). With --skill the cases come from its evals/evals.json, and more are generated from its triggers: requests for the skill, and messages that only mention it, such as negations, quotations, translations, questions, pasted text and reports. Messages are matched as in a conversation.',
    'Prints the accuracy by kind, which skills were confused, and the wrong cases. --json prints {cases, skipped, right, accuracy, falsePositives, falseNegatives, wrongSkill, hitAt3, kinds, confusions, failures, unknown, unreachable, threshold, ok}. The exit code is 1 if the accuracy is below --threshold, no case could be measured, or a case file has an error.',
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
      description: 'The cases of this skill, and those generated from its triggers; may be repeated',
    },
    { name: 'threshold', value: 'T', description: 'Exit with 1 if fewer cases are right: 0.95 or 95%' },
    {
      name: 'frames',
      value: 'N',
      description:
        'At most N generated cases of each kind for a trigger, 0 to 1000; 0 uses only the written cases (default all)',
    },
    { name: 'seed', value: 'N', description: 'The random seed that chooses cases with --frames (default 1)' },
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

/** The options of commands that ask a model; `--max-turns` with its default comes after them. */
const askingOptions: readonly OptionSpec[] = [
  {
    name: 'answer',
    value: 'SPEC',
    suggest: ['model', 'script:'],
    description:
      'The answerer: model, model:NAME or script:FILE (default: the first available model, see techne doctor)',
  },
  { name: 'model', value: 'NAME', description: 'Short for --answer model:NAME' },
  { name: 'runs', value: 'N', description: 'Attempts for each case (default 3)' },
  {
    name: 'seed',
    value: 'N',
    description: 'The random seed; the same seed makes the same choices (default 1)',
  },
  { name: 'parallel', value: 'N', description: 'Attempts in parallel, 1 to 64 (default 1)' },
];

/** What an evaluation may spend in all, and what it keeps. */
const boundOptions: readonly OptionSpec[] = [
  { name: 'max-calls', value: 'N', description: 'Stop after N turns of models in total (default 1000)' },
  {
    name: 'max-tokens',
    value: 'N',
    description: 'Stop after N input and output tokens in total (default 5000000)',
  },
  {
    name: 'keep',
    value: 'DIR',
    complete: 'folder',
    description: 'Write the transcript of each attempt to this folder, as JSON',
  },
];

const measuredCodes =
  'Exit codes: 0 all measured, 1 below the threshold, not all measured or an error in a file, 2 wrong usage, 3 environment (no model), 130 stopped, 70 a bug in techne. Measured results are always printed.';

const evalActivation: CommandSpec = {
  name: 'eval activation',
  summary: 'Check which skills a model chooses for given messages',
  details: [
    'Each message is sent to a model that sees the skills as in a conversation: the index, the suggestions for the message, and the tools skill_search, skill_load, use_skill and run_metaskill. The first skill that it loads or wants to run is its choice; nothing is run. A skill that the message names is loaded without asking the model, as in a conversation. FILE and --skill are as for techne eval triggers. Each case is tried --runs times. With --distractors the model sees only the skills of the cases and N others, drawn at random for each attempt.',
    'Prints the accuracy by kind, the rate of each case (worst first), and which skills were confused. Failures of the model are counted separately and change no rate. --json prints {cases, skipped, measured, right, accuracy, interval, falsePositives, falseNegatives, wrongSkill, errors, unmeasured, meanTurns, meanTokens, kinds, confusions, model, runs, seed, distractors, spent, stopped, unknown, unreachable, threshold, ok}.',
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
        'How many cases of each kind to generate from each trigger of --skill (default: 1 if it has no evals.json, else 0)',
    },
    ...askingOptions,
    {
      name: 'max-turns',
      value: 'N',
      description: 'At most N turns of the model in one attempt (default 4)',
    },
    ...boundOptions,
  ],
  examples: [
    { line: 'techne eval activation cases.jsonl', what: 'Among the whole library, three times each' },
    {
      line: 'techne eval activation --skill changelog --distractors 10 --runs 5 --threshold 0.9',
      what: 'One skill among ten others, for a build',
    },
    {
      line: 'techne eval activation cases.yaml --model fast --max-tokens 200000 --json',
      what: 'One model, within a budget, for a program',
    },
  ],
  exitCodes: measuredCodes,
  load: async () => (await import('../commands/eval-activation.ts')).runEvalActivation,
};

const evalOutput: CommandSpec = {
  name: 'eval output',
  summary: 'Have a model judge results with a skill and without it',
  details: [
    'The prompts are the eval_prompts of the skill, or cases of kind rubric (docs/guide/evaluating.md). A model answers each with the skill and without it, then a judge compares the two results by the rubric. The judge sees them as A and B, in balanced order, without knowing which is which; their text is quoted as data. An executable skill is run, with the input of the case if it has one, and the run is kept like any other.',
    'Prints scores from 0 to 10 with and without the skill, their difference with a 95 % interval, wins, ties and losses, how often the judge preferred the first result, and a warning if its preferences follow the order. A judgement that does not fit its schema is requested once more; if it is invalid again, it is reported and not counted. --json prints {prompts, pairs, wins, ties, losses, winRate, scoreWith, scoreWithout, difference, interval, failed, invalid, unmeasured, position, judged, model, judge, runs, seed, bothOrders, spent, stopped, threshold, ok}.',
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
      description: 'The judge: model:NAME or script:FILE (default: the model that answers)',
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
    ...askingOptions,
    {
      name: 'max-turns',
      value: 'N',
      description: 'At most N turns of the model in one attempt (default 20)',
    },
    ...boundOptions,
  ],
  examples: [
    { line: 'techne eval output --skill changelog', what: 'Its prompts, three times each' },
    {
      line: 'techne eval output cases.yaml --judge model:strong --both-orders --keep transcripts',
      what: 'Another judge, in both orders, with transcripts',
    },
    { line: 'techne eval output --skill changelog --runs 5 --threshold 0.6 --json', what: 'For a program' },
  ],
  exitCodes: measuredCodes,
  load: async () => (await import('../commands/eval-output.ts')).runEvalOutput,
};

export const evalCommand: CommandSpec = {
  name: 'eval',
  summary: 'Measure whether skills are found, chosen and useful',
  details: [
    'techne eval triggers checks which skills are found for given messages; techne eval activation checks which skills a model chooses; techne eval output checks whether results are better with a skill.',
  ],
  positionals: [],
  options: [],
  examples: [
    { line: 'techne eval triggers cases.jsonl', what: 'Without any model' },
    { line: 'techne eval activation cases.jsonl', what: 'The same cases, with a model' },
    { line: 'techne eval output --skill changelog', what: 'Results with the skill and without it, judged' },
  ],
  subcommands: [evalTriggers, evalActivation, evalOutput],
  load: async () => evalTriggers.load(),
};
