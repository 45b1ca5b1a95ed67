// How an agent should use skills: for system prompts that have no such text, and for the instructions of a server.
//
// The part about running is there only where skills can be run.

const finding = [
  'Skills are instructions for certain kinds of tasks. When one fits what you are asked, load it before you begin and follow it as far as it serves the task.',
  '`skill_search(query)` finds skills by what they are about, `skill_load(name)` gives the instructions of one, `skill_read(name, path)` a file that they mention.',
];

const running = [
  'Some skills are programs, marked with their form. When one fits, call `run_metaskill` with the input keys that it documents; if you do not know them, load the skill first.',
  'Keep the input small: the task, what limits it, and any limits you were given. Leave budgets alone unless the task clearly needs others.',
  'Take `answer` of the result as what counts and `trace` as what supports it. Report a result that begins with `error:` as it is, or go another way because of it.',
];

const searchFirst =
  'No list of skills comes with each message here: at the start of a task, call `skill_search` with what it is about.';

/** `listed`: whether the index of skills stands in the prompt, and turns add to it. MCP has neither. */
export function skillGuidelines({
  runs,
  listed,
}: {
  readonly runs: boolean;
  readonly listed: boolean;
}): string {
  return [...finding, ...(listed ? [] : [searchFirst]), ...(runs ? running : [])].join('\n');
}
