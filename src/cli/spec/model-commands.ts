// The commands about what a model sees, and the conversation with one.
import type { CommandSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

export const matchCommand: CommandSpec = {
  name: 'match',
  summary: 'Show which skills a message asks for, and why',
  details: [
    'Matches skills by name (/name, $name, "use the X skill"), then by trigger, then by the words of the message. If nothing fits well enough, nothing matches. Words that are negated, quoted, pasted, reported, asked about or to be translated do not match. These are the suggestions of a conversation: skills that only people can start, or that are not ready, match only by name. Nothing is loaded or run.',
    '--json prints {message, matches, abstained, candidates}; each match has skill, mode, confidence (0 to 1), variables, reason and ready. With --explain also notOffered, each with because.',
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
    {
      name: 'explain',
      description:
        'Also show candidates below the threshold, why nothing matches, and what fits but is not offered',
    },
    { name: 'limit', value: 'N', description: 'The maximum number of matches, 1 to 50 (default 5)' },
  ],
  examples: [
    { line: 'techne match "review my branch before I push"', what: 'The skills that this message asks for' },
    { line: 'techne match --explain "do not review my branch"', what: 'Why nothing matches' },
    { line: 'techne match "plan a trip to Rome" --limit 1 --json', what: 'The best match, as JSON' },
  ],
  load: async () => (await import('../commands/match.ts')).runMatch,
};

export const indexCommand: CommandSpec = {
  name: 'index',
  summary: 'Show the list of skills that a model gets, and its size in tokens',
  details: [
    'Prints the list of skills as it appears in the prompt of a model, followed by the bodies of preloaded skills. If the list exceeds its budget, descriptions are shortened, then left out; if even the names do not fit, the remaining skills are only counted. With --message it also prints what techne adds to that message: the skills that fit it, best first.',
    'A token is estimated as four characters. --json prints {budget, tier, listed, omitted, characters, tokens, tiers, preloaded, prefix, turn}.',
  ],
  positionals: [],
  options: [
    {
      name: 'budget',
      value: 'TOKENS',
      description: 'The budget of the index (default: index.budgetTokens)',
    },
    { name: 'characters', value: 'N', description: 'The budget in characters; the smaller budget applies' },
    { name: 'message', value: 'TEXT', description: 'Also show what this message of a person adds' },
    { name: 'eager', description: 'With --message: include the bodies of the best matches' },
  ],
  examples: [
    { line: 'techne index', what: 'The index that every conversation starts with' },
    { line: 'techne index --budget 500', what: 'The same in 500 tokens' },
    { line: 'techne index --message "review my branch"', what: 'Also what this message adds' },
  ],
  load: async () => (await import('../commands/index-command.ts')).runIndex,
};

export const chatCommand: CommandSpec = {
  name: 'chat',
  summary: 'Talk with a model that has your skills and tools',
  details: [
    'Type a message, and the model answers. It can load skills, run executable skills, read and change files and run commands. techne asks you before it changes a file or runs a command, unless your configuration allows it. /help lists the chat commands, /NAME calls a skill, $NAME mentions one, Tab completes. Ctrl-C stops the current turn and keeps its run; a second Ctrl-C at the prompt ends the chat.',
    'Conversations are stored in ~/.techne/chats and can be resumed, also after a crash. When one exceeds --context, its beginning is summarised. With -p, techne sends one message and prints the answer; without a terminal, everything that needs an approval is refused.',
    '--json with -p prints {chat, status, answer, message, turns, skills, calls, runs, usage}; status is done, stopped, failed or exhausted, or the status of a run. For a run that waits, it also has questions and undecided, as in techne run --json.',
  ],
  positionals: [],
  options: [
    {
      name: 'prompt',
      short: 'p',
      value: 'MESSAGE',
      description: 'Send this message, print the answer and exit; - reads standard input',
    },
    {
      name: 'resume',
      value: 'ID',
      optional: true,
      description: 'Resume a conversation (default: the newest of this workspace)',
    },
    { name: 'list', description: 'List the conversations, newest first' },
    {
      name: 'answer',
      value: 'SPEC',
      suggest: ['model', 'script:'],
      description:
        'The answerer: model, model:NAME or script:FILE (default: the first available model, see techne doctor)',
    },
    storeOption,
    {
      name: 'context',
      value: 'TOKENS',
      description: 'Summarise the conversation beyond this size (default: chat.contextTokens, 120000)',
    },
    {
      name: 'events',
      value: 'FILE',
      complete: 'path',
      description: 'Write the events of runs and loaded skills to FILE, one JSON object per line',
    },
    {
      name: 'max-turns',
      value: 'N',
      description: 'The maximum number of turns per message (default 60)',
    },
  ],
  examples: [
    { line: 'techne chat', what: 'Start a conversation' },
    { line: 'techne chat --resume', what: 'Resume the newest one of this workspace' },
    { line: 'techne chat -p "what changed in src?" --json', what: 'One message, with JSON output' },
    { line: 'git diff | techne chat -p -', what: 'A message from standard input' },
  ],
  exitCodes:
    'Exit codes with -p: 0 answered, 1 failed, 2 wrong usage, 3 environment (no model), 130 stopped, 70 a bug in techne; if the message runs a skill, the exit codes of techne run.',
  load: async () => (await import('../commands/chat.ts')).runChat,
};

export const acpCommand: CommandSpec = {
  name: 'acp',
  summary: 'Serve the chat to an editor over the Agent Client Protocol',
  details: [
    'An editor such as Zed starts this command as an agent, and shows what techne chat would: the answer as it streams, calls of tools and runs, plans. The editor asks you before a file is changed or a command is run, with the exact command line and its folder. Type / for the skills that you can call.',
    'Conversations work in the folder that the editor opens, so --workspace is refused. They are those of techne chat: both list and resume them. Without a model, the editor is told what to configure. Files are read and written on the disk: save what the agent should see.',
  ],
  positionals: [],
  options: [
    {
      name: 'answer',
      value: 'SPEC',
      suggest: ['model', 'script:'],
      description:
        'The answerer: model, model:NAME or script:FILE (default: the first available model, see techne doctor)',
    },
    storeOption,
  ],
  examples: [
    { line: 'techne acp', what: 'The command to name in the settings of the editor' },
    { line: 'techne acp --answer model:fast', what: 'With a model of your configuration' },
  ],
  load: async () => (await import('../commands/acp.ts')).runAcp,
};
