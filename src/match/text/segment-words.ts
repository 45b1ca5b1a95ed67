// A message -> which pairs of its characters are within a word of Chinese or Japanese.
//
//   猫の名前を考えて -> 名前, 考え        not: 猫の, の名, 前を, を考, えて
//
// Skills are indexed by all pairs of characters: that needs no dictionary, and does not depend on the machine. A message is read by its
// words, as the dictionary of the machine has them (Intl.Segmenter), so that a particle with half a word on each side is nothing in common.
// Single characters side by side may be a word that the dictionary does not know: their pair counts, unless one of them is a particle.

const script = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const particle = /^\p{Script=Hiragana}$/u;
/** A longer message is pasted text for the most part, and segmenting it costs more than it tells. */
const mostCharacters = 4000;

let segmenter: Intl.Segmenter | null = null;

/** The words of a text, as the dictionary of the machine has them. */
export function segmentsOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return Array.from(segmenter.segment(text)).flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
}

/** By the place of its first code unit, 1 for a pair that counts; null where all do. */
export function pairsWithin(text: string): Uint8Array | null {
  if (text.length > mostCharacters || !script.test(text)) return null;
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const counts = new Uint8Array(text.length);
  let before: { readonly at: number; readonly isSingle: boolean } | null = null;
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) {
      before = null;
      continue;
    }
    if (!script.test(segment)) {
      // Hangul, Thai and others: in pairs as they are indexed.
      counts.fill(1, index, index + segment.length);
      before = null;
      continue;
    }
    const isSingle = segment.length === 1;
    counts.fill(1, index, index + segment.length - 1);
    const isParticle = particle.test(segment);
    if (isSingle && !isParticle && before?.isSingle === true) counts[before.at] = 1;
    before = isParticle ? null : { at: index + segment.length - 1, isSingle };
  }
  return counts;
}
