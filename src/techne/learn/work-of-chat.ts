// A conversation -> the calls in it that went well, in order, with what the person had asked for and which skills were loaded.
//
// Calls of techne's own tools are no work: looking for skills, answering runs, proposing. A run of a skill is, whoever started it.
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { ownToolName } from '../../base/own-tool-name.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { callsOf } from '../../ports/model.ts';
import type { DoneCall, DoneWork } from '../../proposals/learn/done-work.ts';

/** Tools of techne itself: looking for skills, answering runs, proposing. */
export const ownTools = /^(?:skill_|use_skill$|run_|graph_)/;

export function workOfChat(id: string, entries: readonly ChatEntry[], sinceMs: number): DoneWork {
  const called = new Map<string, { readonly tool: string; readonly input: string }>();
  const begun = new Map<string, string>();
  const loaded = new Set<string>();
  const calls: DoneCall[] = [];
  const asked: (string | null)[] = [];
  const under: string[][] = [];
  let message: string | null = null;
  const add = (call: DoneCall | null, at: number): void => {
    if (call === null || at < sinceMs) return;
    calls.push(call);
    asked.push(message);
    under.push([...loaded]);
  };
  for (const entry of entries) {
    if (entry.type === 'user.said') {
      message = entry.text;
      for (const { event } of entry.given) loaded.add(event.skill_id);
    } else if (entry.type === 'turn.taken')
      for (const { id: call, tool, input } of callsOf(entry.turn)) called.set(call, { tool, input });
    else if (entry.type === 'call.ended') {
      const known = called.get(entry.id);
      if (entry.ok && known !== undefined) add(doneCall(known.tool, known.input), entry.at);
      for (const { event } of entry.given) loaded.add(event.skill_id);
    } else if (entry.type === 'run.begun' && entry.call === null) begun.set(entry.run, entry.skill);
    else if (entry.type === 'run.detached' && entry.status === 'completed') {
      const skill = begun.get(entry.run);
      if (skill !== undefined) add({ kind: 'skill', name: skill, args: {} }, entry.at);
    }
  }
  return { kind: 'chat', id, calls, asked, under };
}

/** The runs that the conversation started: they are counted here, and not once more by themselves. */
export function runsOfChat(entries: readonly ChatEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === 'run.begun' ? [entry.run] : []));
}

function doneCall(tool: string, input: string): DoneCall | null {
  const parsed = jsonIn(input);
  const args: JsonObject = isJsonObject(parsed) ? parsed : {};
  if (tool === 'command') return { kind: 'command', name: tool, args };
  if (ownToolName(tool) === 'run_metaskill') {
    const { name, input: given } = args;
    return typeof name === 'string' ? { kind: 'skill', name, args: isJsonObject(given) ? given : {} } : null;
  }
  return ownTools.test(tool) ? null : { kind: 'tool', name: tool, args };
}
