// `techne/runs`: runs and their parts: start, resume, answer, replay, fork, inspect; journals, limits, answerers,
// commands and tools. Re-exports only.
export type { Abort } from './base/abort.ts';
export { RunDetachedError } from './run/drive/drive.ts';
export { openRuns } from './techne/open-runs.ts';
export type { OpenRuns, OpenRunsOptions, ServerReport } from './techne/open-runs.ts';
export type { AnswererFact } from './answerers/detect-answerers.ts';
export { AnswerLater } from './ports/answerer.ts';
export type {
  Answerer,
  AskContext,
  AskOutcome,
  AskRequest,
  LoadedBody,
  NestedCommand,
  Usage,
} from './ports/answerer.ts';
export type {
  Approval,
  CommandCall,
  CommandCaller,
  CommandRunContext,
  CommandHost,
  CommandVerdict,
} from './ports/command-host.ts';
export type { CommandOutcome } from './ports/shell.ts';
export type { Artifacts } from './ports/artifacts.ts';
export type { BlobDigest, Blobs } from './ports/blobs.ts';
export type { Sha256 } from './ports/environment.ts';
export type { Ids } from './ports/ids.ts';
export type { RunClock } from './ports/run-clock.ts';
export type { InputFact, SkillSource } from './ports/skill-source.ts';
export type { RunSpent } from './ports/tool.ts';
export type { ToolHost } from './ports/tool-host.ts';
export type { Claim, InboxMessage, RunStore, RunSummary, StoredEntry } from './ports/run-store.ts';
export type { AnsweredBy, Audience, JournalEntry, Through } from './journal/entry.ts';
export type { OnRunEvent, PlannedStep, RunEvent } from './run/events.ts';
export type { ForkEdits, ForkRequest } from './run/history/fork.ts';
export { diffRuns } from './run/history/diff-runs.ts';
export type { RunDifference } from './run/history/diff-runs.ts';
export type { EffectView, InspectRequest, QuestionView, RunView } from './run/history/inspect.ts';
export type { Divergence, ReplayReport } from './run/history/replay.ts';
export { defaultLimits, maximumLimits } from './run/budget/limits.ts';
export type { RunLimits } from './run/budget/limits.ts';
export type {
  PendingQuestion,
  RunResult,
  RunStatus,
  RunUsage,
  UndecidedEffect,
} from './run/result/result.ts';
export type { PreflightReport } from './run/plan/preflight.ts';
export type { HostFilters } from './run/plan/templates.ts';
export type { TimedStep } from './run/plan/time-steps.ts';
export type { RunSettings } from './run/run-facts.ts';
export type { Delivery } from './run/tell/tell-run.ts';
export { createRunner } from './run/create-runner.ts';
export type { Answer, Decision, ResumeRequest, Runner, RunnerOptions, StartRequest } from './run/runner.ts';
export type { ParseFull } from './skill/yaml/node.ts';
export type { ToolDescription } from './ports/tool.ts';
export { readToolArguments, runMetaskillTool } from './run/tools/run-metaskill.ts';
export type { KnownSkills, OfferedSkill, ToolArguments } from './run/tools/run-metaskill.ts';
