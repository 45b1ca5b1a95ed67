// A conversation over a library in memory.
import type { Match, MatchMode } from '../../src/match/match.ts';
import type { Matcher } from '../../src/match/match.ts';
import type { SkillLoaded } from '../../src/prompt/skill-loaded.ts';
import type { SkillSession, SkillSessionOptions } from '../../src/prompt/skill-session.ts';
import { createSkillSession } from '../../src/prompt/skill-session.ts';
import type { SkillToolName } from '../../src/prompt/tools/skill-tools.ts';
import { checkArguments, ToolFault } from '../../src/ports/tool.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import { libraryOf, loadFrom, rootAt } from './library.ts';
import type { LoadOptions, MemoryLibrary } from './library.ts';

export interface SkillSpec {
  readonly description?: string;
  /** Further lines of the frontmatter, each with its line end. */
  readonly fields?: string;
  readonly body?: string;
  /** Path -> text. */
  readonly files?: { readonly [path: string]: string };
}

export const textOf = (
  name: string,
  { description = `Use when you need ${name}.`, fields = '', body = `The body of ${name}.\n` }: SkillSpec,
): string => `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${fields}---\n\n${body}`;

/** Skills by name; a name with `workspace/` before it lies in the workspace. */
export function filesOf(skills: { readonly [name: string]: SkillSpec }): MemoryLibrary {
  const files = libraryOf([]);
  for (const [key, spec] of Object.entries(skills)) {
    const folder = key.startsWith('workspace/') ? `/${key}` : `/user/${key}`;
    files.write(`${folder}/SKILL.md`, textOf(key.replace('workspace/', ''), spec));
    for (const [path, text] of Object.entries(spec.files ?? {})) files.write(`${folder}/${path}`, text);
  }
  files.advance(60_000_000_000n);
  return files;
}

export const loadSkills = (files: MemoryLibrary, options: LoadOptions = {}): Promise<Snapshot> =>
  loadFrom(files, { roots: [rootAt('/user'), rootAt('/workspace', 'workspace')], ...options });

/** A result, or the fault that the tool throws. */
export interface SkillToolResult {
  readonly ok: boolean;
  readonly text: string;
  readonly hint: string | null;
  readonly metadata: JsonObject;
}

export interface OpenedSession {
  readonly session: SkillSession;
  readonly files: MemoryLibrary;
  readonly snapshot: Snapshot;
  readonly loaded: SkillLoaded[];
  readonly warnings: string[];
  readonly call: (name: SkillToolName, args: Json, toolUseId?: string) => Promise<SkillToolResult>;
}

export async function openSession(
  skills: { readonly [name: string]: SkillSpec },
  options: Partial<SkillSessionOptions> = {},
  load: LoadOptions = {},
): Promise<OpenedSession> {
  const files = filesOf(skills);
  const snapshot = await loadSkills(files, load);
  const loaded: SkillLoaded[] = [];
  const warnings: string[] = [];
  const session = await createSkillSession({
    snapshot,
    isUntrusted: async () => false,
    onLoaded: (event) => loaded.push(event),
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  return {
    session,
    files,
    snapshot,
    loaded,
    warnings,
    call: (name, args, toolUseId) => callTool(session, name, args, toolUseId),
  };
}

export async function callTool(
  session: SkillSession,
  name: SkillToolName,
  args: Json,
  toolUseId?: string,
): Promise<SkillToolResult> {
  const tool = session.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  try {
    const use = toolUseId === undefined ? {} : { id: toolUseId };
    const { ok, text, metadata = {} } = await tool.call(checkArguments(tool, args), use);
    return { ok, text, hint: null, metadata };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    const { message, hint, metadata } = error;
    return { ok: false, text: message, hint, metadata };
  }
}

export const matchOf = (skill: string, mode: MatchMode = 'lexical', confidence = 0.9): Match => ({
  skill,
  mode,
  confidence,
  variables: {},
  reason: 'said so',
});

/** Says the same of every message, or what `by` says of it. */
export function scriptedMatcher(by: {
  readonly [message: string]: { readonly matches?: readonly Match[]; readonly candidates?: readonly Match[] };
}): Matcher {
  return {
    match: (message) => ({
      matches: by[message]?.matches ?? [],
      candidates: by[message]?.candidates ?? [],
      abstained: null,
    }),
  };
}
