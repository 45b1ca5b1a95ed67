// The entries of a conversation -> Markdown, for people who want to keep or send it.
//
// It is what was said and done; bodies of skills and what the model was given besides are in the log.
import type { ChatEntry } from '../../chat/entry.ts';
import { callsOf, turnText } from '../../ports/model.ts';

export function renderChat(title: string, entries: readonly ChatEntry[]): string {
  return [`# ${title.replaceAll(/\s+/g, ' ')}`, ...entries.flatMap(partOf)].join('\n\n') + '\n';
}

function partOf(entry: ChatEntry): readonly string[] {
  switch (entry.type) {
    case 'chat.started':
      return [`${new Date(entry.at).toISOString()} · ${entry.model} · \`${entry.workspace}\``];
    case 'user.said':
      return [`## ${entry.by ?? 'Person'}`, entry.text.trim()];
    case 'turn.taken': {
      const text = turnText(entry.turn);
      const calls = callsOf(entry.turn).map(({ tool, input }) => fenced(`${tool} ${input}`));
      return text === '' && calls.length === 0
        ? []
        : [`## ${entry.turn.model}`, ...(text === '' ? [] : [text]), ...calls];
    }
    case 'turn.stopped':
      return entry.text.trim() === '' ? [] : ['## Stopped', entry.text.trim()];
    case 'call.ended':
      return [`${entry.ok ? 'Result' : 'Failed'}:`, fenced(entry.text)];
    case 'approval.answered':
      return [`_${entry.by ?? 'The person'} decided: ${entry.approval}._`];
    case 'run.begun':
      return [`_Run ${entry.run} of ${entry.skill}._`];
    case 'history.compacted':
      return ['_The beginning was summarised._', entry.summary];
    case 'answer.ended':
      return entry.message === null ? [] : [`_${entry.outcome}: ${entry.message}_`];
    case 'chat.renamed':
    case 'note.added':
    case 'skill.doubted':
    case 'call.started':
    case 'run.detached':
    default:
      return []; // also entries of a newer version
  }
}

/** With a fence that the text cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
