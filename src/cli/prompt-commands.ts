// The commands about what a model sees.
import type { CommandSpec } from './command-spec.ts';

export const promptCommands: readonly CommandSpec[] = [
  {
    name: 'index',
    summary: 'Show what a model sees of the skills, and what it costs',
    details: [
      'Prints the index of skills as it stands in a prompt, with the bodies that are preloaded. It degrades to fit its budget: full descriptions, shortened ones, names alone, and as many names as fit with a note about the rest. With --message also the block of that turn: the skills that fit the message, best first.',
      'Costs are characters by four. --json prints {budget, tier, listed, omitted, characters, tokens, tiers, preloaded, prefix, turn}.',
    ],
    positionals: [],
    options: [
      {
        name: 'budget',
        value: 'TOKENS',
        description: 'What the index may cost (default: index.budgetTokens)',
      },
      { name: 'characters', value: 'N', description: 'The same in characters; the smaller one counts' },
      { name: 'message', value: 'TEXT', description: 'Also show what this message of a person adds' },
      { name: 'eager', description: 'With --message: with the bodies of the best matches' },
    ],
    examples: [
      { line: 'techne index', what: 'What every conversation starts with' },
      { line: 'techne index --budget 500', what: 'The same in 500 tokens' },
      { line: 'techne index --message "review my branch"', what: 'And what this message adds' },
    ],
    load: async () => (await import('./commands/index-command.ts')).runIndex,
  },
];
