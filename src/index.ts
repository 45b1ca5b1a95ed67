// The public API of `techne`. Re-exports only.
export type { Diagnostic, Report } from './base/diagnostic.ts';
export type { DiagnosticCode, Severity } from './base/codes.ts';
export { TechneError } from './base/error.ts';
export type { ErrorCode } from './base/error.ts';
export type { Json, JsonObject } from './base/json.ts';
export { renderDiagnostic } from './base/render-diagnostic.ts';
export type { Config } from './config/types.ts';
export { createTechne } from './techne/create-techne.ts';
export type { RunRequest, SessionOptions, Techne, TechneOptions } from './techne/create-techne.ts';
export type { AgentSession } from './techne/agent-session.ts';
export type { AgentTool, AgentToolResult, AgentToolUse } from './techne/agent-tool.ts';
export type { QuestionContext, QuestionHandler, QuestionHandlers } from './techne/answer-questions.ts';
export type { AnswerFunction } from './answerers/function-answerer.ts';
export { RunDetached } from './techne/library-runs.ts';
export type { RunSkillOptions } from './techne/library-runs.ts';
export type { OpenMatcher } from './techne/skill-store.ts';
export { openSkills } from './techne/open-skills.ts';
export type { OpenSkillsOptions, SkillLibrary } from './techne/open-skills.ts';
export type { LoadedConfig } from './node/load-config.ts';
export type { BlobDigest, Blobs } from './ports/blobs.ts';
export type { Snapshot } from './registry/snapshot.ts';
export type { ResourceEntry } from './registry/skill-files.ts';
export type { TrustStore } from './registry/trust/trust-store.ts';
export type { SkillWatch, WatchEvent } from './registry/watch/watch.ts';
export type {
  ContentGate,
  Fact,
  Facts,
  Reason,
  ReasonCode,
  Root,
  Shadowed,
  Skill,
  SkillTree,
  Source,
} from './registry/types.ts';
export { discoveryIndex, searchSkills } from './match/search.ts';
export type { Match, MatchMode, MatchResult } from './match/match.ts';
export type { PromptBudget } from './prompt/budget.ts';
export type { RenderedIndex } from './prompt/render-index.ts';
export type { Matcher, PromptSettings } from './prompt/session-parts.ts';
export type { LoadReason, SkillLoaded, SkillPlace } from './prompt/skill-loaded.ts';
export type { Enrichment, ListedSkill, SkillProvider, ToolWish, Turn } from './prompt/skill-provider.ts';
export type { SkillSession } from './prompt/skill-session.ts';
export type { SkillTool, SkillToolName, SkillToolResult } from './prompt/skill-tools.ts';
export type { FileManifest } from './skill/file-manifest.ts';
export type { Form, SkillBody, SkillHead, SkillOrigin } from './skill/types.ts';
export { openRuns } from './techne/open-runs.ts';
export type { OpenRuns, OpenRunsOptions } from './techne/open-runs.ts';
export type { AnswererFact } from './answerers/open-answerers.ts';
export { createJsonlEvents } from './node/events/jsonl.ts';
export type { EventSink, JsonlEventsOptions } from './node/events/jsonl.ts';
export { createOtelEvents, loadOtelApi } from './node/events/otel.ts';
export type {
  OtelApi,
  OtelAttributes,
  OtelContext,
  OtelEventsOptions,
  OtelSpan,
  OtelTracer,
  OtelValue,
} from './node/events/otel.ts';
export { AnswerLater } from './ports/answerer.ts';
export type { Answerer, AskContext, AskOutcome, AskRequest, Usage } from './ports/answerer.ts';
export type {
  Approval,
  CommandCall,
  CommandCaller,
  CommandHost,
  CommandVerdict,
} from './ports/command-host.ts';
export type { CommandOutcome } from './ports/shell.ts';
export type { AnsweredBy, Audience, JournalEntry, Through } from './journal/entry.ts';
export type { RunStore, RunSummary, StoredEntry } from './ports/run-store.ts';
export { eventSensitivity } from './run/events.ts';
export type { OnRunEvent, RunEvent } from './run/events.ts';
export type { ForkEdits, ForkRequest } from './run/history/fork.ts';
export { diffRuns } from './run/history/inspect.ts';
export type { EffectView, QuestionView, RunDifference, RunView } from './run/history/inspect.ts';
export { defaultLimits, maximumLimits } from './run/budget/limits.ts';
export type { RunLimits } from './run/budget/limits.ts';
export type { Divergence, ReplayReport } from './run/history/replay.ts';
export type {
  PendingQuestion,
  RunResult,
  RunStatus,
  RunUsage,
  UndecidedEffect,
} from './run/result/result.ts';
export { createRunner } from './run/runner.ts';
export type {
  Answer,
  Decision,
  Delivery,
  ResumeRequest,
  Runner,
  RunnerOptions,
  StartRequest,
} from './run/runner.ts';
export { readToolArguments, runMetaskillTool } from './run/tool-definition.ts';
export type { KnownSkills, OfferedSkill, ToolArguments, ToolDefinition } from './run/tool-definition.ts';
export { testSkills } from './measure/testing/test-skills.ts';
export type { SkillTests, TestSkillsOptions } from './measure/testing/test-skills.ts';
export type { SkillTest, TestFault, TestOutcome } from './measure/testing/skill-test.ts';
