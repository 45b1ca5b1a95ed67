// The name and form of a new skill -> the files of a small example, to be edited.
import { TechneError } from '../base/error.ts';
import { isPlainName, nameLimit } from '../skill/parse-head.ts';
import { scaffold } from '../skill/scaffold/scaffold.ts';
import type { Form } from '../skill/types.ts';

const maxDescription = 1_024;

/** Relative path -> text. Throws USAGE for a name or description that the standard does not take. */
export function newSkillFiles(
  name: string,
  form: Form,
  description: string | null,
): ReadonlyMap<string, string> {
  mustBeGoodName(name);
  if (description === null) return scaffold(name, form);
  if (description.trim() === '' || Array.from(description).length > maxDescription)
    throw new TechneError('USAGE', `the description must have 1 to ${maxDescription} characters`);
  return scaffold(name, form, description);
}

function mustBeGoodName(name: string): void {
  if (isPlainName(name) && name.length <= nameLimit) return;
  const better = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, nameLimit)
    .replace(/-+$/, '');
  throw new TechneError(
    'USAGE',
    `"${name}" is not a good name: use lower-case letters, digits and single hyphens between them, at most ${nameLimit}`,
    better === '' ? {} : { hint: `try "${better}"` },
  );
}
