// The entries of a conversation -> the updates with which a client shows it again.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { JsonObject } from '../base/json.ts';
import { isJsonObject, jsonIn } from '../base/json.ts';
import type { ChatEntry } from '../chat/entry.ts';
import { codeSpan } from './markdown.ts';
import { contentOf } from './show-events.ts';
import { toolKind } from './tool-kind.ts';

export function replayChat(
  entries: readonly ChatEntry[],
  describeCall: (tool: string, args: JsonObject) => string,
): readonly SessionUpdate[] {
  let message = 0;
  const updates: SessionUpdate[] = [];
  const text = (sessionUpdate: 'user_message_chunk' | 'agent_message_chunk', said: string): void => {
    if (said !== '') updates.push({ sessionUpdate, content: { type: 'text', text: said } });
  };
  const ended = new Set(entries.flatMap((entry) => (entry.type === 'call.ended' ? [entry.id] : [])));
  // Entries that people do not see, and those of a newer version, are left out.
  for (const entry of entries) {
    if (entry.type === 'user.said') {
      message += 1;
      text('user_message_chunk', entry.text);
    }
    if (entry.type === 'turn.stopped') text('agent_message_chunk', entry.text);
    if (entry.type === 'call.ended')
      updates.push({
        sessionUpdate: 'tool_call_update',
        toolCallId: `r${message}:${entry.id}`,
        status: entry.ok ? 'completed' : 'failed',
        content: contentOf(entry.text),
      });
    if (entry.type !== 'turn.taken') continue;
    for (const part of entry.turn.content) {
      if (part.type === 'text') text('agent_message_chunk', part.text);
      if (part.type !== 'call') continue;
      const args = jsonIn(part.input);
      updates.push({
        sessionUpdate: 'tool_call',
        toolCallId: `r${message}:${part.id}`,
        title: codeSpan(describeCall(part.tool, isJsonObject(args) ? args : {})),
        kind: toolKind(part.tool),
        status: ended.has(part.id) ? 'in_progress' : 'failed',
        rawInput: args,
      });
    }
  }
  return updates;
}
