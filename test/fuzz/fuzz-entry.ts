// What scripts/fuzz-frontmatter.mjs bundles.
export { readCompatTexts } from './compat-texts.ts';
export { checkOne, fuzzFrontmatter, seedTexts } from './frontmatter-fuzz.ts';
export { fuzzSkills, readWhole } from './skill-fuzz.ts';
