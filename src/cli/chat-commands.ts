// The command that talks.
import type { CommandSpec } from './command-spec.ts';

export const chatCommands: readonly CommandSpec[] = [
  {
    name: 'chat',
    summary: 'Talk with a model that has your skills and tools',
    details: [
      'At a terminal: type, and the model answers; it finds and loads skills, runs metaskills, reads and changes files and runs programs, and asks you where the configuration does not allow it already. /help shows what can be typed, /NAME calls a skill, $NAME mentions one, Tab completes. Ctrl-C stops what is under way and keeps its run; at the prompt a second one leaves.',
      'Conversations are kept in ~/.techne/chats and can be resumed, also after a crash. When one grows beyond --context, its beginning is summarised. With -p one message is sent and the answer printed; what would need an approval is then refused, unless this is a terminal.',
      '--json with -p prints {chat, status, answer, message, turns, skills, calls, runs, usage}; status is done, stopped, failed or exhausted, or that of a run. Of a run that waits it also has questions and undecided, as techne run --json does.',
    ],
    positionals: [],
    options: [
      {
        name: 'prompt',
        short: 'p',
        value: 'MESSAGE',
        description: 'Send this one message, print the answer and end; - is standard input',
      },
      {
        name: 'resume',
        value: 'ID',
        optional: true,
        description: 'Go on with a conversation (default: the newest of this workspace)',
      },
      { name: 'list', description: 'Show the conversations there are, newest first' },
      {
        name: 'answer',
        value: 'SPEC',
        suggest: ['model', 'script:'],
        description:
          'Who answers: model, model:NAME or script:FILE (default: the first model there is, see techne doctor)',
      },
      {
        name: 'context',
        value: 'TOKENS',
        description:
          'How much of the conversation the model is told before it is summarised (default: chat.contextTokens of the configuration, 120000)',
      },
      {
        name: 'events',
        value: 'FILE',
        complete: 'path',
        description:
          'Write every event of runs, and every skill that is loaded, to FILE as it happens, one JSON object a line',
      },
      {
        name: 'max-turns',
        value: 'N',
        description: 'The most turns of the model for one message (default 60)',
      },
    ],
    examples: [
      { line: 'techne chat', what: 'Begin a conversation' },
      { line: 'techne chat --resume', what: 'Go on with the newest one of this workspace' },
      { line: 'techne chat -p "what changed in src?" --json', what: 'One message, for a program' },
      { line: 'git diff | techne chat -p -', what: 'A message from standard input' },
    ],
    exitCodes:
      'Exit codes with -p: 0 answered, 1 failed, 2 wrong usage, 3 environment (no model), 130 stopped; of a metaskill that is run, those of techne run. 70 a bug in techne.',
    load: async () => (await import('./commands/chat.ts')).runChat,
  },
];
