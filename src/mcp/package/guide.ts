// What a model has to know to use the tools of techne: the same text as a skill of the plugins, and as the context of the Gemini
// extension.
import { skillGuidelines } from '../../prompt/guidelines.ts';
import { guideName } from './slash-commands.ts';

const answering = [
  'A run can ask you something: then `run_metaskill` returns `paused` with questions. Answer each with `run_answer` and the id of the run, until the status is `completed`. A question ends with a mark if it was cut; `run_status` reads on.',
  'Questions for a person, and approvals of commands, are not yours: tell the user what is asked. A person approves a command at a terminal with `techne answer RUN`.',
  'A run that takes longer continues by itself: `run_status` reports on it, `run_cancel` ends it. If a call was lost, `run_status` without arguments lists the unfinished runs.',
];

export function guideText(): string {
  const [finding, ...rest] = skillGuidelines({ runs: true, listed: false }).split('\n');
  return [
    '# Skills of techne',
    '',
    'The MCP server techne finds, explains and runs the skills of this machine and of the project.',
    '',
    ...[finding, ...rest, ...answering].map((line) => `- ${line}`),
    '',
  ].join('\n');
}

export function guideSkill(): string {
  return [
    '---',
    `name: ${guideName}`,
    'description: How to find, load and run the skills of techne with its MCP tools (skill_search, skill_load, run_metaskill, run_answer). Use when a task may fit a skill, or when a run asks a question.',
    '---',
    '',
    guideText(),
  ].join('\n');
}
