// What the bench of prompts uses, bundled once.
export { openMatcher } from '../../src/techne/open-matcher.ts';
export { openSkills } from '../../src/techne/open-skills.ts';
export { indexEntries, renderIndex, tierCosts } from '../../src/prompt/render-index.ts';
export { createSkillSession } from '../../src/prompt/skill-session.ts';
