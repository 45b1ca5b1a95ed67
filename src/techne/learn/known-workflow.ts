// Whether a workflow is known already: proposed, decided, or what a skill says. It is not proposed again then, and the reason is told.
import { TechneError } from '../../base/error.ts';
import type { Workflow } from '../../proposals/learn/generalise.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';

/** More skills than a person has; reading each body is what costs. */
const maxRead = 1000;

/** The reason; `null`: it is new. */
export async function knownAs(
  { digest, steps, under }: Workflow,
  proposals: readonly Proposal[],
  snapshot: Snapshot,
): Promise<string | null> {
  const before = proposals.findLast(({ origin }) => origin.learned === digest);
  if (before !== undefined)
    return `it was proposed before, as ${before.skill} (proposal ${before.id}, ${before.state})`;
  const learned = snapshot.skills.find(({ head }) => head.metadata['techne.learned'] === digest);
  if (learned !== undefined) return `the skill "${learned.name}" was learned from it`;
  const followed = under.find((skill) => snapshot.has(skill));
  if (followed !== undefined) return `it was done with the skill "${followed}" each time`;
  const chained = snapshot.skills.find(
    ({ head: { form, requires } }) =>
      form !== 'instructions' &&
      steps.every(({ kind, words: [name = ''] }) => kind === 'skill' && requires?.skills.includes(name)),
  );
  if (chained !== undefined) return `the skill "${chained.name}" runs the same skills`;
  const said = await sayingAll(
    steps.map(({ words }) => words.join(' ')),
    snapshot,
  );
  return said === null ? null : `the skill "${said}" names all of its steps, in this order`;
}

/** The skill whose text names these words one after the other. */
async function sayingAll(titles: readonly string[], snapshot: Snapshot): Promise<string | null> {
  for (const { name, head } of snapshot.skills.slice(0, maxRead)) {
    if (head.form !== 'instructions') continue;
    let text: string;
    try {
      text = await snapshot.readWords(name);
    } catch (error) {
      // A skill that changed meanwhile, or that the guard refuses, says nothing here.
      if (error instanceof TechneError) continue;
      throw error;
    }
    let at = 0;
    const isSaid = titles.every((title) => {
      const found = text.indexOf(title, at);
      at = found + title.length;
      return found >= 0;
    });
    if (isSaid) return name;
  }
  return null;
}
