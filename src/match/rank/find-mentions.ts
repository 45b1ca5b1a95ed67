// A message -> the names of skills in it, at any place.
//
// Only names that cannot be ordinary words count: those of several words with hyphens or underscores, and any name
// directly before "skill". The time is linear: a word is read from its beginning only, and a name has at most 64
// characters. Of very many mentions only the first count, because judging each of them reads its surroundings.

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
