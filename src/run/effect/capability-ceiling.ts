// Declared capabilities as a ceiling: what a run may change outside, whatever its steps declare.
//
// A skill that declares capabilities is held to them, and so is every nested run: each ceiling counts. A tool needs
// what it is known to do; an unknown tool can change anything, unless its host declares that it only reads. Reading
// the workspace needs nothing. A command needs `shell`. The entry point of a skill needs what that skill declares;
// without a declaration it is a program, which can write files (the sandbox keeps it from the network). An agent that
// cannot be restricted to a set of tools can do anything.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Capability } from '../../plan/capabilities.ts';
import { capabilityAllows, capabilityOf, riskOf } from '../../plan/capabilities.ts';
import { factsOfTool } from '../../plan/tool-facts.ts';

/** Each is a list of what is allowed; an empty array means no ceiling. */
export type Ceilings = readonly (readonly string[])[];

/** Why an effect may not be performed, or null. `readOnly`: what the host declares of a tool. `ask` stands for an agent whose tools are not restricted. */
export function ceilingFault(
  ceilings: Ceilings,
  kind: string,
  request: JsonObject,
  readOnly: boolean,
): string | null {
  if (ceilings.length === 0) return null;
  const needed = neededBy(kind, request, readOnly);
  const over = needed.find(
    (one) =>
      riskOf(one) !== 'low' &&
      ceilings.some(
        (allowed) =>
          !capabilityAllows(
            allowed.flatMap((word) => capabilityOf(word) ?? []),
            one,
          ),
      ),
  );
  return over === undefined ? null : `it needs the capability "${over}", which the skill does not declare`;
}

function neededBy(kind: string, request: JsonObject, readOnly: boolean): readonly Capability[] {
  if (kind === 'write') return ['filesystem-write'];
  if (kind === 'tool') return toolNeeds(request['tool'], readOnly);
  if (kind === 'ask') return ['shell', 'external-side-effect'];
  if (kind !== 'command') return [];
  const { base } = request;
  return isJsonObject(base) ? (declaredIn(base['capabilities']) ?? ['filesystem-write']) : ['shell'];
}

function toolNeeds(tool: Json | undefined, readOnly: boolean): readonly Capability[] {
  if (typeof tool !== 'string') return [];
  const facts = factsOfTool(tool);
  if (facts !== null) return facts.capabilities;
  return readOnly ? [] : ['external-side-effect'];
}

/** `null` when nothing is declared. */
function declaredIn(words: Json | undefined): readonly Capability[] | null {
  return Array.isArray(words)
    ? (words as readonly Json[]).flatMap((word) =>
        typeof word === 'string' ? (capabilityOf(word) ?? []) : [],
      )
    : null;
}
