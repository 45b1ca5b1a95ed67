// The declared inputs of a skill, its form and its body -> the input keys to show to the caller, or null if there are none.
//
// A program that declares none may list its keys in its body ("Input keys:", S0 §3): then those are shown.
//
// told-inputs#N1. A composition works on a message and need not declare it, so `user_message` is one of its keys:
//   required if its steps read it, unless it declares keys of its own (run/plan/admit-plan.ts). A workflow or chain has
//   it if it reads it.
import type { JsonObject } from '../base/json.ts';
import type { InputKey, SkillHead } from '../skill/types.ts';

export function toldInputs(
  { form, inputs, frontmatter }: Pick<SkillHead, 'form' | 'inputs' | 'frontmatter'>,
  listed: readonly InputKey[] = [],
): readonly InputKey[] | null {
  const own = inputs ?? [];
  const declared = own.length === 0 && form === 'program' ? listed : own;
  const shown = [...messageKeys(form, declared, frontmatter), ...declared];
  return shown.length === 0 ? null : shown;
}

function messageKeys(
  form: SkillHead['form'],
  declared: readonly InputKey[],
  frontmatter: JsonObject,
): readonly InputKey[] {
  if (form === 'instructions' || form === 'program' || declared.some(({ key }) => key === 'user_message'))
    return [];
  const isRead = readsMessage(frontmatter);
  if (form !== 'composition' && !isRead) return [];
  return [
    {
      key: 'user_message',
      required: form === 'composition' && isRead && declared.length === 0,
      description: 'What is wanted, in the words of the user.',
      schema: { type: 'string' },
    },
  ];
}

/** Part by part, so that the time is that of the length, whatever is in it. */
function readsMessage(frontmatter: JsonObject): boolean {
  const text = JSON.stringify(frontmatter).replaceAll(/\\[nrt]/g, ' ');
  return (
    text.includes('user_message') &&
    text.split(/[}%]/).some((part) => {
      const at = part.search(/\binputs\b/);
      return at >= 0 && /\buser_message\b/.test(part.slice(at));
    })
  );
}
