// The public API of `techne`. Re-exports only.
export type { Diagnostic, Report } from './base/diagnostic.ts';
export type { DiagnosticCode, Severity } from './base/codes.ts';
export { TechneError } from './base/error.ts';
export type { ErrorCode } from './base/error.ts';
export type { Json, JsonObject } from './base/json.ts';
export { renderDiagnostic } from './base/render-diagnostic.ts';
export type { Config } from './config/types.ts';
export { loadSnapshot } from './registry/load-snapshot.ts';
export type { SnapshotOptions } from './registry/load-snapshot.ts';
export type { Snapshot } from './registry/snapshot.ts';
export { defaultRoots } from './registry/default-roots.ts';
export { isRunnable } from './registry/runnable.ts';
export { watchSkills } from './registry/watch.ts';
export type { ContentGate, Fact, Facts, Reason, ReasonCode, Root, Shadowed, Skill, SkillTree, Source } from './registry/types.ts';
export { discoveryIndex, searchSkills } from './match/search.ts';
export type { Form, SkillBody, SkillHead, SkillOrigin } from './skill/types.ts';
