// What scripts/train-guard.mjs needs: the rules, the signs, and the frames that are kept as code.
export { frames } from '../../src/measure/eval/frames.ts';
export { isCertain, judgeMessage, leastOf } from '../../src/match/guard/judge-message.ts';
export { readSigns } from '../../src/match/guard/weigh/read-signs.ts';
export { keyOf, weighedGuards, writeTable } from '../../src/match/guard/weigh/weigh-signs.ts';
export { heldOutFrames } from './held-out-frames.ts';
export { simplified } from '../../src/match/text/simplified.ts';
