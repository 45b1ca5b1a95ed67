// `techne/registry`: the skills around a folder: configuration, roots, snapshots, facts, trust, watching. Re-exports only.
export type { Diagnostic } from './base/diagnostic.ts';
export type { DiagnosticCode, Severity } from './base/codes.ts';
export type { PrecedenceSetting, Source } from './config/precedence.ts';
export type { MergedConfig } from './config/merge-config.ts';
export type {
  Config,
  Disclosure,
  EmbeddingEndpoint,
  ExecutionPolicy,
  FaultyEndpoint,
  GuardLevel,
  Loading,
  McpServer,
  ModelEndpoint,
  SandboxMode,
} from './config/types.ts';
export type { LoadedConfig } from './node/load-config.ts';
export type { BlobDigest, Blobs } from './ports/blobs.ts';
export type { Environment, Sha256 } from './ports/environment.ts';
export type { FileSignature, Files } from './ports/files.ts';
export type { ResourceEntry, SkillManifest } from './registry/snapshot.ts';
export type { Snapshot } from './registry/snapshot.ts';
export type { StartedSkill } from './registry/trust/trusted-skill.ts';
export type { DigestTrust, FolderTrust, TrustRecords } from './registry/trust/trust-records.ts';
export type {
  TrustRoot,
  TrustStore,
  TrustSubject,
  TrustVerdict,
  TrustView,
} from './registry/trust/trust-store.ts';
export type {
  ContentGate,
  DriftRefusal,
  Fact,
  Facts,
  Reason,
  ReasonCode,
  Root,
  Shadowed,
  Skill,
  SkillTree,
} from './registry/types.ts';
export type { Changes, Kept } from './registry/watch/compare-snapshots.ts';
export type { SkillWatch, WatchEvent } from './registry/watch/watch.ts';
export type { SkillCard } from './skill/parse-head.ts';
export type { FileManifest, ManifestFile } from './skill/resources.ts';
export type { ResourceKind } from './skill/resources.ts';
export type { Form, SkillBody, SkillHead, SkillOrigin } from './skill/types.ts';
export type { Verdict } from './guard/report.ts';
export type { Guard } from './techne/guard/guard.ts';
export type { SkillVerdict } from './techne/guard/verdict.ts';
export { openSkills } from './techne/open-skills.ts';
export type { OpenSkillsOptions, SkillLibrary } from './techne/open-skills.ts';
