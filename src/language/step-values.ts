// What a step gives its model or command: the keys of `with` and `params`, by the kind of the step. Each kind takes others too, as
// what its skill or tool needs.
import { pathKey, valueOf } from './declared.ts';
import type { Named } from './language.ts';
import type { Outline, OutlinePath } from './outline.ts';

const task: Named = { name: 'task', description: 'What the model is asked; a template.' };
const prompt: Named = { name: 'prompt', description: 'What the model is asked; a template.' };
const system: Named = { name: 'system', description: 'Who the model is, and what always holds.' };
const text: Named = { name: 'text', description: 'What is to be classified; a template.' };
const choices: Named = { name: 'choices', description: 'The possible answers, a list.' };
const argv: Named = { name: 'argv', description: 'A program and its arguments, a list; there is no shell.' };

/** Kinds of compositions and tools of workflows, which differ in their names. */
const byKind: { readonly [kind: string]: readonly Named[] } = {
  llm_chat: [task, system],
  agent: [task, system],
  llm_classify: [text, system],
  chat: [prompt, system],
  ask: [prompt, system],
  classify: [text, choices],
  command: [argv],
};

/** Below `with` or `params` of a step. */
export function stepValues(outline: Outline, parent: OutlinePath): readonly Named[] {
  const last = parent.at(-1);
  if (parent.length < 3 || (last !== 'with' && last !== 'params')) return [];
  const step = parent.slice(0, -1);
  return ['kind', 'tool'].flatMap((key) => {
    const wanted = pathKey([...step, key]);
    const entry = outline.entries.find(({ path }) => pathKey(path) === wanted);
    const kind = entry === undefined ? '' : valueOf(outline, entry);
    return Object.hasOwn(byKind, kind) ? (byKind[kind] ?? []) : [];
  });
}
