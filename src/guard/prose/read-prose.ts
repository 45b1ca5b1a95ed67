// Markdown or plain text -> sentences, each word with its concepts.
//
//   text -> blocks (paragraph, item, heading, row of a table, line of a fence) -> sentences -> words, concepts at their positions
//
// R1. Every character is looked at a bounded number of times; a sentence has at most `maxWords` words, longer ones are cut.
// R2. A sentence knows how it stands there: its kind of block, its heading, whether the line before announces an example.
import type { Work } from '../detector.ts';
import { taintOfPath } from '../code/taint.ts';
import type { HostKind } from '../detect/hosts.ts';
import { hostOf } from '../detect/hosts.ts';
import type { Dictionary, VerbForm } from './dictionary.ts';
import { dictionary } from './dictionary.ts';

export type BlockKind = 'text' | 'item' | 'heading' | 'row' | 'fence' | 'quote' | 'head';

export interface ProseWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Clauses are counted from 0 in each sentence. */
  readonly clause: number;
  readonly quoted: boolean;
}

/** Not in this map: a base form, or no verb. */
export type VerbForms = ReadonlyMap<string, VerbForm>;

export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly kind: BlockKind;
  readonly words: readonly ProseWord[];
  /** Concept -> positions in `words`, ascending. */
  readonly concepts: ReadonlyMap<string, readonly number[]>;
  /** `concept:position` of verbs that stand in another form than their base. */
  readonly forms: VerbForms;
  /** The concepts of the headings above it and of the line that leads to it. */
  readonly around: ReadonlySet<string>;
}

const maxWords = 120;
const token =
  /((?:https?|ftp|wss?|ssh|git|s3|gs):\/\/[^\s<>"'`)\]，。；）]{1,2000})|([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})|([\u3400-\u9fff]{1,200})|([^\s,;:!?()[\]{}"“”„|<>`*\u2014\u3000-\u303f\u3400-\u9fff\uff00-\uffef]{1,500})|(\S)/gy;

interface Block {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  readonly around: ReadonlySet<string>;
}

export function readProse(
  text: string,
  kindOfHost: (host: string) => HostKind,
  work: Work,
): readonly Sentence[] {
  work.charge(text.length * 4);
  const words = dictionary();
  const sentences: Sentence[] = [];
  const headings: { readonly depth: number; readonly concepts: ReadonlySet<string> }[] = [];
  let leadIn: ReadonlySet<string> = new Set();
  for (const block of blocksOf(text)) {
    const around = new Set<string>();
    for (const { concepts } of headings) for (const concept of concepts) around.add(concept);
    if (block.kind !== 'text' && block.kind !== 'heading') for (const concept of leadIn) around.add(concept);
    const read = readBlock(text, { ...block, around }, words, kindOfHost);
    for (const sentence of read) sentences.push(sentence);
    if (block.kind === 'heading') {
      const depth = /^\s{0,3}(#{1,6})/.exec(text.slice(block.start, block.start + 10))?.[1]?.length ?? 1;
      while (headings.length > 0 && (headings.at(-1) as { depth: number }).depth >= depth) headings.pop();
      headings.push({ depth, concepts: new Set(read.flatMap(({ concepts }) => [...concepts.keys()])) });
      leadIn = new Set();
    } else if (block.kind === 'text') leadIn = new Set(read.at(-1)?.concepts.keys());
  }
  return sentences;
}

function* blocksOf(text: string): Generator<Omit<Block, 'around'>> {
  let fence: string | null = null;
  let paragraph = -1;
  let end = 0;
  let kind: BlockKind = 'text';
  const headEnd = text.startsWith('---') ? text.indexOf('\n---', 3) : -1;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const stop = newline === -1 ? text.length : newline;
    const line = text.slice(at, Math.min(stop, at + 120));
    const mark = /^[ \t>]{0,12}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    const starts = mark !== null && (fence === null || mark.startsWith(fence));
    const single: BlockKind | null =
      at < headEnd
        ? 'head'
        : fence !== null
          ? 'fence'
          : /^\s{0,3}#{1,6}\s/.test(line)
            ? 'heading'
            : /^\s{0,3}\|/.test(line)
              ? 'row'
              : null;
    const isItem = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s/.test(line);
    const isQuote = /^\s{0,3}>/.test(line);
    const isBlank = line.trim() === '';
    if (
      paragraph !== -1 &&
      (isBlank || starts || single !== null || isItem || (isQuote && kind !== 'quote'))
    ) {
      yield { kind, start: paragraph, end };
      paragraph = -1;
    }
    if (starts) fence = fence === null ? (mark as string) : null;
    else if (single !== null) yield { kind: single, start: at, end: stop };
    else if (!isBlank) {
      if (paragraph === -1) {
        paragraph = at;
        kind = isItem ? 'item' : isQuote ? 'quote' : 'text';
      }
      end = stop;
    }
    at = newline === -1 ? text.length : newline + 1;
  }
  if (paragraph !== -1) yield { kind, start: paragraph, end };
}

const abbreviations = new Set([
  'e.g.',
  'i.e.',
  'etc.',
  'vs.',
  'cf.',
  'mr.',
  'dr.',
  'no.',
  'approx.',
  'max.',
  'min.',
  'incl.',
  'z.b.',
  'bzw.',
]);

function readBlock(
  text: string,
  block: Block,
  words: Dictionary,
  kindOfHost: (host: string) => HostKind,
): Sentence[] {
  const sentences: Sentence[] = [];
  let builder = new SentenceBuilder(block, words, kindOfHost);
  const finish = (): void => {
    const sentence = builder.build();
    if (sentence !== null) sentences.push(sentence);
    builder = new SentenceBuilder(block, words, kindOfHost);
  };
  const part = text.slice(block.start, block.end);
  let quoted = false;
  let inCode = false;
  token.lastIndex = 0;
  for (let at = 0; at < part.length;) {
    const code = part.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13) || code === 0xa0) {
      at += 1;
      continue;
    }
    token.lastIndex = at;
    const match = token.exec(part);
    if (match === null) {
      at += 1;
      continue;
    }
    const [whole, url, email, han, chunk, mark] = match;
    const start = block.start + at;
    at += whole.length;
    if (url !== undefined) builder.place(url.replace(/[.,;:]+$/, ''), start, quoted);
    else if (email !== undefined)
      builder.email(
        email,
        start,
        quoted,
        inCode && !(part[at - whole.length - 1] === '`' && part[at] === '`'),
      );
    else if (han !== undefined) builder.han(han, start, quoted);
    else if (chunk !== undefined) {
      builder.chunk(chunk, start, quoted);
      const next = part[at];
      if (
        chunk.endsWith('.') &&
        (next === undefined || /\s/.test(next) || next === '"' || next === '”') &&
        !abbreviations.has(chunk.toLowerCase())
      )
        finish();
    } else if (mark !== undefined) {
      if (mark === '`') inCode = !inCode;
      if (mark === '"' || mark === '“' || mark === '”' || mark === '「' || mark === '」')
        quoted = mark === '"' ? !quoted : mark === '“' || mark === '「';
      else if ('!?。！？；'.includes(mark)) finish();
      else if (',;:()，：、\u2014'.includes(mark)) builder.clause();
    }
    if (builder.isFull()) finish();
  }
  finish();
  return sentences;
}

/** Where the marks at the end of a word begin. */
function lastLetter(chunk: string): number {
  let end = chunk.length;
  while (end > 0 && ".'’_".includes(chunk[end - 1] as string)) end -= 1;
  return end;
}

class SentenceBuilder {
  readonly #kindOfHost: (host: string) => HostKind;
  readonly #block: Block;
  readonly #dictionary: Dictionary;
  readonly #words: ProseWord[] = [];
  readonly #concepts = new Map<string, number[]>();
  readonly #forms = new Map<string, VerbForm>();
  #clause = 0;

  constructor(block: Block, words: Dictionary, kindOfHost: (host: string) => HostKind) {
    this.#kindOfHost = kindOfHost;
    this.#block = block;
    this.#dictionary = words;
  }

  isFull(): boolean {
    return this.#words.length >= maxWords;
  }

  clause(): void {
    this.#clause += 1;
  }

  #push(text: string, start: number, end: number, quoted: boolean): number {
    this.#words.push({ text, start, end, clause: this.#clause, quoted });
    return this.#words.length - 1;
  }

  #mark(concept: string, position: number): void {
    const positions = this.#concepts.get(concept);
    if (positions === undefined) this.#concepts.set(concept, [position]);
    else if (positions.at(-1) !== position) positions.push(position);
  }

  place(url: string, start: number, quoted: boolean): void {
    const kindOfHost = this.#kindOfHost;
    const position = this.#push(url, start, start + url.length, quoted);
    this.#mark('URL', position);
    const kind = url.startsWith('s3:') || url.startsWith('gs:') ? 'unknown-host' : kindOfHost(hostOf(url));
    if (kind === 'unknown-host' || kind === 'address' || kind === 'shortener')
      this.#mark('UNKNOWN_HOST', position);
    if (kind === 'address') this.#mark('ADDRESS', position);
    if (kind === 'paste' || kind === 'shortener') this.#mark('PASTE', position);
    if (/\.(?:sh|py|js|mjs|ps1|bat|rb|pl)$/i.test(url)) this.#mark('SCRIPT_URL', position);
    if (
      this.#concepts.get('UNKNOWN_HOST')?.at(-1) === position &&
      /[?&](?:ref|aff|affiliate|partner|coupon|promo|code|c|via|tag)=\w/i.test(url)
    )
      this.#mark('REFERRAL_URL', position);
    if (/\.(?:zip|exe|dmg|pkg|msi|rar|7z|bin|scr|iso|appimage)$/i.test(url))
      this.#mark('BINARY_URL', position);
    if (kind === 'catcher' || kind === 'paste' || kind === 'shortener') this.#mark('CATCHER', position);
  }

  /** An address inside of a command is an example of its arguments; one that is set as code alone is not. */
  email(email: string, start: number, quoted: boolean, inCode: boolean): void {
    const position = this.#push(email, start, start + email.length, quoted);
    if (email.startsWith('git@')) this.#mark('GIT_ADDRESS', position);
    if (inCode || /^.{1,2}@/.test(email)) return;
    if (
      !/@(?:[\w-]+\.)*(?:example|test|company|yourcompany|domain|acme|contoso|email|users\.noreply\.github)\.|^(?:git|noreply|no-reply|user|you|your|name|me|someone|john|jane|alice|bob)[\w.+-]{0,20}@/i.test(
        email,
      )
    )
      this.#mark('EMAIL', position);
  }

  chunk(chunk: string, start: number, quoted: boolean): void {
    const lead = /^[_'’‘.]*/.exec(chunk)?.[0].length ?? 0;
    const from = chunk[lead - 1] === '.' && /[\w]/.test(chunk[lead] ?? '') ? lead - 1 : lead;
    const word = chunk.slice(from, lastLetter(chunk));
    if (word === '') return;
    const end = start + from + word.length;
    const lower = word.toLowerCase().replaceAll('’', "'");
    if (lower === 'but' || lower === 'then') this.#clause += 1;
    const position = this.#push(lower, start + from, end, quoted);
    if (
      /^[a-z0-9-]{2,40}(?:\.[a-z0-9-]{2,40}){1,3}\.(?:com|net|org|io|dev|cc|top|xyz|biz|info|co|ru|cn|site|online|click|space|club|cloud)$/.test(
        lower,
      )
    )
      this.#host(lower, position);
    if (/^(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/.test(word))
      this.#mark('CRYPTO_ADDRESS', position);
    if (/[./~\\]/.test(word) || /^id_(?:rsa|ed25519)/.test(lower)) this.#path(word, position);
  }

  /** A host without a scheme, with at least three labels: `relay.tides.net`. */
  #host(host: string, position: number): void {
    if (this.#kindOfHost(host) === 'unknown-host') this.#mark('UNKNOWN_HOST', position);
  }

  #path(path: string, position: number): void {
    const taint = taintOfPath(path);
    if (path.endsWith('authorized_keys')) this.#mark('SSH_KEYS', position);
    if (taint !== null)
      this.#mark(
        taint === 'memory' ? 'MEMORY_FILE' : taint === 'dotenv' ? 'DOTENV_FILE' : 'SECRET_FILE',
        position,
      );
    if (
      /\.(?:bashrc|zshrc|profile|bash_profile|zprofile)$|LaunchAgents|LaunchDaemons|authorized_keys|\.git\/hooks|\/etc\/(?:cron|systemd|sudoers|rc\.local)|systemd\/(?:user|system)/.test(
        path,
      )
    )
      this.#mark('PROFILE_FILE', position);
    if (
      /^(?:\/(?:etc|usr|bin|var|boot|lib|sbin|System|Library)(?:\/|$)|~\/?$|~\/(?:Documents|Desktop|Downloads|Pictures)\/?\*?$|C:\\)/i.test(
        path,
      )
    )
      this.#mark('SYSTEM_PATH', position);
  }

  han(run: string, start: number, quoted: boolean): void {
    for (let at = 0; at < run.length && !this.isFull();) {
      const phrases =
        this.#dictionary.byHan.get(run[at] as string)?.filter(({ text }) => run.startsWith(text, at)) ?? [];
      const longest = phrases[0]?.text.length ?? 0;
      if (longest === 0) {
        at += 1;
        continue;
      }
      const position = this.#push(run.slice(at, at + longest), start + at, start + at + longest, quoted);
      for (const { concept } of phrases) this.#mark(concept, position);
      at += longest;
    }
  }

  build(): Sentence | null {
    const words = this.#words;
    if (words.length === 0) return null;
    for (const [position, { text }] of words.entries())
      for (const { rest, concept, form } of this.#dictionary.byWord.get(text) ?? [])
        if (rest.every((word, at) => words[position + 1 + at]?.text === word)) {
          this.#mark(concept, position);
          if (form !== 'base') this.#forms.set(`${concept}:${position}`, form);
        }
    for (const positions of this.#concepts.values()) positions.sort((a, b) => a - b);
    const start = (words[0] as ProseWord).start;
    const end = (words.at(-1) as ProseWord).end;
    return {
      start,
      end,
      kind: this.#block.kind,
      words,
      concepts: this.#concepts,
      forms: this.#forms,
      around: this.#block.around,
    };
  }
}
