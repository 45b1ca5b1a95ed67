// `techne/prompt`: what a model sees of skills: sessions and their tools, the index, matching, search. Re-exports only.
export { discoveryIndex, searchSkills } from './match/search.ts';
export type { Searchable } from './match/search.ts';
export type { Match, MatchMode, MatchResult, Misspelt } from './match/match.ts';
export type { ActivationLedger } from './prompt/activation-ledger.ts';
export type { PromptBudget } from './prompt/budget.ts';
export type { IndexEntry, RenderedIndex } from './prompt/render-index.ts';
export type { Matcher } from './match/match.ts';
export type { PromptSettings } from './prompt/settings.ts';
export type {
  LoadReason,
  SkillEvent,
  SkillLoaded,
  SkillPlace,
  SkillToolFailed,
} from './prompt/skill-loaded.ts';
export type { Enrichment, ListedSkill, SkillProvider, ToolWish, Turn } from './prompt/skill-provider.ts';
export type { InvokeOptions, SlashOutcome } from './prompt/invoke-skill.ts';
export type { SkillReads } from './prompt/read-skill.ts';
export type { Reattached } from './prompt/reattach.ts';
export type { RestoredBody } from './prompt/restore.ts';
export type { SessionPrefix } from './prompt/session-prefix.ts';
export type { SkillSession, SkillSessionOptions } from './prompt/skill-session.ts';
export type { SlashArguments } from './prompt/substitute.ts';
export type { IndexTier } from './prompt/index-layout.ts';
export { callTool, ToolFault } from './ports/tool.ts';
export type { Tool, ToolCaller, ToolDescription, ToolResult, ToolUse } from './ports/tool.ts';
