// An entry of the log of a conversation -> what clients get of it: what was said, done and decided.
//
// Bodies of skills, signatures of providers and what the model was given besides the words of people stay in the log.
import type { JsonObject } from '../../base/json.ts';
import type { ChatEntry, GivenBody } from '../../chat/entry.ts';

export function shownChatEntry(entry: ChatEntry): JsonObject {
  return visible(entry) as unknown as JsonObject;
}

function visible(entry: ChatEntry): object {
  if (entry.type === 'user.said') {
    const { content: _content, given, ...rest } = entry;
    return { ...rest, given: given.map(shownBody) };
  }
  if (entry.type === 'call.ended') return { ...entry, given: entry.given.map(shownBody) };
  if (entry.type === 'turn.taken') {
    const { model, finish, content } = entry.turn;
    return { ...entry, turn: { model, finish, content: content.map(({ meta: _meta, ...part }) => part) } };
  }
  if (entry.type !== 'history.compacted') return entry;
  const { attached: _attached, ...rest } = entry;
  return rest;
}

function shownBody({ event }: GivenBody): object {
  return { skill: event.skill_id, version: event.skill_version, reason: event.load_reason };
}
