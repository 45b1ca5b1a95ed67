// The events of a conversation, for display. A listener cannot change the conversation.
import type { JsonObject } from '../base/json.ts';
import type { Usage } from '../ports/answerer.ts';
import type { Match } from '../match/match.ts';

export type ChatEvent =
  /** Which skills the message asks for, whose bodies it brought, and why a body that was wanted did not come. */
  | {
      readonly type: 'skills.matched';
      readonly matches: readonly Match[];
      readonly given: readonly string[];
      readonly left: readonly { readonly skill: string; readonly reason: string }[];
    }
  | { readonly type: 'turn.started' }
  | { readonly type: 'turn.text'; readonly text: string }
  | { readonly type: 'turn.ended'; readonly usage: Usage }
  | {
      readonly type: 'call.made';
      readonly id: string;
      readonly tool: string;
      readonly args: JsonObject | null;
    }
  | {
      readonly type: 'call.ended';
      readonly id: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
      readonly given: readonly string[];
    }
  | { readonly type: 'history.compacting' }
  | {
      readonly type: 'history.compacted';
      readonly beforeTokens: number;
      readonly afterTokens: number;
      readonly forgotten: readonly string[];
    };

/** Must not throw. */
export type OnChatEvent = (event: ChatEvent) => void;
