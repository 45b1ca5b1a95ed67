// skill_read: a file of a skill, as text.
//
// Files are read from the snapshot: inside the folder of the skill, as it was when the session began. A long file is given in
// parts, each with the offset of the next. SKILL.md is the body: reading it counts and is reported as skill_load is, from its
// beginning, and a body that the model has is not given again.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';
import { countCodePoints, cutCodePoints } from '../../skill/code-points.ts';
import type { Skill } from '../../registry/types.ts';
import { loadSkill } from './skill-load.ts';
import { overBudget, toolFaultOf, unknownSkill } from './refuse.ts';
import type { SessionState } from '../session-state.ts';
import { activate, skillOn, tryRead } from '../session-state.ts';
import { skillPlaceOf } from '../skill-loaded.ts';

const maxCharacters = 60_000;

const others: { readonly [name: string]: JsonObject } = {
  path: { type: 'string', minLength: 1, description: 'Relative to the folder of the skill.' },
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Characters to leave out at the start.',
  },
};

/** `longestName`: of the names that it takes. */
export function skillReadTool(state: () => SessionState, longestName: number): Tool {
  return {
    name: 'skill_read',
    title: 'Read a file of a skill',
    description: 'Reads a text file of a skill that its instructions mention, such as references/guide.md.',
    parameters: objectSchema(
      {
        name: {
          type: 'string',
          minLength: 1,
          maxLength: longestName,
          description: 'The name of the skill.',
        },
        ...others,
      },
      ['name', 'path'],
    ),
    readOnly: true,
    call: async ({ name: skill, path, offset = 0 }, { id = null } = {}) =>
      readFile(state(), {
        name: skill as string,
        path: path as string,
        offset: offset as number,
        toolUseId: id,
      }),
  };
}

interface Reading {
  readonly name: string;
  readonly path: string;
  readonly offset: number;
  readonly toolUseId: string | null;
}

async function readFile(
  state: SessionState,
  { name, path, offset, toolUseId }: Reading,
): Promise<ToolResult> {
  const skill = skillOn(state, 'read', name);
  if (skill === null) throw unknownSkill(state, 'read', name);
  let bytes: Uint8Array;
  try {
    bytes = await state.snapshot.readFile(name, path);
  } catch (error) {
    if (error instanceof TechneError) throw toolFaultOf(error);
    throw error;
  }
  if (bytes.subarray(0, 8192).includes(0)) throw new ToolFault(`${JSON.stringify(path)} is a binary file`);
  const { text } = decodeUtf8(bytes);
  const total = countCodePoints(text);
  if (offset > 0 && offset >= total)
    throw new ToolFault(
      `${JSON.stringify(path)} has ${total} characters: there is nothing from ${offset} on`,
    );
  const rest = text.slice(cutCodePoints(text, offset).length);
  const shown = cutCodePoints(rest, maxCharacters);
  const end = offset + countCodePoints(shown);
  const against = isBody(skill, path) ? await takeBody(state, skill, offset, toolUseId) : null;
  if (against !== null) return against;
  const metadata = {
    skill_id: name,
    path,
    source: skillPlaceOf(skill.source),
    source_kind: skill.source,
    characters: total,
    offset,
    truncated: end < total,
  };
  if (end >= total) return { ok: true, text: shown, metadata };
  return {
    ok: true,
    text: `${shown}\n[cut here: ${end} of ${total} characters; read on with offset ${end}]`,
    metadata: { ...metadata, next_offset: end },
  };
}

function isBody({ file }: Skill, path: string): boolean {
  // Other spellings of a path are refused; letters may be of either case on some disks.
  return path.toLowerCase() === file.slice(file.lastIndexOf('/') + 1).toLowerCase();
}

/** Counts the body as loaded. The answer to give instead of the file, or null. */
async function takeBody(
  state: SessionState,
  skill: Skill,
  offset: number,
  toolUseId: string | null,
): Promise<ToolResult | null> {
  const { ledger } = state;
  const read = await tryRead(state, skill);
  if (read instanceof TechneError) throw toolFaultOf(read);
  if (ledger.isPreloaded(skill.name) || ledger.isLoaded(skill.name, read.version))
    return offset > 0 ? null : loadSkill(state, skill.name, toolUseId);
  if (offset > 0)
    throw new ToolFault(
      `the body of ${skill.name} is not loaded, and is read from its beginning: leave the offset out`,
    );
  const against = ledger.refusal(skill.name, read.tokens, 'explicit');
  if (against !== null) throw overBudget(against);
  activate(state, read, read.text, {
    kind: 'explicit',
    reason: 'on_demand',
    toolUseId,
    tokens: read.tokens,
  });
  return null;
}
