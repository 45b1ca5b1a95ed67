// The functions that a run gives to the program of a skill.

export const hostNames = ['ask', 'command', 'trace', 'ask_all'] as const;
