// Commands -> facts: which commands run with which words, and which values flow from a source to a sink.
//
//   Script -> { commands, flows, inner scripts }
//
// F1. Commands are followed in the order of the text, once; branches are taken as if all of them ran.
// F2. A value is what its literal parts and known variables say, and the taints of everything it was made of.
// F3. A file that was written keeps the taints of what was written to it.
import type { Work } from '../../detector.ts';
import { hostOf } from '../../detect/hosts.ts';
import type { Facts, Flow, InnerScript, RunCommand, Sink, Value } from '../facts.ts';
import { joinValues, maxNamed, nothing, plain, tainted, withTaint } from '../facts.ts';
import type { Taint } from '../taint.ts';
import { isSecretName, isWholeTree, privateTaints, taintOfPath } from '../taint.ts';
import type { Command, Pipeline, Script, Word } from './parse-shell.ts';
import { parseShell } from './parse-shell.ts';

const maxCommands = 60_000;
const maxNested = 16;
const maxPaths = 200;

/** `offset` moves all places: the text may stand inside of another one. */
export function followShell(text: string, work: Work): Facts {
  const follower = new Follower(work);
  follower.script(parseShell(text, work));
  return follower;
}

const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'ash', 'powershell', 'pwsh', 'cmd']);
const interpreters: { readonly [name: string]: InnerScript['language'] } = {
  python: 'python',
  python2: 'python',
  python3: 'python',
  node: 'javascript',
  nodejs: 'javascript',
  deno: 'javascript',
  bun: 'javascript',
  perl: 'perl',
  ruby: 'ruby',
  php: 'php',
  osascript: 'javascript',
};
const readers = new Set(
  'cat head tail less more tac nl grep egrep rg awk sed cut sort strings xxd od hexdump base64 openssl gzip bzip2 xz tar zip 7z cp mv find jq tr rev ditto dd gpg cpio rsync install'.split(
    ' ',
  ),
);
/** Commands of services that print a secret. */
const givesSecret: readonly (readonly [command: string, words: RegExp])[] = [
  [
    'kubectl',
    /\b(?:get|describe)\s{1,3}(?:-\S{1,20}\s{1,3}){0,4}secrets?\b|\bconfig\s{1,3}view\b.{0,40}--raw/,
  ],
  [
    'aws',
    /\bget-secret-value\b|\bget-session-token\b|\bexport-credentials\b|\bget-parameters?\b.{0,200}--with-decryption/,
  ],
  ['gcloud', /\bprint-(?:access|identity)-token\b|\bsecrets\s{1,3}versions\s{1,3}access\b/],
  ['az', /\bget-access-token\b|\bkeyvault\s{1,3}secret\s{1,3}show\b/],
  ['vault', /^(?:kv\s{1,3}get|read)\b/],
  ['gh', /^auth\s{1,3}token\b/],
  ['op', /^(?:read|item\s{1,3}get)\b/],
  ['pass', /^show\b/],
];
const archivers = new Set(['tar', 'zip', '7z', '7za', 'cpio', 'ditto']);

class Follower implements Facts {
  readonly commands: RunCommand[] = [];
  readonly flows: Flow[] = [];
  readonly inner: InnerScript[] = [];
  readonly #work: Work;
  readonly #variables = new Map<string, Value>();
  readonly #files = new Map<string, Value>();
  /** For commands inside a quoted text: the place of that text. */
  #place: { readonly start: number; readonly end: number } | null = null;
  #nested = 0;
  /** The output of everything before, for what reads from a loop; the text is that of the last command. */
  #before: Value = nothing;

  constructor(work: Work) {
    this.#work = work;
  }

  script(script: Script): Value {
    return joinValues(script.map((pipeline) => this.#pipeline(pipeline)));
  }

  #pipeline(pipeline: Pipeline): Value {
    let output = pipeline[0]?.fromBlock === true ? this.#before : nothing;
    const outer = this.#place;
    this.#place ??= { start: pipeline[0]?.start ?? 0, end: pipeline.at(-1)?.end ?? 0 };
    for (const command of pipeline) output = this.#command(command, output);
    this.#place = outer;
    this.#before = joinValues([
      { ...this.#before, text: '' },
      { ...output, text: output.text.slice(0, 300) },
    ]);
    return output;
  }

  #evaluate(word: Word): Value {
    const [first] = word.parts;
    if (word.parts.length === 1 && first?.kind === 'text') return plain(first.text);
    return joinValues(
      word.parts.map((part) => {
        if (part.kind === 'text') return plain(part.text);
        if (part.kind === 'variable') return this.#variable(part.name);
        const output = this.script(part.script);
        return part.process
          ? withTaint(output, output.taints.has('network') ? 'network' : ([...output.taints][0] ?? 'decoded'))
          : output;
      }),
    );
  }

  #variable(name: string): Value {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    if (name === 'HOME' || name === 'PWD' || name === 'WORKSPACE') return plain(`$${name}`);
    if (name === 'HOSTNAME' || name === 'USER' || name === 'LOGNAME') return tainted('system');
    return isSecretName(name) ? { ...tainted('key'), keys: [name] } : nothing;
  }

  #command(command: Command, piped: Value): Value {
    this.#work.charge(20 + command.words.length * 10);
    if (this.commands.length >= maxCommands) {
      this.#work.leaveOut?.('it has more commands than are followed');
      return nothing;
    }
    for (const { name, value } of command.assignments) this.#variables.set(name, this.#evaluate(value));
    const argv = command.words.map((word) => this.#evaluate(word));
    for (const { text } of argv) this.#work.charge(text.length);
    let stdin = piped;
    const writes: { path: string; append: boolean }[] = [];
    for (const { operator, target } of command.redirections) {
      const value = this.#evaluate(target);
      if (operator === '<') stdin = joinValues([stdin, this.#read(value.text), value]);
      else if (operator.startsWith('<<')) stdin = joinValues([stdin, value]);
      else writes.push({ path: value.text, append: operator === '>>' });
    }
    const name = (argv[0]?.text.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
    const place = this.#place ?? { start: command.start, end: command.end };
    this.commands.push({ name, argv: argv.map(({ text }) => text), writes, input: stdin.text, ...place });
    if (
      name === 'for' ||
      name === 'read' ||
      name === 'export' ||
      name === 'local' ||
      name === 'declare' ||
      name === 'readonly'
    )
      this.#declare(name, argv, stdin);
    const output = this.#run(name, argv, stdin, place);
    for (const { path } of writes) {
      const dev = /^\/dev\/(?:tcp|udp)\/([^/]+)\//.exec(path);
      if (dev !== null)
        this.#flow('network', joinValues([output, stdin]), '/dev/tcp', [dev[1] as string], place);
      else if (path !== '' && path !== '/dev/null') this.#write(path, output);
    }
    return writes.length > 0 ? nothing : output;
  }

  #declare(name: string, argv: readonly Value[], stdin: Value): void {
    if (name === 'for') {
      const variable = argv[1]?.text ?? '';
      if (/^\w+$/.test(variable)) this.#variables.set(variable, this.#readAll(argv.slice(3)));
    } else if (name === 'read') for (const value of argv.slice(1)) this.#variables.set(value.text, stdin);
    else
      for (const value of argv.slice(1)) {
        const equal = value.text.indexOf('=');
        if (equal > 0)
          this.#variables.set(value.text.slice(0, equal), { ...value, text: value.text.slice(equal + 1) });
      }
  }

  /** The words of a loop: what they say, and what files of these names hold. */
  #readAll(values: readonly Value[]): Value {
    return joinValues(values, ' ');
  }

  #write(path: string, value: Value): void {
    const before = this.#files.get(path);
    this.#files.set(path, before === undefined ? value : joinValues([before, value]));
  }

  #read(path: string): Value {
    const written = this.#files.get(path);
    if (written !== undefined) return written;
    const taint = taintOfPath(path);
    return taint === null ? nothing : tainted(taint);
  }

  #flow(
    to: Sink,
    value: Value,
    by: string,
    hosts: readonly string[],
    place: { start: number; end: number },
  ): void {
    if (value.taints.size === 0) return;
    if (value.urls.length >= maxNamed || value.keys.length >= maxNamed)
      this.#work.leaveOut?.('it has a value that is made of more than is followed');
    const { start, end } = place;
    this.flows.push({ from: value.taints, to, by, hosts, urls: value.urls, keys: value.keys, start, end });
  }

  #run(name: string, argv: readonly Value[], stdin: Value, place: { start: number; end: number }): Value {
    const args = argv.slice(1);
    const all = joinValues(args, ' ');
    if (name === 'echo' || name === 'printf') return joinValues(args, ' ');
    if (name === 'iex' || name === 'invoke-expression') {
      this.#flow('execute', joinValues([all, stdin]), name, [], place);
      return nothing;
    }
    if (shells.has(name) || name === 'eval' || name === 'source' || name === '.')
      return this.#shell(name, args, stdin, place);
    if (name in interpreters) return this.#interpreter(name, args, stdin, place);
    if (name === 'xargs') {
      const at = args.findIndex(({ text }) => /^[a-z][\w.-]*$/i.test(text) && !/^\d/.test(text));
      return at === -1 ? stdin : this.#run(args[at]?.text ?? '', [...args.slice(at), stdin], stdin, place);
    }
    if (name === 'env' || name === 'printenv' || name === 'set')
      return args.length <= 1 ? tainted('environment') : stdin;
    if (/^(?:pbpaste|xclip|xsel|wl-paste|get-clipboard)$/.test(name)) return tainted('clipboard');
    if (name === 'security' && /find-(?:generic|internet)-password|dump-keychain|export/.test(all.text))
      return tainted('keychain');
    if (name === 'secret-tool' || (name === 'gpg' && all.text.includes('--export-secret')))
      return tainted('keychain');
    if (
      /^(?:hostname|whoami|uname|id|ifconfig|ipconfig|systeminfo|sw_vers|system_profiler|ip|lsb_release)$/.test(
        name,
      )
    )
      return tainted('system');
    if (name === 'history') return tainted('memory');
    if (givesSecret.some(([command, words]) => command === name && words.test(all.text)))
      return tainted('secret');
    if (
      /^(?:curl|wget|aria2c|http|https|xh|httpie|iwr|invoke-webrequest|invoke-restmethod|irm|fetch)$/.test(
        name,
      )
    )
      return this.#transfer(name, args, stdin, place);
    if (/^(?:nc|ncat|netcat|telnet|socat|openssl)$/.test(name)) {
      if (name === 'openssl' && !all.text.includes('s_client'))
        return this.#decode(name, args, joinValues([stdin, this.#inputs(args)]));
      const host = args.find(({ text }) => /^[\w-]+(?:\.[\w-]+)+$/.test(text))?.text ?? '';
      this.#flow('network', joinValues([stdin, this.#inputs(args)]), name, host === '' ? [] : [host], place);
      return tainted('network');
    }
    if (/^(?:dig|nslookup|host|drill|ping)$/.test(name)) {
      this.#flow('lookup', joinValues([all, stdin]), name, [], place);
      return name === 'ping' ? nothing : tainted('network');
    }
    if (
      /^(?:scp|sftp|rsync|ftp|rclone|gsutil|aws|az|gcloud|mail|mailx|sendmail|mutt|swaks|gh|croc|magic-wormhole|wormhole)$/.test(
        name,
      )
    )
      return this.#copyOut(name, args, stdin, place);
    if (name === 'certutil' && /urlcache/i.test(all.text)) {
      const urls = args.map(({ text }) => text).filter((text) => text.includes('://'));
      this.#write(args.at(-1)?.text ?? '', { ...tainted('network'), urls });
      return nothing;
    }
    if (name === 'mshta' || name === 'regsvr32') {
      const urls = (all.text.match(/https?:\/\/[^\s"']{1,300}/g) ?? []).slice(0, maxNamed);
      if (urls.length > 0) this.#flow('execute', { ...tainted('network'), urls }, name, [], place);
      return nothing;
    }
    // A line of a Dockerfile.
    if (name === 'run' && /^RUN$/.test(argv[0]?.text ?? '') && args.length > 0)
      return this.#run((args[0]?.text ?? '').toLowerCase(), args, stdin, place);
    if (archivers.has(name)) return this.#archive(name, args, stdin);
    if (
      name === 'base64' ||
      name === 'xxd' ||
      name === 'base32' ||
      name === 'uudecode' ||
      name === 'gunzip' ||
      name === 'zcat'
    )
      return this.#decode(name, args, joinValues([stdin, this.#inputs(args)]));
    if (name === 'cp' || name === 'mv') {
      const value = this.#inputs(args.slice(0, -1));
      this.#write(args.at(-1)?.text ?? '', value);
      return nothing;
    }
    if (name === 'tee') for (const { text } of args) if (!text.startsWith('-')) this.#write(text, stdin);
    if (name === 'find') return joinValues([this.#inputs(args), ...args.map(({ text }) => findTaint(text))]);
    if (readers.has(name)) return joinValues([stdin, this.#inputs(args)]);
    const own = argv[0];
    if (own !== undefined && own.taints.size > 0 && (own.taints.has('network') || own.taints.has('decoded')))
      this.#flow('execute', own, name, [], place);
    const file = this.#files.get(own?.text ?? '') ?? this.#files.get((own?.text ?? '').replace(/^\.\//, ''));
    if (file !== undefined && own?.text !== '') this.#flow('execute', file, own?.text ?? '', [], place);
    return stdin;
  }

  /** What the files hold that are named as arguments. */
  #inputs(args: readonly Value[]): Value {
    return joinValues(
      args.map((value) => {
        if (value.text.startsWith('-')) return { ...value, text: '' };
        const paths = value.text.split(' ');
        if (paths.length > maxPaths) this.#work.leaveOut?.('it names more files at once than are followed');
        return joinValues([
          { ...value, text: '' },
          ...paths.slice(0, maxPaths).map((path) => this.#read(path)),
        ]);
      }),
    );
  }

  #decode(name: string, args: readonly Value[], value: Value): Value {
    const options = args.map(({ text }) => text).join(' ');
    const decodes =
      name === 'gunzip' ||
      name === 'zcat' ||
      name === 'uudecode' ||
      /(?:^|\s)-{1,2}(?:[a-z]*[dDr]\b|decode)|-d\b/.test(options);
    return decodes ? withTaint({ ...value, text: '' }, 'decoded') : { ...value, text: '' };
  }

  #archive(name: string, args: readonly Value[], stdin: Value): Value {
    const texts = args.map(({ text }) => text);
    const whole = texts.some(
      (text, at) => isWholeTree(text) && texts[at - 1] !== '-C' && texts[at - 1] !== '-d',
    );
    const extracts = name === 'tar' ? /^-?[a-z]*x/.test(texts[0] ?? '') : false;
    const content = joinValues([stdin, this.#inputs(args), whole && !extracts ? tainted('files') : nothing]);
    const target = texts.find((text) => /\.(?:tar|tgz|gz|zip|7z|bz2|xz)$/i.test(text));
    if (extracts) return content;
    if (target !== undefined) this.#write(target, content);
    return content;
  }

  #shell(name: string, args: readonly Value[], stdin: Value, place: { start: number; end: number }): Value {
    const option = args.findIndex(({ text }) => /^(?:-[a-z]*c|-command|\/c)$/i.test(text));
    const script =
      name === 'eval' ? joinValues(args, ' ') : option === -1 ? null : (args[option + 1] ?? null);
    const file = script === null ? args.find(({ text }) => !text.startsWith('-')) : undefined;
    const executed =
      script ??
      joinValues([
        stdin,
        file ?? nothing,
        file === undefined ? nothing : (this.#files.get(file.text) ?? nothing),
      ]);
    this.#flow('execute', executed, name, [], place);
    const text = script?.text ?? (stdin.taints.has('decoded') ? '' : stdin.text);
    if (script?.cut === true) this.#work.leaveOut?.('it runs a text that is too long to be put together');
    if (this.#nested >= maxNested) this.#work.leaveOut?.('it has commands that are nested too deep');
    else if (text !== '') {
      const outer = this.#place;
      this.#place = outer ?? place;
      this.#nested += 1;
      const output = this.script(parseShell(text, this.#work));
      this.#nested -= 1;
      this.#place = outer;
      return output;
    }
    return nothing;
  }

  #interpreter(
    name: string,
    args: readonly Value[],
    stdin: Value,
    place: { start: number; end: number },
  ): Value {
    const option = args.findIndex(({ text }) => /^-(?:[a-z]*[ceEpr]|-eval|-print)$/.test(text));
    const language = interpreters[name] as InnerScript['language'];
    const script = option === -1 ? null : (args[option + 1] ?? null);
    const file = args.find(({ text }) => !text.startsWith('-'));
    const fromInput = script === null && (file === undefined || args.some(({ text }) => text === '-'));
    const written = file === undefined || script !== null ? nothing : (this.#files.get(file.text) ?? nothing);
    this.#flow(
      'execute',
      joinValues([script ?? nothing, fromInput ? stdin : nothing, written]),
      name,
      [],
      place,
    );
    const text = script?.text ?? (fromInput ? stdin.text : '');
    if (text !== '') this.inner.push({ language, text, ...place });
    return nothing;
  }

  #transfer(
    name: string,
    args: readonly Value[],
    stdin: Value,
    place: { start: number; end: number },
  ): Value {
    const urls = args
      .filter(({ text }) => /^(?:[a-z]+:\/\/|\w[\w-]*(?:\.[\w-]+)+(?:[:/]|$))/i.test(text))
      .map(({ text }) => text);
    const hosts = urls
      .map((url) => hostOf(url.includes('://') ? url : `http://${url}`))
      .filter((host) => host !== '');
    const sent: Value[] = [];
    for (const [at, value] of args.entries()) {
      const before = args[at - 1]?.text ?? '';
      const isHeader =
        /^(?:-H|--header|-u|--user|-A|--user-agent|-b|--cookie|--oauth2-bearer)$/.test(before) ||
        /^(?:-H|--header=)./.test(value.text);
      if (isHeader) {
        // Whatever signs a request is a key there, wherever it was kept; anything else in a header is data.
        if (
          /^(?:authorization|x-api-key|api-key|x-auth\w*|private-token|\w*token|cookie)\b|^bearer /i.test(
            value.text,
          ) ||
          !before.startsWith('-H')
        ) {
          if (value.taints.size > 0) sent.push({ ...value, text: '', taints: new Set<Taint>(['key']) });
        } else sent.push({ ...value, text: '' });
        continue;
      }
      sent.push({ ...value, text: '' });
      const file =
        /(?:^|=|;)[@<]([^;]+)/.exec(value.text)?.[1] ??
        (/^(?:-T|--upload-file|--post-file|--body-file)$/.test(before)
          ? value.text
          : /^--(?:post-file|body-file|upload-file)=(.+)/.exec(value.text)?.[1]);
      if (file === '-') sent.push(stdin);
      else if (file !== undefined)
        sent.push(this.#read(file), tainted(isWholeTree(file) ? 'files' : 'content'));
    }
    this.#flow('network', joinValues(sent), name, hosts, place);
    const content: Value = { text: '', taints: new Set(['network']), keys: [], urls };
    const output = args.findIndex(({ text }) =>
      /^(?:-[a-zA-Z]{0,8}o|-O|--output|--output-document|-OutFile|-outfile)$/.test(text),
    );
    const glued = args
      .map(({ text }) => /^--output(?:-document)?=(.+)/.exec(text)?.[1])
      .find((text) => text !== undefined);
    const target = glued ?? (output === -1 ? undefined : args[output + 1]?.text);
    const toOutput = args.some(({ text }) => /^-[a-zA-Z]*O-$/.test(text));
    const byName =
      (name === 'wget' && !toOutput) ||
      args.some(({ text }) => /^-[a-zA-Z]*O$/.test(text) && name === 'curl');
    const file =
      target === '-'
        ? undefined
        : (name === 'curl' && args[output]?.text === '-O') || (target === undefined && byName)
          ? urls.at(-1)?.split(/[?#]/)[0]?.split('/').at(-1)
          : target;
    if (file === undefined || file === '') return content;
    this.#write(file, content);
    return nothing;
  }

  #copyOut(name: string, args: readonly Value[], stdin: Value, place: { start: number; end: number }): Value {
    const texts = args.map(({ text }) => text);
    const line = texts.join(' ');
    if (name === 'aws' && !/\bs3\b.{0,40}\b(?:cp|sync|mv)\b/.test(line)) return nothing;
    if (name === 'gh' && !/\bgist\b.{0,20}\bcreate\b/.test(line)) return nothing;
    if ((name === 'gcloud' || name === 'az') && !/\b(?:storage|upload)\b/.test(line)) return nothing;
    const remote = texts.filter((text) => /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|^s3:\/\/|^gs:\/\//.test(text));
    if (/^(?:scp|rsync|sftp)$/.test(name) && remote.length === 0) {
      this.#write(texts.at(-1) ?? '', this.#inputs(args.slice(0, -1)));
      return nothing;
    }
    const local = args.filter(({ text }) => !remote.includes(text));
    const whole = local.some(({ text }) => isWholeTree(text));
    const hosts = remote.map((text) => /^(?:[\w.-]+@)?([\w.-]+):/.exec(text)?.[1] ?? text);
    this.#flow(
      'network',
      joinValues([stdin, this.#inputs(local), tainted(whole ? 'files' : 'content')]),
      name,
      hosts,
      place,
    );
    return nothing;
  }
}

/** `find -name "*.pem"`: looking for secrets anywhere. */
function findTaint(text: string): Value {
  const taint =
    taintOfPath(text.replace(/^\*/, 'x')) ??
    (/^\*?\.env\*?$|credential|^id_rsa|\*\.key$/i.test(text) ? 'secret' : null);
  return taint === null ? nothing : tainted(taint);
}

/** Whether a private thing is among them. */
export function isPrivate(taints: ReadonlySet<string>): boolean {
  return privateTaints.some((taint) => taints.has(taint));
}
