// skill_search, skill_load, use_skill, skill_read: what a model can do about skills besides running them.
//
//   arguments -> text for the model, and metadata for programs
//
// O1. Schemas, texts, metadata and errors are those of S2; what is added to metadata is only added.
// O2. All of them only look: no approval is ever needed, and nothing that a skill mentions is executed.
// O3. What a model can mend is a result with `ok: false`, never thrown.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { loadTool } from './load-tool.ts';
import { argumentFault } from './read-arguments.ts';
import { readTool } from './read-tool.ts';
import { searchTool } from './search-tool.ts';
import type { SessionParts } from './session-parts.ts';

export const skillToolNames = ['skill_search', 'skill_load', 'use_skill', 'skill_read'] as const;
/** One of `skillToolNames`. */
export type SkillToolName = (typeof skillToolNames)[number];

/** What a skill tool gives. */
export interface SkillToolResult {
  readonly ok: boolean;
  /** For the model: what was asked for, or S2's sentence about why not. */
  readonly text: string;
  /** What to try instead. */
  readonly hint: string | null;
  readonly metadata: JsonObject;
}

/** A tool that looks at skills. */
export interface SkillTool {
  readonly name: SkillToolName;
  readonly description: string;
  /** JSON Schema of the arguments; they are checked here too. */
  readonly parameters: JsonObject;
  /** As MCP has them. */
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
  /** `toolUseId`: that of the call, for the event. */
  call(args: Json, toolUseId?: string | null): Promise<SkillToolResult>;
}

export interface ToolWork {
  readonly title: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly work: (
    parts: SessionParts,
    args: JsonObject,
    toolUseId: string | null,
  ) => Promise<SkillToolResult>;
}

const works: { readonly [name in SkillToolName]: ToolWork } = {
  skill_search: searchTool,
  skill_load: loadTool,
  use_skill: { ...loadTool, title: 'Use a skill', description: 'The same as skill_load.' },
  skill_read: readTool,
};

/** `parts` is `null` where a session has no skills: every call says so. */
export function createSkillTools(parts: SessionParts | null): readonly SkillTool[] {
  return skillToolNames.map((name) => {
    const { title, description, parameters, work } = works[name];
    return {
      name,
      description,
      parameters,
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      async call(args, toolUseId = null) {
        if (parts === null) return refusal('skills are not configured for this session');
        const fault = argumentFault(args, parameters);
        if (fault !== null) return refusal(fault);
        return work(parts, isJsonObject(args) ? args : {}, toolUseId);
      },
    };
  });
}

function refusal(text: string): SkillToolResult {
  return { ok: false, text, hint: null, metadata: {} };
}

/** All that a model should read of a result. */
export function renderToolResult({ text, hint }: SkillToolResult): string {
  return hint === null ? text : `${text}\n${hint}`;
}
