// The commands about which skill fits a message.
import type { CommandSpec } from './command-spec.ts';
import { evalCommand } from './eval-commands.ts';

export const matchCommands: readonly CommandSpec[] = [
  {
    name: 'match',
    summary: 'Show which skills a message asks for, and why',
    details: [
      'Skills that are called by name (/name, $name, "use the X skill"), then trigger phrases, then what ranks high by its words; nothing when nothing fits well enough. Words that are negated, quoted, to be translated, asked about, pasted or told ask for nothing. Nothing is activated or run. It is what a conversation would suggest: skills that only people start, or that are not ready here, come only by name.',
      '--explain shows also what ranks below the line, why nothing is suggested, and what fits but is not offered. --json prints {message, matches, abstained, candidates}, each match with skill, mode, confidence (0 to 1), variables, reason and ready; with --explain also notOffered, each with because.',
    ],
    positionals: [
      {
        name: 'MESSAGE',
        description: 'What a person would type; "-" reads standard input',
        required: true,
        repeatable: true,
        complete: 'none',
      },
    ],
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
  evalCommand,
];
