// Why a skill ranks where it does, for a person.
//
//   shares "calibrate", "cameras" with its name and description

export interface SharedWord {
  readonly word: string;
  readonly inHead: boolean;
}

export const mostShared = 4;

export function renderShared(shared: readonly SharedWord[]): string {
  const words = shared.map(({ word }) => `"${word}"`);
  const list = words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  const inHead = shared.filter((one) => one.inHead).length;
  return `shares ${list} with its ${inHead === 0 ? 'body' : inHead === shared.length ? 'name and description' : 'description and body'}`;
}
