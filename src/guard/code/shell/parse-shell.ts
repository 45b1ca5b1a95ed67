// Shell text -> commands, as far as a scan needs them.
//
//   text -> pipelines of commands -> words (literal parts, variables, substitutions), assignments, redirections
//
// H1. Every character is read once; substitutions nest at most `maxDepth` deep; deeper ones are left out, and that is said.
// H2. Nothing fails: what is no shell gives commands that mean nothing.
// Quoting is resolved here, so `c""url` and `cu\rl` are the word `curl`.
import type { Work } from '../../detector.ts';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'substitution'; readonly script: Script; readonly process: boolean };

export interface Word {
  readonly parts: readonly Part[];
  readonly start: number;
  readonly end: number;
}

export interface Redirection {
  /** `>`, `>>`, `<`, `<<<`, `<<`. */
  readonly operator: string;
  readonly target: Word;
}

export interface Command {
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** Its input is the output of a loop or of a group before it. */
  readonly fromBlock: boolean;
  readonly start: number;
  readonly end: number;
}

/** The output of each command is the input of the next. */
export type Pipeline = readonly Command[];
export type Script = readonly Pipeline[];

const maxDepth = 12;
const maxWord = 20_000;

interface Reader {
  readonly text: string;
  readonly limit: number;
  at: number;
  depth: number;
  readonly work: Work;
  readonly heredocs: { readonly word: string; readonly give: (body: Word) => void }[];
}

export function parseShell(text: string, work: Work): Script {
  work.charge(text.length);
  return readScript({ text, limit: text.length, at: 0, depth: 0, work, heredocs: [] }, '');
}

/** Up to `closer`, which is consumed. */
function readScript(reader: Reader, closer: '' | ')' | '`' | '}'): Script {
  const pipelines: Command[][] = [];
  let pipeline: Command[] = [];
  let builder = new CommandBuilder(reader.at);
  let fromBlock = false;
  const endCommand = (): void => {
    const command = builder.build(reader.at);
    if (command !== null) {
      pipeline.push(fromBlock ? { ...command, fromBlock } : command);
      fromBlock = false;
    }
    builder = new CommandBuilder(reader.at);
  };
  const endPipeline = (): void => {
    endCommand();
    if (pipeline.length > 0) pipelines.push(pipeline);
    pipeline = [];
  };
  while (reader.at < reader.limit) {
    const character = reader.text[reader.at] as string;
    if (closer !== '' && character === closer) {
      reader.at += 1;
      break;
    }
    if (character === '\n') {
      reader.at += 1;
      endPipeline();
      readHeredocs(reader);
    } else if (character === ' ' || character === '\t' || character === '\r') reader.at += 1;
    else if (character === '\\' && /^\\\r?\n/.test(reader.text.slice(reader.at, reader.at + 3))) {
      reader.at = reader.text.indexOf('\n', reader.at) + 1;
    } else if (character === '#' && builder.atBoundary(reader.text, reader.at)) {
      const end = reader.text.indexOf('\n', reader.at);
      reader.at = end === -1 ? reader.limit : end;
    } else if (character === ';') {
      reader.at += 1;
      endPipeline();
    } else if (character === '|') {
      const double = reader.text[reader.at + 1] === '|';
      reader.at += double ? 2 : reader.text[reader.at + 1] === '&' ? 2 : 1;
      if (double) endPipeline();
      else {
        fromBlock ||= builder.isEmpty() && pipeline.length === 0 && pipelines.length > 0;
        endCommand();
      }
    } else if (character === '&') {
      if (reader.text[reader.at + 1] === '>') {
        reader.at += 1;
        continue;
      }
      reader.at += reader.text[reader.at + 1] === '&' ? 2 : 1;
      endPipeline();
    } else if (character === '(' && !builder.isEmpty() && reader.text[reader.at + 1] !== ')') {
      // PowerShell: `iex (irm URL)`. In other shells a word is never followed by an opening parenthesis.
      const start = reader.at;
      reader.at += 1;
      const part = substitution(reader, ')', false);
      builder.add({ parts: [part], start, end: reader.at });
    } else if (character === '(' || character === ')') {
      reader.at += 1;
      endPipeline();
    } else if (character === '<' || character === '>') readRedirection(reader, builder);
    else if (character === '{' && builder.isEmpty() && /\s/.test(reader.text[reader.at + 1] ?? ' '))
      reader.at += 1;
    else {
      const before = reader.at;
      const word = readWord(reader, closer);
      if (reader.at === before) reader.at += 1;
      else builder.add(word);
    }
  }
  endPipeline();
  return pipelines;
}

function readHeredocs(reader: Reader): void {
  for (const { word, give } of reader.heredocs.splice(0)) {
    const start = reader.at;
    let end = start;
    let next = reader.limit;
    while (end < reader.limit) {
      const stop = reader.text.indexOf('\n', end);
      const lineEnd = stop === -1 ? reader.limit : stop;
      if (lineEnd - end < word.length + 20 && reader.text.slice(end, lineEnd).trim() === word) {
        next = Math.min(lineEnd + 1, reader.limit);
        break;
      }
      end = lineEnd + 1;
    }
    const stop = Math.min(end, reader.limit);
    give({ parts: [{ kind: 'text', text: reader.text.slice(start, stop) }], start, end: stop });
    reader.at = next;
  }
}

function readRedirection(reader: Reader, builder: CommandBuilder): void {
  const { text } = reader;
  const start = reader.at;
  if (text[start + 1] === '(') {
    builder.add(readWord(reader, ''));
    return;
  }
  // `2>`: of another output than the usual one, which goes on.
  const stream = /\d/.test(text[start - 1] ?? '') ? builder.takeStream(start) : null;
  const operator =
    /^(?:<<<|<<-?|>>|>\||<>|<|>)/.exec(text.slice(start, start + 3))?.[0] ?? text[start] ?? '>';
  reader.at += operator.length;
  if (text[reader.at] === '&') reader.at += 1;
  while (text[reader.at] === ' ' || text[reader.at] === '\t') reader.at += 1;
  const target = readWord(reader, '');
  if (operator.startsWith('<<') && operator !== '<<<') {
    const word = target.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    if (word !== '')
      reader.heredocs.push({ word, give: (body) => builder.redirect({ operator: '<<', target: body }) });
    return;
  }
  const [part] = target.parts;
  const isStream = target.parts.length === 1 && part?.kind === 'text' && /^[\d-]$/.test(part.text);
  if ((stream === null || stream === '1') && !isStream) builder.redirect({ operator, target });
}

function readWord(reader: Reader, closer: string): Word {
  const start = reader.at;
  const parts: Part[] = [];
  let literal = '';
  const flush = (): void => {
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
  };
  while (reader.at < reader.limit && reader.at - start < maxWord) {
    const character = reader.text[reader.at] as string;
    if (character === closer || ' \t\r\n;|&'.includes(character)) break;
    if (character === ')' || (character === '(' && literal === '' && parts.length === 0)) break;
    if (character === '<' || character === '>') {
      if (reader.text[reader.at + 1] !== '(' || reader.at !== start) break;
      reader.at += 2;
      flush();
      parts.push(substitution(reader, ')', true));
    } else if (character === '\\') {
      const next = reader.text[reader.at + 1];
      if (next !== '\n' && next !== undefined) literal += next;
      reader.at += 2;
    } else if (character === "'") {
      const end = reader.text.indexOf("'", reader.at + 1);
      const stop = end === -1 ? reader.limit : end;
      const ansi = literal.endsWith('$');
      const content = reader.text.slice(reader.at + 1, stop);
      literal = ansi ? literal.slice(0, -1) + unescapeAnsi(content) : literal + content;
      reader.at = stop + 1;
    } else if (character === '"') {
      reader.at += 1;
      flush();
      readQuoted(reader, parts);
    } else if (character === '$' || character === '`') {
      flush();
      const part = readExpansion(reader);
      if (part === null) {
        literal += character;
        reader.at += 1;
      } else if (part.kind === 'variable' && part.name === 'IFS') break;
      else parts.push(part);
    } else {
      literal += character;
      reader.at += 1;
    }
  }
  flush();
  return { parts, start, end: Math.min(reader.at, reader.limit) };
}

function readQuoted(reader: Reader, parts: Part[]): void {
  let literal = '';
  const flush = (): void => {
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
  };
  while (reader.at < reader.limit) {
    const character = reader.text[reader.at] as string;
    if (character === '"') {
      reader.at += 1;
      break;
    }
    if (character === '\\') {
      const next = reader.text[reader.at + 1] ?? '';
      literal += '$`"\\\n'.includes(next) ? (next === '\n' ? '' : next) : `\\${next}`;
      reader.at += 2;
    } else if (character === '$' || character === '`') {
      flush();
      const part = readExpansion(reader);
      if (part === null) {
        literal += character;
        reader.at += 1;
      } else parts.push(part);
    } else {
      literal += character;
      reader.at += 1;
    }
  }
  flush();
}

/** At `$` or a backtick. `null`: it is an ordinary character. */
function readExpansion(reader: Reader): Part | null {
  const { text, at } = reader;
  if (text[at] === '`') {
    reader.at += 1;
    return substitution(reader, '`', false);
  }
  const next = text[at + 1] ?? '';
  if (next === '(') {
    reader.at += 2;
    return substitution(reader, ')', false);
  }
  if (next === '{') {
    const length = text.slice(at, at + 200).indexOf('}');
    if (length === -1) return null;
    const end = at + length;
    reader.at = end + 1;
    const inner = text.slice(at + 2, end);
    const name = /^[!#]?(\w{1,64})/.exec(inner)?.[1] ?? '';
    return { kind: 'variable', name };
  }
  const name = /^\w{1,64}/.exec(text.slice(at + 1, at + 66))?.[0];
  if (name !== undefined) {
    reader.at += 1 + name.length;
    return { kind: 'variable', name };
  }
  return null;
}

function substitution(reader: Reader, closer: ')' | '`', process: boolean): Part {
  if (reader.depth >= maxDepth) {
    reader.work.leaveOut?.('it has commands that are nested too deep');
    return { kind: 'text', text: '' };
  }
  reader.depth += 1;
  const script = readScript(reader, closer);
  reader.depth -= 1;
  return { kind: 'substitution', script, process };
}

/** `$'…'`: the escapes that hide words. */
function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|(.))/g,
    (_, hex, octal, unicode, other) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCodePoint(parseInt(code as string, 16));
      if (octal !== undefined) return String.fromCodePoint(parseInt(octal as string, 8));
      return other === 'n' ? '\n' : other === 't' ? '\t' : (other as string);
    },
  );
}

const keywords = new Set([
  'if',
  'then',
  'else',
  'elif',
  'do',
  'while',
  'until',
  '!',
  'time',
  'fi',
  'done',
  '{',
  '}',
  'esac',
]);
/** Words before a command that leave it what it is; `$`, `%` and `>` are prompts of an example. */
const prefixes = new Set([
  'sudo',
  'nohup',
  'command',
  'exec',
  'builtin',
  'env',
  'doas',
  '$',
  '%',
  'timeout',
  'nice',
  'setsid',
  '>',
]);

class CommandBuilder {
  readonly #start: number;
  readonly #words: Word[] = [];
  readonly #assignments: { name: string; value: Word }[] = [];
  readonly #redirections: Redirection[] = [];

  constructor(start: number) {
    this.#start = start;
  }

  /** The number that ends at `end`, which is then no word. */
  takeStream(end: number): string | null {
    const last = this.#words.at(-1);
    const [part] = last?.parts ?? [];
    if (
      last === undefined ||
      last.end !== end ||
      last.parts.length !== 1 ||
      part?.kind !== 'text' ||
      !/^\d$/.test(part.text)
    )
      return null;
    this.#words.pop();
    return part.text;
  }

  isEmpty(): boolean {
    return this.#words.length === 0;
  }

  atBoundary(text: string, at: number): boolean {
    return at === 0 || ' \t\n;|&('.includes(text[at - 1] as string);
  }

  redirect(redirection: Redirection): void {
    this.#redirections.push(redirection);
  }

  add(word: Word): void {
    const first = word.parts[0];
    const literal = first?.kind === 'text' ? first.text : '';
    if (this.#words.length === 0) {
      if (word.parts.length === 1 && keywords.has(literal)) return;
      const assignment = /^([A-Za-z_]\w{0,63})\+?=/.exec(literal);
      if (assignment !== null) {
        const rest = literal.slice(assignment[0].length);
        const parts = [
          ...(rest === '' ? [] : [{ kind: 'text' as const, text: rest }]),
          ...word.parts.slice(1),
        ];
        this.#assignments.push({ name: assignment[1] as string, value: { ...word, parts } });
        return;
      }
    }
    this.#words.push(word);
  }

  build(stop: number): Command | null {
    if (this.#words.length === 0 && this.#assignments.length === 0 && this.#redirections.length === 0)
      return null;
    let last = 0;
    for (const word of this.#words) last = Math.max(last, word.end);
    for (const { value } of this.#assignments) last = Math.max(last, value.end);
    for (const { target } of this.#redirections) last = Math.max(last, target.end);
    const end = Math.min(stop, last || stop);
    let from = 0;
    while (from < this.#words.length - 1 && isPrefix(this.#words, from)) from += 1;
    const words = from === 0 ? this.#words : this.#words.slice(from);
    const start = Math.min(words[0]?.start ?? end, this.#assignments[0]?.value.start ?? end);
    const redirections = this.#redirections;
    return {
      assignments: this.#assignments,
      words,
      redirections,
      fromBlock: false,
      start: Math.max(start, this.#start),
      end,
    };
  }
}

function isPrefix(words: readonly Word[], index: number): boolean {
  const { parts } = words[index] as Word;
  const [first] = parts;
  // Nearly every word is one text.
  const text =
    parts.length === 1 && first?.kind === 'text'
      ? first.text
      : parts.map((part) => (part.kind === 'text' ? part.text : '\0')).join('');
  if (prefixes.has(text)) return true;
  const before = index > 0;
  // Options of a prefix: `sudo -E`, `timeout 10`, `env A=b`.
  return before && (/^-[a-zA-Z]+$/.test(text) || /^\d+[smh]?$/.test(text) || /^[A-Za-z_]\w*=/.test(text));
}
