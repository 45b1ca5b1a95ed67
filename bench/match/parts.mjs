// What is measured, bundled from src/ as the package is.
export { createMatcher } from '../../src/match/matcher.ts';
export { createRanker } from '../../src/match/rank/ranker.ts';
export { judgeMessage } from '../../src/match/guard/judge-message.ts';
export { matchDocument } from '../../src/match/document.ts';
export { parseSkill } from '../../src/skill/parse-skill.ts';
export { createFusedMatcher } from '../../src/match/matcher.ts';
export { createLocalEmbedder } from '../../src/node/embed/local-embedder.ts';
export { keepVectors } from '../../src/node/embed/kept-embedder.ts';
