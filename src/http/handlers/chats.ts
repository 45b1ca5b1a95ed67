// Conversations over HTTP: a person speaks, with the role of a reviewer at least; approvals are for operators, as everywhere.
import { TechneError } from '../../base/error.ts';
import { renderEntry } from '../../chat/read-log.ts';
import { defaultChatLimits } from '../../chat/chat.ts';
import { renderChat } from '../../techne/chat/render-chat.ts';
import type { LiveChats } from '../chats/live-chats.ts';
import { spentOf } from '../chats/live-chats.ts';
import { shownChatEntry } from '../chats/show-entry.ts';
import type { Identity } from '../guard.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names =
  | 'chatSetup'
  | 'listChats'
  | 'startChat'
  | 'showChat'
  | 'sendMessage'
  | 'continueChat'
  | 'stopChat'
  | 'approveCall'
  | 'renameChat'
  | 'deleteChat'
  | 'exportChat';

const usualEntries = 100;
/** As the schema of a message says. */
const messageCharacters = 200_000;

export function chatHandlers(service: ApiService): Handlers<Names> {
  const chats = (): LiveChats => {
    if (service.chats === null)
      throw new TechneError('ENVIRONMENT', 'this server holds no conversations', {
        hint: 'techne serve and techne studio do',
      });
    return service.chats;
  };
  return {
    async chatSetup() {
      const all = chats();
      const limits = { ...defaultChatLimits, ...all.limits };
      const limitsOf = ({ turns, callsPerTurn, contextTokens }: typeof defaultChatLimits) => ({
        turns,
        callsPerTurn,
        contextTokens,
        answerSeconds: limits.answerSeconds,
        answering: limits.answering,
        messageCharacters,
      });
      try {
        const setup = await all.setup();
        const { name, description } = setup.model;
        return {
          model: { name, description },
          fault: null,
          commands: setup.commands.map((one) => ({ ...one })),
          mentions: [...setup.mentions],
          limits: limitsOf(setup.limits),
        };
      } catch (error) {
        if (!(error instanceof TechneError)) throw error;
        const { code, message, hint } = error;
        return {
          model: null,
          fault: { code, message, hint },
          commands: [],
          mentions: [],
          limits: limitsOf(defaultChatLimits),
        };
      }
    },
    listChats: ({ query: { limit, cursor } }) => chats().list(limit, cursor ?? null),
    startChat: ({ body, identity }) => chats().start(spoken(body.text), nameOf(identity)),
    async showChat({ params: { chat }, query: { from, limit = usualEntries } }) {
      const all = chats();
      const shown = await all.show(chat);
      const entries = await all.entries(chat);
      const first = from ?? Math.max(0, entries.length - limit);
      return {
        chat: shown,
        state: all.stateOf(chat),
        entries: entries
          .slice(first, first + limit)
          .map((entry, at) => ({ seq: first + at, entry: shownChatEntry(entry) })),
        total: entries.length,
        spent: spentOf(entries),
      };
    },
    sendMessage: ({ params: { chat }, body, identity }) =>
      chats().send(chat, spoken(body.text), nameOf(identity)),
    continueChat: ({ params: { chat } }) => chats().goOn(chat),
    stopChat: ({ params: { chat } }) => chats().stop(chat),
    approveCall: ({ params: { chat, approval }, body, identity }) =>
      chats().approve(chat, approval, { approval: body.approval, by: nameOf(identity) }),
    renameChat: ({ params: { chat }, body, identity }) =>
      chats().rename(chat, spoken(body.title), nameOf(identity)),
    async deleteChat({ params: { chat } }) {
      await chats().remove(chat);
      return { deleted: chat };
    },
    async exportChat({ params: { chat }, query: { format = 'markdown' } }) {
      const { title } = await chats().show(chat);
      const entries = await chats().entries(chat);
      const [text, ending] =
        format === 'jsonl'
          ? [entries.map(renderEntry).join(''), 'jsonl']
          : [renderChat(title, entries), 'md'];
      return new Response(text, {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${chat}.${ending}"`,
          'cache-control': 'no-store',
        },
      });
    },
  };
}

/** Throws USAGE for nothing. */
function spoken(text: string): string {
  if (text.trim() === '') throw new TechneError('USAGE', 'the text is empty', { hint: 'write something' });
  return text;
}

function nameOf({ role, name }: Identity): string {
  return `${role} ${name}`;
}
