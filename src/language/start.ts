// A SKILL.md without frontmatter -> what it may begin with: the frontmatter alone, or an example of each form.
import { scaffold } from '../skill/scaffold/scaffold.ts';
import { forms } from '../skill/types.ts';
import type { Completions, LanguageFile } from './language.ts';
import { completion } from './language.ts';

/** `null`: something else is written there already. */
export function completeStart(
  { text, folder = 'my-skill' }: LanguageFile,
  offset: number,
): Completions | null {
  const typed = text.trimEnd();
  if (!/^[-\w]{0,40}$/.test(typed) || offset < typed.length) return null;
  const items = [
    completion('keyword', '---', 'Begins the frontmatter, with name and description.', {
      insert: `---\nname: ${folder}\ndescription: `,
    }),
    ...forms.map((form) =>
      completion(
        'keyword',
        `skill-${form}`,
        `An example to be replaced, as "techne new ${folder} --form ${form}" makes it; the other files of it are not written.`,
        {
          insert: scaffold(folder, form).get('SKILL.md') ?? '',
        },
      ),
    ),
  ];
  return { span: { start: 0, end: text.length }, items };
}
