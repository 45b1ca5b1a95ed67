// A message -> the names of skills in it, wherever they stand.
//
// Only names that cannot be ordinary words: those of several words with hyphens or underscores, and any name right
// before "skill".
//
// Linear: a word is looked at from its beginning only, and a name is never longer than 64 characters. Of very many mentions the
// first count: each is judged by all that stands around it.

export interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const several = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,64}(?:[-_][\p{L}\p{N}]{1,64}){1,32}/gu;
const beforeSkill = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,64})["'`”’]?\s{1,8}skills?\b/giu;
const readCharacters = 20_000;
const mostMentions = 64;

export function findMentions(message: string, has: (name: string) => boolean): readonly Mention[] {
  const text = message.slice(0, readCharacters);
  const found: Mention[] = [];
  const add = (word: string, start: number): void => {
    if (found.length >= mostMentions) return;
    const name = [word, word.toLowerCase()].find(has);
    if (name !== undefined) found.push({ name, start, end: start + word.length });
  };
  for (const { 0: word, index } of text.matchAll(several)) add(word, index);
  for (const { 1: word, index } of text.matchAll(beforeSkill)) add(word as string, index);
  return found.sort((a, b) => a.start - b.start);
}
