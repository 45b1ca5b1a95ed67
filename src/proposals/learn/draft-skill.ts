// A routine -> the files of a draft skill: instructions with its steps, typed inputs, declared risk, and prompts that reach it.
//
// D1. The same routine gives the same bytes. Nothing of the history is in them but the names of what was called and values that
//     never changed.
// D2. The risk and the capabilities are computed from the steps, also where a model wrote the text.
import type { WholeFile } from '../change-tree.ts';
import { skillNamePattern } from '../change-tree.ts';
import { yamlText } from '../../skill/fields/read-value.ts';
import type { Risk } from '../../skill/types.ts';
import type { Routine, RoutineStep } from './generalise.ts';

/** What a draft says in its own words. */
export interface DraftTexts {
  readonly name: string;
  readonly description: string;
  /** Markdown below the title. */
  readonly body: string;
  /** Messages that should start the skill, and messages that should not. */
  readonly prompts: readonly string[];
  readonly others: readonly string[];
}

const maxName = 64;
const maxNameWords = 6;

/** `git add`, `git commit` -> `git-add-commit`. `isTaken`: another skill has the name. */
export function routineName({ steps, digest }: Routine, isTaken: (name: string) => boolean): string {
  const words = [...new Set(steps.flatMap((step) => step.words))]
    .flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/))
    .filter((word) => word !== '');
  const plain = [...new Set(words)]
    .slice(0, maxNameWords)
    .join('-')
    .slice(0, maxName - 5);
  const name = skillNamePattern.test(plain) ? plain : plain.replace(/-+$/, '');
  const usable = skillNamePattern.test(name) ? name : 'learned';
  return isTaken(usable) || usable === 'learned' ? `${usable}-${digest.slice(0, 4)}` : usable;
}

/** The draft where no model writes one. */
export function scaffoldTexts(routine: Routine, name: string): DraftTexts {
  const titles = routine.steps.map(titleOf);
  const listed = listOf(titles);
  return {
    name,
    description:
      `Does ${listed} in one go, as it was done by hand before. Use when the user asks for ${listed}.`.slice(
        0,
        1000,
      ),
    body: [
      `Do these steps in order. Stop at the first one that fails, and say which it was.`,
      '',
      ...(routine.inputs.length === 0 ? [] : ['## Inputs', '', ...routine.inputs.map(inputLine), '']),
      '## Steps',
      '',
      ...routine.steps.map((step, index) => `${index + 1}. ${stepText(step)}`),
      '',
      '## Result',
      '',
      'Say in one line for each step what its result was.',
      '',
    ].join('\n'),
    prompts: [`Please do ${listed}`, titles.join(', then ')],
    others: ['Tell me a short story about a lighthouse keeper.'],
  };
}

/** The files of a draft. */
export function draftFiles(routine: Routine, texts: DraftTexts): readonly WholeFile[] {
  const { name, description, body, prompts, others } = texts;
  const { risk, capabilities } = riskOfSteps(routine.steps);
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  const head = [
    `name: ${yamlText(name)}`,
    `description: ${yamlText(description)}`,
    'metadata:',
    `  techne.risk: ${risk}`,
    ...(capabilities.length === 0 ? [] : [`  techne.capabilities: ${capabilities.join(' ')}`]),
    `  techne.learned: ${JSON.stringify(routine.digest)}`,
  ];
  const evals = {
    skill_name: name,
    triggers: [
      ...prompts.map((message) => ({ kind: 'positive', message, expected: name })),
      { kind: 'explicit', message: `Use the ${name} skill.`, expected: name },
      ...others.map((message) => ({ kind: 'neighbouring-domain', message, expected: null })),
    ],
    rubric: [
      'The steps are done in the given order.',
      'Nothing is done that is not a step.',
      'The first failure is reported, and nothing is done after it.',
    ],
  };
  return [
    { path: 'SKILL.md', text: `---\n${head.join('\n')}\n---\n\n# ${title}\n\n${body.trim()}\n` },
    { path: 'evals/evals.json', text: `${JSON.stringify(evals, null, 2)}\n` },
  ];
}

/** A few plain words for a step: names that others gave cannot say more than a name. */
export function titleOf({ kind, words }: RoutineStep): string {
  const plain = words
    .map((word) => word.replaceAll(/[^A-Za-z0-9-]+/g, ' ').replaceAll(/-{2,}|^[ -]+|[ -]+$/g, ''))
    .filter((word) => word !== '');
  const title = plain.join(' ') || 'a step without a name';
  return kind === 'skill' ? `run ${title}` : title;
}

function stepText(step: RoutineStep): string {
  const again = step.repeats ? ', once for each' : '';
  if (step.kind === 'command') return `Run the command \`${step.text}\`${again}.`;
  const [name, ...args] = step.pieces;
  const shown = name !== undefined && 'word' in name ? name.word : '';
  const given = args.map((piece) =>
    'word' in piece ? `\`${piece.word}\`` : `\`${piece.of}\` = \`<${piece.input}>\``,
  );
  const what = step.kind === 'skill' ? `Run the skill \`${shown}\`` : `Call the tool \`${shown}\``;
  return `${what}${given.length === 0 ? '' : ` with ${given.join(', ')}`}${again}.`;
}

function inputLine({ name, type, isSecret }: Routine['inputs'][number]): string {
  return isSecret
    ? `- \`${name}\` (${type}): a secret. Ask where it is kept; never write it down or repeat it.`
    : `- \`${name}\` (${type}): different each time. Ask for it when it is not in the conversation.`;
}

const reads = new Set(['read_file', 'list_files', 'search_files', 'graph_query', 'graph_neighbours']);
const writes = new Set(['write_file', 'edit_file']);

/** What is not known counts as high. */
function riskOfSteps(steps: readonly RoutineStep[]): {
  readonly risk: Risk;
  readonly capabilities: readonly string[];
} {
  const capabilities = new Set<string>();
  let risk: Risk = 'low';
  for (const { kind, words } of steps) {
    const [name = ''] = words;
    if (kind === 'tool' && reads.has(name)) capabilities.add('filesystem-read');
    else if (kind === 'tool' && writes.has(name)) {
      capabilities.add('filesystem-write');
      if (risk === 'low') risk = 'medium';
    } else {
      capabilities.add(kind === 'command' ? 'shell' : 'external-side-effect');
      if (kind === 'command' && words.some((word) => /^(?:curl|wget|ssh|scp|rsync|nc)$/.test(word)))
        capabilities.add('network-write');
      risk = 'high';
    }
  }
  return { risk, capabilities: [...capabilities].sort() };
}

function listOf(titles: readonly string[]): string {
  const [last = ''] = titles.slice(-1);
  return titles.length < 2 ? last : `${titles.slice(0, -1).join(', ')} and ${last}`;
}
