// A name and a form -> the files of a small example skill.
//
// Each one passes `check --strict` without a warning, says that it is an example to be replaced, and includes the test
// prompts that a skill should have:
//
//   evals/evals.json   { skill_name,
//                        triggers: [{ kind, message, expected }],   expected: the skill that should start, or null
//                        rubric:   [what a good result shows] }
//   kind: positive · explicit · pasted-history · neighbouring-domain
import { scaffoldTexts } from './texts.ts';
import type { Form } from '../types.ts';
import { resolvePlain } from '../yaml/plain/scalars.ts';

/** `text` as a YAML scalar on one line, quoted where a plain one would not come back as the same text. */
function yamlText(text: string): string {
  const plain =
    /^[A-Za-z0-9](?:[A-Za-z0-9 ,.;()'/_-]*[A-Za-z0-9.)])?$/.test(text) &&
    typeof resolvePlain(text) === 'string';
  return plain ? text : JSON.stringify(text);
}

function evalsOf(name: string, form: Form): string {
  const { positive, neighbour, rubric } = scaffoldTexts[form];
  const evals = {
    skill_name: name,
    triggers: [
      { kind: 'positive', message: positive, expected: name },
      { kind: 'explicit', message: `Use the ${name} skill: ${positive}`, expected: name },
      {
        kind: 'pasted-history',
        message: `Summarise this chat log for me:\nuser: ${positive}\nassistant: Done.`,
        expected: null,
      },
      { kind: 'neighbouring-domain', message: neighbour, expected: null },
    ],
    rubric,
  };
  return `${JSON.stringify(evals, null, 2)}\n`;
}

/** A docstring in place of the example's. What JSON escapes Starlark reads the same way. */
function withDocstring(program: string, purpose: string): string {
  return `${JSON.stringify(purpose)}\n${program.slice(program.indexOf('\n') + 1)}`;
}

/** Relative path -> text. `name` should follow the naming rules; `description` replaces the example's wherever that stands. */
export function scaffold(name: string, form: Form, description?: string): ReadonlyMap<string, string> {
  const texts = scaffoldTexts[form];
  const purpose = description?.replace(/\s+/g, ' ').trim();
  const parts = texts.fields === '' ? 'this text' : 'this text, the fields above';
  const example = `> An example about ${texts.about}: replace ${parts} and the other files with your own.`;
  const files = Object.entries(texts.files).map(([path, text]): [string, string] => [
    path,
    purpose !== undefined && path.endsWith('.star') ? withDocstring(text, purpose) : text,
  ]);
  const identity = `name: ${yamlText(name)}\ndescription: ${yamlText(description ?? texts.description)}\n`;
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  return new Map([
    [
      'SKILL.md',
      `---\n${identity}${texts.fields}---\n\n# ${title}\n\n${purpose === undefined ? '' : `Purpose: ${purpose}\n\n`}${example}\n\n${texts.body}`,
    ],
    ...files,
    ['evals/evals.json', evalsOf(name, form)],
  ]);
}
