// What is measured, bundled from src/ as the package is.
export { createMatcher } from '../../src/match/matcher.ts';
export { createRanker, rankWeights } from '../../src/match/rank/ranker.ts';
export { confidenceWeights } from '../../src/match/rank/confidence.ts';
export { createLexicalIndex } from '../../src/match/lexical/lexical-index.ts';
export { judgeMessage } from '../../src/match/guard/judge-message.ts';
export { matchDocument } from '../../src/match/document.ts';
export { parseSkill } from '../../src/skill/parse-skill.ts';
export { createFusedMatcher } from '../../src/match/matcher.ts';
export { createLocalEmbedder } from '../../src/node/embed/local-embedder.ts';
export { keepVectors } from '../../src/node/embed/kept-embedder.ts';
export { heldOut, tuned } from '../../test/match/everyday-libraries.ts';
import { readWord } from '../../src/match/text/read-word.ts';
import { scanWords, wordText } from '../../src/match/text/scan-words.ts';

/** The words of a text as the matcher reads them, stemmed, without function words. */
export function readTerms(text) {
  const terms = [];
  const word = (units, start, end) => {
    const { main } = readWord(wordText(units, start, end));
    if (main !== '') terms.push(main);
  };
  scanWords(text, { word, pair: word, compound: () => undefined, pause: () => undefined });
  return terms;
}
