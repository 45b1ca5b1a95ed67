// Scripted tools instead of those of this machine.
//
// A call takes the first unused result of its tool whose arguments fit; judging and calling the same effect take the
// same one, also after a resume. Whether such a tool exists is not checked. `emit_text` needs no script.
import type { Json, JsonObject } from '../base/json.ts';
import { canonicalJson, isJsonObject } from '../base/json.ts';
import type { ScriptedTool } from './script-file.ts';
import type { CommandCaller } from '../ports/command-host.ts';
import type { ToolCall, HostTool, ToolHost } from '../ports/tool-host.ts';

export interface ScriptedToolHost extends ToolHost {
  /** The results that no call has used. */
  unused(): readonly ScriptedTool[];
  /** Takes the result that this call has had before. */
  take(tool: string, args: JsonObject): void;
}

export function createScriptedTools(
  tools: readonly ScriptedTool[],
  onUnexpected: (call: ToolCall) => void = () => undefined,
): ScriptedToolHost {
  const used = new Set<ScriptedTool>();
  const taken = new Map<string, ScriptedTool>();
  const takeFor = (tool: string, args: JsonObject): ScriptedTool | null => {
    const found =
      tools.find((each) => !used.has(each) && each.tool === tool && isPartOf(each.args, args)) ?? null;
    if (found !== null) used.add(found);
    return found;
  };
  const of = ({ tool, args }: ToolCall, { run, key }: CommandCaller): ScriptedTool | null => {
    const place = `${run} ${key} ${tool} ${canonicalJson(args)}`;
    const found = taken.get(place) ?? takeFor(tool, args);
    if (found !== null) taken.set(place, found);
    return found;
  };
  const isOwn = ({ tool, args }: ToolCall): boolean =>
    tool === 'emit_text' && typeof args['text'] === 'string';
  const factOf = (name: string): HostTool => ({
    name,
    description: 'scripted',
    parameters: { type: 'object' },
    readOnly: false,
    repeatable: true,
    from: 'built-in',
  });
  return {
    unused: () => tools.filter((tool) => !used.has(tool)),
    take: (tool, args) => void takeFor(tool, args),
    list: async () => ({ tools: [...new Set(tools.map(({ tool }) => tool))].map(factOf), faults: [] }),
    find: async (name) => factOf(name),
    async judge(call, caller) {
      const scripted = of(call, caller);
      if (scripted === null && isOwn(call)) return { kind: 'allow' };
      if (scripted === null) {
        onUnexpected(call);
        return { kind: 'deny', reason: `the script has no result for it with ${JSON.stringify(call.args)}` };
      }
      return scripted.gives.kind === 'denied'
        ? { kind: 'deny', reason: scripted.gives.reason }
        : { kind: 'allow' };
    },
    async call(call, caller) {
      const scripted = of(call, caller);
      if (scripted === null && isOwn(call))
        return { ok: true, text: call.args['text'] as string, value: null };
      if (scripted === null || scripted.gives.kind === 'denied')
        return { ok: false, message: 'the script has no result for it', timedOut: false };
      const { gives } = scripted;
      return gives.kind === 'error'
        ? { ok: false, message: gives.message, timedOut: gives.timedOut }
        : { ok: true, text: gives.text, value: gives.value };
    },
    close: async () => undefined,
  };
}

/** The scripted arguments must be there; others are ignored. */
function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (isJsonObject(part))
    return (
      isJsonObject(whole) &&
      Object.keys(part).every((key) => Object.hasOwn(whole, key) && isPartOf(part[key] as Json, whole[key]))
    );
  return whole !== undefined && canonicalJson(part) === canonicalJson(whole);
}
