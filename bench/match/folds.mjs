// Folds of skills: what is measured in one of them was seen by nothing that was fitted on the others.
export const foldCount = 5;

export function foldOf(skill) {
  let hash = 7;
  for (const character of skill) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return hash % foldCount;
}
