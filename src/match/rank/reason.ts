// Why a skill ranks where it does, for a person.
//
//   shares "calibrate" and "cameras" with its name and description
//
// Each word is listed with the first place that has it; where that has a synonym: shares "film" (as "movie") with its name.
import type { SharedWord } from '../lexical/lexical-index.ts';

export type { SharedWord };

export const mostShared = 4;

const places = ['name', 'triggers', 'description', 'body'] as const;

export function renderShared(shared: readonly SharedWord[]): string {
  return `shares ${listed(shared.map(shown))} with its ${listed(places.filter((place) => shared.some((one) => one.place === place)))}`;
}

function shown({ word, synonym }: SharedWord): string {
  return synonym === null ? `"${word}"` : `"${word}" (as "${synonym}")`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
