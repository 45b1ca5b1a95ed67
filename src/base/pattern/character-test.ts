// The text of one character of a pattern -> a test of characters.
//
// RegExp itself is asked, about one character at a time, so that classes and properties mean exactly what it says.

export type CharacterTest = (character: number) => boolean;

const lineEnds: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x2028, 0x2029]);

export function characterTest(source: string): CharacterTest {
  if (source === '.') return (character) => !lineEnds.has(character);
  if (!/^[\\[]/.test(source)) {
    const meant = source.codePointAt(0);
    return (character) => character === meant;
  }
  const pattern = new RegExp(`^${source}$`, 'u');
  const ask = (character: number): boolean => pattern.test(String.fromCodePoint(character));
  /** 0: not asked yet, 1: no, 2: yes. */
  const ascii = new Uint8Array(128);
  let last = -1;
  let answer = false;
  return (character) => {
    if (character < 128) {
      if (ascii[character] === 0) ascii[character] = ask(character) ? 2 : 1;
      return ascii[character] === 2;
    }
    // The same class is often asked about the same character from several places of a pattern.
    if (character !== last) {
      answer = ask(character);
      last = character;
    }
    return answer;
  };
}
