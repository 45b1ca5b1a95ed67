// What scripts/train-prose.mjs needs: the reading of skills, and the signs.
export { hostsOf } from '../../src/guard/detect/hosts.ts';
export { readProse } from '../../src/guard/prose/read-prose.ts';
export { countStems, signsOfPassage } from '../../src/guard/prose/weigh/read-signs.ts';
export { isWordSign, passagesOf, shareOf } from '../../src/guard/prose/weigh/weigh-passages.ts';
