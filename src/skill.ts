// `techne/skill`: the format alone, without files or registry. Re-exports only.
export type { DiagnosticCode, Severity } from './base/codes.ts';
export type { Diagnostic, Report } from './base/diagnostic.ts';
export type { Sha256 } from './ports/environment.ts';
export type { Json, JsonObject } from './base/json.ts';
export { renderDiagnostic } from './base/render-diagnostic.ts';
export { parseSkill } from './skill/parse-skill.ts';
export type { ParsedSkill, ParseSkillOptions } from './skill/parse-skill.ts';
export { frontmatterSchema } from './skill/fields/json-schema.ts';
export { scaffold } from './skill/scaffold/scaffold.ts';
export { manifestOf } from './skill/resources.ts';
export type { FileManifest, ManifestFile } from './skill/resources.ts';
export { forms } from './skill/types.ts';
export type {
  ExecutionBar,
  FolderEntryLike,
  Form,
  InputKey,
  Invocation,
  Requires,
  Risk,
  Sections,
  SkillBody,
  SkillHead,
  SkillOrigin,
  SuggestedEdge,
  Trigger,
} from './skill/types.ts';
