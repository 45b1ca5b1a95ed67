// A value that a step is given -> whole templates with what is known there, in quotes, as the rules on untrusted texts ask for them.
import type { Declared } from './declared.ts';
import type { Completion } from './language.ts';
import { completion } from './language.ts';
import type { OutlinePath } from './outline.ts';
import { inputsIn } from './template.ts';

const givenBy: ReadonlySet<unknown> = new Set(['with', 'params', 'tool_args', 'inputs']);

/** Below `with`, `params`, `tool_args` or `inputs` of a step. */
export function isGiven(path: OutlinePath): boolean {
  return path.length > 3 && typeof path.at(-1) === 'string' && givenBy.has(path.at(-2));
}

export function givenTexts(declared: Declared, path: OutlinePath): readonly Completion[] {
  const step = path.slice(0, -2);
  const own = declared.steps.find(({ path: at }) => at.join() === step.join())?.name;
  const { isComposition } = declared;
  const outputs = declared.steps
    .filter(({ name }) => name !== own && (isComposition || /^[A-Za-z_]\w*$/.test(name)))
    .map(({ name, description }) => ({
      name: isComposition ? memberOf('outputs', name) : name,
      description,
      most: 4000,
    }));
  const inputs = inputsIn(declared).map(({ name, description }) => ({
    name: memberOf('inputs', name),
    description,
    most: 2000,
  }));
  return [...inputs, ...outputs].map(({ name, description, most }, index) =>
    completion(index < inputs.length ? 'input' : 'step', name, description, {
      insert: `"{{ ${name} | xml_escape | truncate(${most}) }}"`,
    }),
  );
}

function memberOf(owner: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${owner}.${name}` : `${owner}['${name}']`;
}
