// Entries of a conversation -> what is shown of it, in order.
//
//   turn.taken + call.ended + approval.answered + run.begun -> one call with its request, decision, run and result
//
// A text of a turn is an answer; its calls are items of their own. What the model was told besides (notes) is shown folded.
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { isJsonObject } from '../../../../src/base/json.ts';
import type { ChatEntry } from '../../lib/live.svelte.ts';

export interface SkillReason {
  readonly skill: string;
  readonly reason: string;
}

export interface CallItem {
  readonly kind: 'call';
  readonly key: string;
  readonly id: string;
  readonly tool: string;
  readonly request: Json;
  result: { readonly ok: boolean; readonly text: string } | null;
  /** Skills that it loaded. */
  loaded: readonly string[];
  decision: { readonly approval: string; readonly by: string | null } | null;
  run: RunItem | null;
}

export interface RunItem {
  readonly kind: 'run';
  readonly key: string;
  readonly run: string;
  readonly skill: string;
  status: string;
}

export type ChatItem =
  | {
      readonly kind: 'said';
      readonly key: string;
      readonly text: string;
      readonly by: string | null;
      readonly at: number;
      readonly matched: readonly SkillReason[];
      readonly loaded: readonly string[];
      readonly left: readonly SkillReason[];
    }
  | {
      readonly kind: 'answer';
      readonly key: string;
      readonly text: string;
      readonly reasoning: string;
      readonly isCut: boolean;
    }
  | CallItem
  | RunItem
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'summary'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly key: string;
      readonly outcome: string;
      readonly message: string | null;
    };

export interface Shown {
  readonly items: readonly ChatItem[];
  /** How the last answer ended; `cut`: it never did. `none`: nothing was asked. */
  readonly ending: 'none' | 'whole' | 'cut' | 'stopped' | 'failed' | 'exhausted';
  /** Counts what changes the tokens and costs. */
  readonly spentAt: number;
}

export function itemsOf(entries: readonly ChatEntry[]): Shown {
  const items: ChatItem[] = [];
  const calls = new Map<string, CallItem>();
  const runs = new Map<string, RunItem>();
  let ending: Shown['ending'] = 'none';
  let spentAt = 0;
  for (const { seq, entry } of entries) {
    const key = String(seq);
    switch (entry.type) {
      case 'user.said':
        ending = 'cut';
        items.push({
          kind: 'said',
          key,
          text: textOf(entry['text']),
          by: typeof entry['by'] === 'string' ? entry['by'] : null,
          at: entry.at,
          matched: reasonsOf(entry['matched']),
          loaded: objectsOf(entry['given']).map(({ skill }) => textOf(skill)),
          left: reasonsOf(entry['left']),
        });
        break;
      case 'turn.taken': {
        spentAt += 1;
        const turn = isJsonObject(entry['turn'] ?? null) ? (entry['turn'] as JsonObject) : {};
        const parts = objectsOf(turn['content']);
        const said = (type: string): string =>
          parts
            .filter((part) => part['type'] === type)
            .map((part) => textOf(part['text']))
            .join('')
            .trim();
        const [text, reasoning] = [said('text'), said('reasoning')];
        if (text !== '' || reasoning !== '')
          items.push({ kind: 'answer', key, text, reasoning, isCut: false });
        for (const part of parts) {
          if (part['type'] !== 'call') continue;
          const id = textOf(part['id']);
          const call: CallItem = {
            kind: 'call',
            key: `${key} ${id}`,
            id,
            tool: textOf(part['tool']),
            request: parsed(textOf(part['input'])),
            result: null,
            loaded: [],
            decision: null,
            run: null,
          };
          calls.set(id, call);
          items.push(call);
        }
        break;
      }
      case 'turn.stopped':
        if (textOf(entry['text']).trim() !== '')
          items.push({ kind: 'answer', key, text: textOf(entry['text']), reasoning: '', isCut: true });
        break;
      case 'call.ended': {
        const call = calls.get(textOf(entry['id']));
        if (call === undefined) break;
        call.result = { ok: entry['ok'] === true, text: textOf(entry['text']) };
        call.loaded = objectsOf(entry['given']).map(({ skill }) => textOf(skill));
        break;
      }
      case 'approval.answered': {
        const call = calls.get(textOf(entry['call'] ?? ''));
        const decision = {
          approval: textOf(entry['approval']),
          by: typeof entry['by'] === 'string' ? entry['by'] : null,
        };
        if (call !== undefined) call.decision = decision;
        break;
      }
      case 'run.begun': {
        const run: RunItem = {
          kind: 'run',
          key,
          run: textOf(entry['run']),
          skill: textOf(entry['skill']),
          status: 'interrupted',
        };
        runs.set(run.run, run);
        const call = calls.get(textOf(entry['call'] ?? ''));
        if (call === undefined) items.push(run);
        else call.run = run;
        break;
      }
      case 'run.detached': {
        spentAt += 1;
        const run = runs.get(textOf(entry['run']));
        if (run !== undefined) run.status = textOf(entry['status']);
        break;
      }
      case 'note.added':
        items.push({ kind: 'note', key, text: textOf(entry['text']) });
        break;
      case 'history.compacted':
        spentAt += 1;
        items.push({ kind: 'summary', key, text: textOf(entry['summary']) });
        break;
      case 'answer.ended': {
        spentAt += 1;
        const outcome = textOf(entry['outcome']);
        const message = typeof entry['message'] === 'string' ? entry['message'] : null;
        ending =
          outcome === 'stopped' || outcome === 'failed' || outcome === 'exhausted'
            ? outcome
            : message === null
              ? 'whole'
              : 'cut';
        if (ending !== 'whole') items.push({ kind: 'ended', key, outcome, message });
      }
    }
  }
  return { items, ending, spentAt };
}

/** What of a text that grows will not change any more as Markdown, and the rest: a paragraph outside of a block of code has ended. */
export function stablePart(text: string): readonly [string, string] {
  for (let at = text.lastIndexOf('\n\n'); at > 0; at = text.lastIndexOf('\n\n', at - 1)) {
    const before = text.slice(0, at);
    if ((before.match(/^ {0,3}(?:```|~~~)/gm) ?? []).length % 2 === 0) return [before, text.slice(at)];
  }
  return ['', text];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one): one is JsonObject => isJsonObject(one as Json)) : [];
}

function reasonsOf(value: Json | undefined): readonly SkillReason[] {
  return objectsOf(value).map(({ skill, reason }) => ({ skill: textOf(skill), reason: textOf(reason) }));
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The model wrote something else: it is shown as it is.
    return text;
  }
}
