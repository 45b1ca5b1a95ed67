// The commands about which skill fits a message.
import type { CommandSpec } from './command-spec.ts';

const evalTriggers: CommandSpec = {
  name: 'eval triggers',
  summary: 'Check which skills are found for given messages',
  details: [
    'FILE holds cases: a message, the skill that is expected for it or null, and a kind; as JSON lines, YAML or the evals.json of a skill (docs/guide/evaluating.md). With --skill the cases are those of its evals/evals.json, with uses and traps made from its triggers: negations, quotations, translations, questions, pasted and told text. Every message goes the way that a message in a conversation goes.',
    'Prints how many are right by kind, what was found in place of what, and what went wrong. --json prints {cases, skipped, right, accuracy, falsePositives, falseNegatives, wrongSkill, hitAt3, kinds, confusions, failures, unknown, threshold, ok}. The exit code is 1 if the accuracy is below --threshold, or a case file has an error.',
  ],
  positionals: [{ name: 'FILE', description: 'A file of cases', required: false, repeatable: true, complete: 'path' }],
  options: [
    { name: 'skill', value: 'NAME', repeatable: true, complete: 'skill', description: 'The cases of this skill, and those made from its triggers; may be repeated' },
    { name: 'threshold', value: 'T', description: 'Exit with 1 if fewer cases are right: 0.95 or 95%' },
    { name: 'frames', value: 'N', description: 'The most made cases of each kind for a trigger, 1 to 1000 (default all)' },
    { name: 'seed', value: 'N', description: 'Which ones are chosen with --frames (default 1)' },
  ],
  examples: [
    { line: 'techne eval triggers cases.jsonl', what: 'The cases of a file' },
    { line: 'techne eval triggers --skill travel-planner --threshold 0.98', what: 'One skill, for a build that fails below 98 %' },
    { line: 'techne eval triggers cases.yaml --json', what: 'For a program' },
  ],
  load: async () => (await import('./commands/eval-triggers.ts')).runEvalTriggers,
};

export const matchCommands: readonly CommandSpec[] = [
  {
    name: 'match',
    summary: 'Show which skills a message asks for, and why',
    details: [
      'Skills that are called by name (/name, $name, "use the X skill"), then trigger phrases, then what ranks high by its words; nothing when nothing fits well enough. Words that are negated, quoted, to be translated, asked about, pasted or told ask for nothing. Nothing is activated or run. A skill that is not ready on this machine is shown as such; in a conversation it is not suggested.',
      '--explain shows also what ranks below the line, and why nothing is suggested. --json prints {message, matches, abstained, candidates}, each match with skill, mode, confidence (0 to 1), variables, reason and ready.',
    ],
    positionals: [{ name: 'MESSAGE', description: 'What a person would type; "-" reads standard input', required: true, repeatable: true, complete: 'none' }],
    options: [
      { name: 'explain', description: 'Show also what ranks below the line, and why' },
      { name: 'limit', value: 'N', description: 'The most matches, 1 to 50 (default 5)' },
    ],
    examples: [
      { line: 'techne match "review my branch before I push"', what: 'What would be suggested for it' },
      { line: 'techne match --explain "do not review my branch"', what: 'And why nothing is' },
      { line: 'techne match "plan a trip to Rome" --limit 1 --json', what: 'The best one, for a program' },
    ],
    load: async () => (await import('./commands/match.ts')).runMatch,
  },
  {
    name: 'eval',
    summary: 'Measure how well skills are found',
    details: ['techne eval triggers FILE checks which skills are found for given messages.'],
    positionals: [],
    options: [],
    examples: [{ line: 'techne eval triggers cases.jsonl', what: 'The cases of a file' }],
    subcommands: [evalTriggers],
    load: async () => evalTriggers.load(),
  },
];
