// Tokens of a script -> facts: flows from sources to sinks, and the commands that it runs.
//
//   tokens -> statements -> names with their values, twice -> flows in the second pass
//
// G1. A name has one value in a script; the value of a statement is the union of what is named in it. Branches and loops count as run.
// G2. What a function returns and what it does with its parameters is known to its callers, and what a module keeps in a name to those who import
//     it, also from other files of the skill (`World`).
// G3. Work is in proportion to the number of tokens: names are followed in two passes, never until nothing changes.
import type { Language, Work } from '../../detector.ts';
import { hostOf } from '../../detect/hosts.ts';
import type { Facts, Flow, InnerScript, RunCommand, Sink, Value } from '../facts.ts';
import { joinValues, maxNamed, nothing, plain, tainted, withTaint } from '../facts.ts';
import type { Taint } from '../taint.ts';
import { isSecretName, isWholeTree, taintOfPath } from '../taint.ts';
import type { Definition } from './statement.ts';
import { findAssignment, readDefinition, readImports, readTargets } from './statement.ts';
import type { Token } from './tokenise.ts';
import { closingsOf, maxTokens, tokenise } from './tokenise.ts';
import { evaluators, shells, sinkOf, sourceOf } from './vocabulary.ts';

/** What the functions of all scripts of a skill do. */
export interface World {
  readonly returns: Map<string, Value>;
  /** Functions that pass a parameter on to a sink. */
  readonly sinks: Map<string, Sink>;
  /** `module.name`: what the files of the skill keep in their names, by the last name of the file without its ending. */
  readonly values: Map<string, Value>;
}

export function createWorld(): World {
  return { returns: new Map(), sinks: new Map(), values: new Map() };
}

const maxFlows = 20_000;
const maxDepth = 60;
const unitsForFlow = 40;
const shortRange = 2;

export function followScript(
  text: string,
  language: Language,
  work: Work,
  world: World = createWorld(),
  /** Of a file that others can import. Default: null, no other file can. */
  path: string | null = null,
): Facts {
  const tokens = tokenise(text, language, work);
  const follower = new ScriptFollower(tokens, language, world, work);
  follower.pass(false);
  follower.pass(true);
  if (path !== null) follower.export(moduleOf(path));
  return follower;
}

/** `lib/reader.py`, `./lib/reader`, `.reader` -> `reader`. */
function moduleOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(?:[cm]?[jt]sx?|pyw?)$/, '').replace(/^\.+/, '');
}

interface Place {
  readonly start: number;
  readonly end: number;
  /** Tokens. */
  readonly from: number;
  readonly to: number;
}

class ScriptFollower implements Facts {
  readonly commands: RunCommand[] = [];
  readonly flows: Flow[] = [];
  readonly inner: InnerScript[] = [];
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #world: World;
  readonly #work: Work;
  readonly #values = new Map<string, Value>();
  readonly #aliases = new Map<string, string>();
  /** The index of each opening bracket -> that of the bracket that closes it. */
  readonly #closings: Int32Array;
  /** Of this pass: what each range of tokens gives, so that no range is looked at twice. */
  #known = new Map<number, Value>();
  /** Files that were loaded from the network, by their path. */
  readonly #loaded = new Map<string, Value>();
  #depth = 0;
  #connects = false;
  #reports = false;
  #function: (Definition & { readonly indent: number }) | null = null;

  constructor(tokens: readonly Token[], language: Language, world: World, work: Work) {
    this.#tokens = tokens;
    this.#language = language;
    this.#world = world;
    this.#work = work;
    this.#closings = closingsOf(tokens);
  }

  /** What is private or foreign in the names of this file, for those that import them. */
  export(module: string): void {
    for (const [name, value] of this.#values)
      if (value.taints.size > 0) this.#world.values.set(`${module}.${name}`, { ...value, text: '' });
  }

  /** `chain` names something of another file of the skill. */
  #imported(chain: string): Value | undefined {
    if (this.#world.values.size === 0) return undefined;
    const dot = chain.lastIndexOf('.');
    return dot <= 0
      ? undefined
      : this.#world.values.get(`${moduleOf(chain.slice(0, dot))}.${chain.slice(dot + 1)}`);
  }

  pass(reports: boolean): void {
    this.#reports = reports;
    this.#function = null;
    this.#known = new Map();
    let start = 0;
    let indent = 0;
    // What is open: a bracket, inside of which lines go on, or a block of statements.
    const open: ('bracket' | 'block')[] = [];
    this.#work.charge(this.#tokens.length * 8);
    for (let at = 0; at <= this.#tokens.length; at += 1) {
      const token = this.#tokens[at];
      const text = token?.kind === 'mark' ? token.text : '';
      let ends = token === undefined;
      if (text === '(' || text === '[') open.push('bracket');
      else if (text === '{') {
        const isBlock = this.#opensBlock(start, at);
        open.push(isBlock ? 'block' : 'bracket');
        ends = isBlock;
      } else if (text === ')' || text === ']') {
        if (open.at(-1) === 'bracket') open.pop();
      } else if (text === '}') ends = open.pop() === 'block';
      else if (token?.kind === 'line' || text === ';') ends = open.at(-1) !== 'bracket';
      if (!ends) continue;
      if (at > start) this.#statement(start, at, indent);
      if (text === '{') this.#parameters(start, at);
      start = at + 1;
      if (token?.kind === 'line') ({ indent } = token);
    }
  }

  /** After `=`, `:`, `,`, `(`, `return` or `const` a brace begins an object or names, whose lines belong to the statement. */
  #opensBlock(start: number, at: number): boolean {
    if (this.#language === 'python') return false;
    const before = at > start ? this.#tokens[at - 1]?.text : '';
    return !/^(?:[=:,([?]|return|\+=|\|\||&&|const|let|var|import|export)$/.test(before ?? '');
  }

  /** `(result) => {` in a call: the parameters get what the call gives. */
  #parameters(start: number, at: number): void {
    const arrow = this.#tokens[at - 1]?.text === '=>' ? at - 2 : at - 1;
    if (arrow <= start) return;
    const value = this.#value(start, at);
    if (value.taints.size === 0) return;
    for (let index = arrow; index > start && index > arrow - 8; index -= 1) {
      const { kind, text } = this.#tokens[index] as Token;
      if (kind === 'name') this.#values.set(text, { ...value, text: '' });
      else if (text !== ')' && text !== ',') break;
    }
  }

  #statement(start: number, end: number, indent: number): void {
    const first = this.#tokens[start] as Token;
    if (this.#function !== null && this.#language === 'python' && indent <= this.#function.indent)
      this.#function = null;
    const imports = readImports(this.#tokens, start, end, this.#language, this.#work);
    if (imports !== null) {
      for (const [name, of] of imports.names) this.#aliases.set(name, of);
      this.#connects ||= imports.connects;
      if (imports.isAll) return;
    }
    const definition = readDefinition(this.#tokens, start, end, this.#language);
    if (definition !== null) {
      this.#function = { ...definition, indent };
      if (definition.isAll) return;
    }
    const equal = findAssignment(this.#tokens, start, end);
    const value = this.#value(equal === -1 ? start : equal + 1, end);
    if (this.#language === 'powershell') {
      // A command and its arguments, without parentheses.
      const [command, next] = first.kind === 'name' ? this.#chain(start, end) : ['', end];
      if (evaluators.test(command) && next < end)
        this.#flow('execute', this.#value(next, end), command, {
          start: first.start,
          end: (this.#tokens[end - 1] as Token).end,
          from: start,
          to: end,
        });
    }
    if (equal !== -1) {
      this.#rename(start, equal, end);
      for (const name of readTargets(this.#tokens, start, equal)) {
        const before = this.#values.get(name);
        const adds = this.#tokens[equal]?.text !== '=';
        this.#values.set(
          name,
          before !== undefined && (adds || before.taints.size > 0) ? joinValues([before, value]) : value,
        );
      }
    } else if (first.text === 'for' || first.text === 'with' || first.text === 'foreach') {
      for (let at = start; at < end; at += 1) {
        const token = this.#tokens[at] as Token;
        const next = this.#tokens[at + 1];
        if (token.text === 'as' && next?.kind === 'name') this.#values.set(next.text, value);
        if (first.text !== 'with' && token.kind === 'name' && at < start + 6 && token.text !== first.text)
          this.#values.set(token.text, value);
      }
    }
    if (first.text === 'return' && this.#function !== null) {
      const { name } = this.#function;
      this.#world.returns.set(
        name,
        joinValues([this.#world.returns.get(name) ?? nothing, { ...value, text: '' }]),
      );
    }
  }

  /** `run = exec`: the name stands for the function from then on. */
  #rename(start: number, equal: number, end: number): void {
    const right = this.#tokens[equal + 1];
    const name = this.#tokens[equal - 1];
    if (right?.kind !== 'name' || name?.kind !== 'name' || equal - start > 2) return;
    const [chain, next] = this.#chain(equal + 1, end);
    if (next >= end && (evaluators.test(chain) || shells.test(chain) || sinkOf(chain, false) !== null))
      this.#aliases.set(name.text, chain);
  }

  /** The union of everything named from `start` to `end`; calls in it are judged. */
  #value(start: number, end: number): Value {
    // So few tokens hold no call: they are cheaper to read again than to keep.
    const isShort = end - start <= shortRange;
    const key = isShort ? 0 : start * maxTokens + end;
    const known = isShort ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#depth >= maxDepth) {
      this.#work.leaveOut?.('it has code that is nested too deep to be followed');
      return nothing;
    }
    this.#depth += 1;
    this.#work.charge((end - start) * 2);
    const value = this.#evaluate(start, end);
    this.#work.charge(value.text.length >> 3);
    this.#depth -= 1;
    if (!isShort) this.#known.set(key, value);
    return value;
  }

  #evaluate(start: number, end: number): Value {
    const parts: Value[] = [];
    let isConstant = true;
    for (let at = start; at < end; at += 1) {
      const token = this.#tokens[at] as Token;
      if (token.kind === 'text') parts.push(this.#literal(token));
      else if (token.kind === 'name') {
        const [chain, next] = this.#chain(at, end);
        const open = this.#tokens[next];
        const calls = open?.kind === 'mark' && open.text === '(' && next < end;
        if (calls) {
          const close = this.#closing(next, end);
          parts.push(this.#call(chain, next + 1, close, at));
          at = close;
          isConstant = false;
        } else {
          const value = this.#named(chain, at, next, end);
          isConstant &&= value.text !== '' || chain === 'const' || chain === 'return';
          parts.push(value);
          at = next - 1;
        }
      } else if (
        token.kind === 'mark' &&
        token.text !== '+' &&
        token.text !== '(' &&
        token.text !== ')' &&
        token.text !== ',' &&
        token.text !== '[' &&
        token.text !== ']'
      )
        isConstant = false;
    }
    const value = joinValues(parts);
    if (isConstant || value.text === '') return value;
    // Of what is computed only addresses and paths are kept, each once: values of loops are made of themselves.
    const kept = new Set<string>();
    for (const { text } of parts)
      for (const word of text.split(' ')) if (/:\/\/|^[~/.]/.test(word)) kept.add(word);
    return joinValues([{ ...value, text: '' }, plain([...kept].join(' '))]);
  }

  #literal(token: Token): Value {
    const { text, names } = token;
    const taint = text.length < 300 ? taintOfPath(text) : null;
    const value = taint === null ? plain(text) : tainted(taint, text);
    if (names.length === 0) return value;
    return joinValues([
      value,
      ...names.map((name) => ({ ...this.#named(this.#resolve(name), -1, -1, -1), text: '' })),
    ]);
  }

  /** `a.b.c` from `at`; also `require('x').y`, `__import__('x').y` and `getattr(a, 'b')`. */
  #chain(at: number, end: number): readonly [string, number] {
    let chain = (this.#tokens[at] as Token).text;
    let next = at + 1;
    const argument = this.#tokens[next + 1];
    if (
      (chain === 'require' || chain === '__import__') &&
      this.#tokens[next]?.text === '(' &&
      argument?.kind === 'text'
    ) {
      const close = this.#closing(next, end);
      chain = this.#value(next + 1, close).text.replace(/^node:/, '') || argument.text;
      next = close + 1;
    } else if (chain === 'getattr' && this.#tokens[next]?.text === '(') {
      const close = this.#closing(next, end);
      const comma = this.#comma(next, Math.min(close, next + 40));
      if (comma !== -1 && close - next < 40) {
        const of = this.#value(next + 1, comma).text || (this.#tokens[next + 1]?.text ?? '');
        const named = this.#value(comma + 1, close).text;
        if (named !== '') {
          chain = `${of}.${named}`;
          next = close + 1;
        }
      }
    }
    while (
      next + 1 < end &&
      /^(?:\.|\?\.|::|->)$/.test(this.#tokens[next]?.text ?? '') &&
      this.#tokens[next + 1]?.kind === 'name'
    ) {
      chain += `.${(this.#tokens[next + 1] as Token).text}`;
      next += 2;
    }
    // `object['na' + 'me'](…)`.
    if (this.#tokens[next]?.text === '[' && next < end) {
      const close = this.#closing(next, end);
      const member =
        close - next <= 12 && this.#tokens[close + 1]?.text === '(' && close + 1 < end
          ? this.#value(next + 1, close).text
          : '';
      if (/^[A-Za-z_]\w{0,40}$/.test(member)) {
        chain += `.${member}`;
        next = close + 1;
      }
    }
    // Commands of PowerShell: `Invoke-Expression`.
    while (
      this.#language === 'powershell' &&
      this.#tokens[next]?.text === '-' &&
      this.#tokens[next + 1]?.start === this.#tokens[next]?.end &&
      this.#tokens[next + 1]?.kind === 'name' &&
      this.#tokens[next - 1]?.end === this.#tokens[next]?.start
    ) {
      chain += `-${(this.#tokens[next + 1] as Token).text}`;
      next += 2;
    }
    return [this.#resolve(chain), next];
  }

  #comma(from: number, to: number): number {
    for (let at = from + 1; at < to; at += 1) if (this.#tokens[at]?.text === ',') return at;
    return -1;
  }

  #resolve(chain: string): string {
    const dot = chain.indexOf('.');
    const first = dot === -1 ? chain : chain.slice(0, dot);
    const alias = this.#aliases.get(first);
    return alias === undefined ? chain : alias + (dot === -1 ? '' : chain.slice(dot));
  }

  #closing(open: number, end: number): number {
    const close = this.#closings[open] as number;
    return close === -1 ? end : Math.min(close, end);
  }

  #named(chain: string, at: number, next: number, end: number): Value {
    const env = /^(?:os\.environ|process\.env|\$env|ENV|Deno\.env)(?:\.(\w+))?$/.exec(chain);
    if (env !== null) {
      const index = next < end && this.#tokens[next]?.text === '[' ? this.#tokens[next + 1] : undefined;
      const name = env[1] ?? (index?.kind === 'text' ? index.text : undefined);
      if (name !== undefined)
        return /^(?:copy|items|values)$/.test(name)
          ? tainted('environment')
          : isSecretName(name)
            ? { ...tainted('key'), keys: [name] }
            : nothing;
      return index !== undefined || at === -1 ? nothing : tainted('environment');
    }
    const first = chain.split('.')[0] as string;
    const known = this.#values.get(chain) ?? this.#imported(chain) ?? this.#values.get(first);
    if (known !== undefined) return known;
    const source = sourceOf(chain);
    return source === null || source === 'network' || source === 'decoded' || source === 'content'
      ? nothing
      : tainted(source);
  }

  #call(chain: string, start: number, close: number, at: number): Value {
    const last = this.#tokens[Math.min(close, this.#tokens.length - 1)] as Token;
    const place: Place = { start: (this.#tokens[at] as Token).start, end: last.end, from: at, to: close };
    const args = this.#value(start, close);
    const receiver = chain.includes('.')
      ? (this.#values.get(chain.split('.')[0] as string) ?? nothing)
      : nothing;
    if (/^(?:os\.environ\.get|os\.getenv|getenv|Deno\.env\.get|process\.env\.get)$/.test(chain)) {
      const name = this.#tokens[start]?.text ?? '';
      return isSecretName(name) ? { ...tainted('key'), keys: [name] } : nothing;
    }
    if (/(?:^|\.)(?:urlretrieve|DownloadFile|downloadFile|getstore)$/.test(chain))
      for (let index = start; index < close; index += 1) {
        const { kind, text } = this.#tokens[index] as Token;
        if (kind === 'text' && !text.includes('://') && text !== '')
          this.#loaded.set(text, { ...tainted('network'), urls: urlsIn(args.text) });
      }
    if (/^os\.environ\.(?:copy|items|values|keys)$/.test(chain)) return tainted('environment');
    if ((chain === 'import' || chain === 'importScripts') && urlsIn(args.text).length > 0)
      this.#flow('execute', { ...tainted('network'), urls: urlsIn(args.text) }, chain, place);
    else if (
      evaluators.test(chain) &&
      start < close &&
      !(this.#language === 'javascript' && chain === 'exec') &&
      !(/^set(?:Timeout|Interval)$/.test(chain) && this.#isFunction(start, close))
    )
      this.#flow('execute', args, chain, place);
    else if (
      shells.test(chain) ||
      (this.#language === 'javascript' && /^(?:exec|execSync|spawn|spawnSync)$/.test(chain))
    )
      this.#shell(chain, start, close, args, place);
    else {
      const sink =
        sinkOf(chain, this.#connects) ?? this.#world.sinks.get(chain.split('.').at(-1) as string) ?? null;
      if (sink !== null && sink !== 'execute') {
        const sent = this.#sent(start, close);
        this.#flow(
          sink,
          joinValues([sent, { ...receiver, taints: new Set<Taint>() }]),
          chain,
          place,
          `${args.text} ${receiver.text}`,
        );
      }
    }
    const home = /^(?:pathlib\.)?Path\.(home|cwd)$/.exec(chain)?.[1];
    if (home !== undefined) return plain(home === 'home' ? '~' : '.');
    const walk = /(?:^|\.)(?:walk|rglob|glob|make_archive|readdirSync|globSync)$/.exec(chain);
    // `folder.glob('*')` is all of that folder.
    const within = /^(?!glob\.|Path\.|fs\.|os\.)\w+\.r?glob$/.test(chain) ? receiver.text : args.text;
    if (walk !== null && (isWholeTree(within) || /Path\.home|os\.homedir|expanduser/.test(args.text)))
      return withTaint(args, 'files');
    const source =
      sourceOf(chain) ?? (/^Buffer\.from$/.test(chain) && /base64|hex/.test(args.text) ? 'decoded' : null);
    const returned = this.#world.returns.get(chain.split('.').at(-1) as string) ?? nothing;
    const joined = joinValues([args, receiver, returned]);
    if (source === null) return joined;
    if (source === 'network') return { ...tainted('network'), urls: urlsIn(args.text) };
    return { ...withTaint(joined, source), text: '' };
  }

  /** A function that is written out, which is no text to be read as a program. */
  #isFunction(start: number, close: number): boolean {
    for (let at = start; at < Math.min(close, start + 40); at += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (text === '=>' || (kind === 'name' && text === 'function')) return true;
      if (text === '{' || text === ';') return false;
    }
    return false;
  }

  /** What is sent, without what signs the request. */
  #sent(start: number, close: number): Value {
    const parts: Value[] = [];
    let from = start;
    for (let at = start; at < close; at += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (
        !(
          (kind === 'name' || kind === 'text') &&
          /^-?(?:headers?|auth|authorization|cookies|params_auth)$/i.test(text)
        )
      )
        continue;
      const mark = this.#tokens[at + 1]?.text;
      if (mark !== '=' && mark !== ':' && mark !== ',' && mark !== '}' && mark !== ')') continue;
      parts.push(this.#value(from, at));
      let stop = at + 1;
      for (let depth = 0; stop < close; stop += 1) {
        const mark2 = (this.#tokens[stop] as Token).kind === 'mark' ? (this.#tokens[stop] as Token).text : '';
        if (mark2 !== '' && '([{'.includes(mark2)) depth += 1;
        else if (mark2 !== '' && ')]}'.includes(mark2)) depth -= 1;
        if (depth < 0 || (depth === 0 && mark2 === ',')) break;
      }
      const signed = this.#value(at + 1, stop);
      const taints = new Set([...signed.taints].filter((taint) => taint !== 'key' && taint !== 'dotenv'));
      parts.push({ ...signed, taints, text: '' });
      at = stop;
      from = stop;
    }
    parts.push(this.#value(from, close));
    return joinValues(parts);
  }

  #shell(chain: string, start: number, close: number, args: Value, place: Place): void {
    const first = this.#tokens[start];
    if (args.taints.has('decoded') && first?.kind === 'name') this.#flow('execute', args, chain, place);
    if (args.taints.has('network') && first?.kind === 'name' && this.#tokens[start + 1]?.text !== ',')
      this.#flow('execute', args, chain, place);
    if (!this.#reports) return;
    if (this.inner.length >= maxFlows) {
      this.#work.leaveOut?.('it runs more commands than are followed');
      return;
    }
    this.#work.charge(unitsForFlow);
    const words: string[] = [];
    for (let at = start; at < close; at += 1) {
      const token = this.#tokens[at] as Token;
      if (token.kind === 'name' && this.#tokens[at + 1]?.text === '=') break;
      if (token.kind === 'text') words.push(token.text);
      else if (token.kind === 'name') words.push(this.#values.get(token.text)?.text ?? '');
    }
    const text = words.filter((word) => word !== '').join(' ');
    if (this.#loaded.size > 0)
      for (const word of text.split(' ')) {
        const loaded = this.#loaded.get(word);
        if (loaded !== undefined) this.#flow('execute', loaded, chain, place);
      }
    if (text !== '') this.inner.push({ language: 'shell', text, start: place.start, end: place.end });
  }

  #flow(to: Sink, value: Value, by: string, place: Place, urlText = value.text): void {
    const { start, end, from, to: until } = place;
    const current = this.#function;
    if (current !== null && to !== 'execute') {
      let passes = false;
      for (let at = from; at < until && !passes; at += 1)
        passes = current.parameters.has(this.#tokens[at]?.text ?? '');
      if (passes) this.#world.sinks.set(current.name, to);
    }
    if (!this.#reports || value.taints.size === 0) return;
    if (this.flows.length >= maxFlows) {
      this.#work.leaveOut?.('it sends more values than are followed');
      return;
    }
    this.#work.charge(unitsForFlow);
    const urls = urlsIn(urlText);
    if (urls.length >= maxNamed || value.urls.length >= maxNamed || value.keys.length >= maxNamed)
      this.#work.leaveOut?.('it has a value that is made of more than is followed');
    const hosts = urls.map(hostOf).filter((host) => host !== '');
    this.flows.push({
      from: value.taints,
      to,
      by,
      hosts,
      urls: to === 'execute' ? value.urls : urls,
      keys: value.keys,
      start,
      end,
    });
  }
}

function urlsIn(text: string): readonly string[] {
  return (text.match(/\b(?:https?|wss?|ftp):\/\/[^\s"'`<>]{1,300}/g) ?? []).slice(0, maxNamed);
}
