// Whether a routine is known already: proposed, decided, or what a skill says. It is not proposed again then, and the reason is told.
import { TechneError } from '../../base/error.ts';
import type { Routine } from '../../proposals/learn/generalise.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';

/** More skills than a person has; reading each body is what costs. */
const maxRead = 1000;

/** What is known, for all routines of one look: each skill is read at most once. */
export class KnownRoutines {
  readonly #proposals: readonly Proposal[];
  readonly #snapshot: Snapshot;
  #texts: readonly { readonly name: string; readonly text: string }[] | null = null;

  constructor(proposals: readonly Proposal[], snapshot: Snapshot) {
    this.#proposals = proposals;
    this.#snapshot = snapshot;
  }

  /** The reason; `null`: it is new. */
  async reason({ digest, steps, under }: Routine): Promise<string | null> {
    const { skills } = this.#snapshot;
    const before = this.#proposals.findLast(({ origin }) => origin.learned === digest);
    if (before !== undefined)
      return `it was proposed before, as ${before.skill} (proposal ${before.id}, ${before.state})`;
    const learned = skills.find(({ head }) => head.metadata['techne.learned'] === digest);
    if (learned !== undefined) return `the skill "${learned.name}" was learned from it`;
    const followed = under.find((skill) => this.#snapshot.has(skill));
    if (followed !== undefined) return `it was done with the skill "${followed}" each time`;
    const chained = skills.find(
      ({ head: { form, requires } }) =>
        form !== 'instructions' &&
        steps.every(({ kind, words: [name = ''] }) => kind === 'skill' && requires?.skills.includes(name)),
    );
    if (chained !== undefined) return `the skill "${chained.name}" runs the same skills`;
    const titles = steps.map(({ words }) => words.join(' '));
    this.#texts ??= await textsOf(this.#snapshot);
    const said = this.#texts.find(({ text }) => saysAll(text, titles));
    return said === undefined ? null : `the skill "${said.name}" names all of its steps, in this order`;
  }
}

async function textsOf(
  snapshot: Snapshot,
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const texts: { name: string; text: string }[] = [];
  for (const { name, head } of snapshot.skills.slice(0, maxRead)) {
    if (head.form !== 'instructions') continue;
    try {
      texts.push({ name, text: await snapshot.readWords(name) });
    } catch (error) {
      // A skill that changed meanwhile, or that the guard refuses, says nothing here.
      if (!(error instanceof TechneError)) throw error;
    }
  }
  return texts;
}

/** Whether a text names these words one after the other. */
function saysAll(text: string, titles: readonly string[]): boolean {
  let at = 0;
  return titles.every((title) => {
    const found = text.indexOf(title, at);
    at = found + title.length;
    return found >= 0;
  });
}
