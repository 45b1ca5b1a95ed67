// The functions that a run provides to the program of a skill.

export const hostFunctionNames = ['ask', 'command', 'trace', 'ask_all'] as const;

const askOptions = ['purpose', 'max_turns', 'schema', 'model', 'tools', 'idempotent'] as const;

/** What `opts`, the second argument of a host function, may hold. */
export const hostFunctionOptions: {
  readonly [name in Exclude<(typeof hostFunctionNames)[number], 'trace'>]: readonly string[];
} = {
  ask: askOptions,
  ask_all: askOptions,
  command: ['timeout', 'cwd', 'stdin', 'idempotent'],
};
