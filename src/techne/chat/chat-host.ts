// Conversations for a surface that holds several of them: opened when the first one is, as `techne chat` opens its own.
//
//   options -> the files of the user, and, when needed: skills with techne's own tools, the model, runs
//
// What is missing is looked for again with the next attempt, so that a model can be configured while the server runs.
import { openChatModel } from '../../answerers/open-chat-model.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import type { ChatLimits } from '../../chat/chat.ts';
import { defaultChatLimits } from '../../chat/chat.ts';
import type { OpenLog } from '../../node/chat/chat-files.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { OpenTechne } from '../create-techne.ts';
import { openTechne } from '../create-techne.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { ChatSurface, OpenChat } from './open-chat.ts';
import { openChat } from './open-chat.ts';
import type { StoredChats } from './stored-chats.ts';
import { openStoredChats } from './stored-chats.ts';
import { chatCommands } from './submit.ts';

export interface ChatHostOptions {
  /** The skills as conversations have them (`hostTools: 'techne'`). */
  readonly openLibrary: () => Promise<SkillLibrary>;
  /** `model`, `model:NAME`, `script:FILE` with an absolute path; null: the first model that is there. */
  readonly answerer: string | null;
  readonly homeFolder: string;
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly store?: string;
  readonly durable?: boolean;
  readonly onWarning: (message: string) => void;
}

/** What a message can name. */
export interface ChatCommand {
  readonly name: string;
  readonly what: string;
  readonly argumentHint: string | null;
  readonly kind: 'command' | 'instructions' | 'executable';
}

interface Ready {
  readonly techne: OpenTechne;
  readonly model: ChatModel;
  readonly limits: ChatLimits;
}

/** Of `/v1/chat-setup`. */
export interface ChatSetup {
  readonly model: Pick<ChatModel, 'name' | 'description'>;
  readonly limits: ChatLimits;
  readonly commands: readonly ChatCommand[];
  readonly mentions: readonly string[];
}

export class ChatHost {
  readonly files: StoredChats;
  readonly #options: ChatHostOptions;
  #ready: Promise<Ready> | null = null;
  #named: { readonly snapshot: Snapshot; readonly names: Pick<ChatSetup, 'commands' | 'mentions'> } | null =
    null;

  constructor(options: ChatHostOptions) {
    this.#options = options;
    this.files = openStoredChats(options.homeFolder);
  }

  /** Throws ENVIRONMENT or USAGE where no model can hold a conversation. */
  async setup(): Promise<ChatSetup> {
    const { techne, model, limits } = await this.#open();
    return { model, limits, ...(await this.#names(techne)) };
  }

  /** The model that a new conversation begins with. Throws as `setup`. */
  async modelName(): Promise<string> {
    return (await this.#open()).model.name;
  }

  /** Opens a conversation whose log is held. Throws as `setup`. */
  async open(id: string, log: Pick<OpenLog, 'entries' | 'append'>, surface: ChatSurface): Promise<OpenChat> {
    const { techne, model, limits } = await this.#open();
    // What has changed on the disk takes effect before the next message.
    await techne.refresh();
    await techne.runs.renew();
    const { variables } = this.#options;
    return openChat({ techne, variables, id, model, log, limits, surface, follows: false });
  }

  /** Holds the log of a conversation while `work` lasts. Throws LOCKED while another process has it. */
  hold<T>(id: string, first: ChatEntry | null, work: (log: OpenLog) => Promise<T>): Promise<T> {
    return this.files.open(id, first, work);
  }

  /** Effects of runs under way get this long to end; their runs begin nothing more. */
  async drain(graceMs: number): Promise<void> {
    const ready = await this.#ready?.catch(() => null);
    await ready?.techne.runs.drain(graceMs);
  }

  async close(): Promise<void> {
    const ready = await this.#ready?.catch(() => null);
    await ready?.techne.close();
  }

  #open(): Promise<Ready> {
    if (this.#ready !== null) return this.#ready;
    const opened = this.#openNow();
    this.#ready = opened;
    opened.catch(() => {
      this.#ready = null;
    });
    return opened;
  }

  async #openNow(): Promise<Ready> {
    const { openLibrary, answerer, homeFolder, cwd, variables, store, durable, onWarning } = this.#options;
    const library = await openLibrary();
    const { config } = library.loaded;
    const model = await openChatModel({ wanted: answerer, config, variables, files: library.files });
    const techne = await openTechne({
      origin: { surface: 'chat' },
      library,
      cwd,
      homeFolder,
      variables,
      answerer: model.name,
      watched: true,
      onWarning,
      ...(store === undefined ? {} : { store }),
      ...(durable === undefined ? {} : { durable }),
    });
    return { techne, model, limits: { ...defaultChatLimits, contextTokens: config.chat.contextTokens } };
  }

  async #names(techne: OpenTechne): Promise<Pick<ChatSetup, 'commands' | 'mentions'>> {
    const snapshot = await techne.refresh();
    if (this.#named?.snapshot === snapshot) return this.#named.names;
    const session = await techne.openSession({ snapshot, settings: { preload: [] }, holds: false });
    const names = {
      commands: [
        ...chatCommands.map(({ name, what }): ChatCommand => ({
          name,
          what,
          argumentHint: null,
          kind: 'command',
        })),
        ...session.commands().map(({ name, description, argumentHint }): ChatCommand => {
          const { form, bar } = snapshot.get(name).card;
          return {
            name,
            what: description,
            argumentHint,
            kind: form !== 'instructions' && bar === null ? 'executable' : 'instructions',
          };
        }),
      ],
      mentions: session.list().map(({ name }) => name),
    };
    this.#named = { snapshot, names };
    return names;
  }
}
