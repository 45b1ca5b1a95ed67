// `techne/testing`: runs the tests that skills ship, offline. Re-exports only.
export { testSkills } from './measure/testing/test-skills.ts';
export type { SkillTests, TestSkillsOptions } from './measure/testing/test-skills.ts';
export type { Expectation, SkillTest, TestFault, TestOutcome } from './measure/testing/skill-test.ts';
export type { ScriptedAnswer, ScriptedCommand } from './scripted/script-file.ts';
export type { ScriptedInput } from './scripted/script-file.ts';
export type { ScriptedTool } from './scripted/script-file.ts';
