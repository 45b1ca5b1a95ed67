// The prompt of `techne star`.
//
//   a line or a block -> run -> the repr of its value, or its errors
//
// Only Ctrl-D, exit and quit end the session: after an error, earlier bindings stay. A program runs in slices, so that Ctrl-C stops
// only the program. Steps are counted for each input; the memory limit applies to the whole session. Ctrl-D inside an open block or
// bracket drops the input and does not end the session.
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { printable } from '../../base/printable.ts';
import { withHostHint } from './program-names.ts';
import { compile } from '../../starlark/compile-source.ts';
import { universe } from '../../starlark/lib/universe.ts';
import { Scope } from '../../starlark/vm/scope.ts';
import { start } from '../../starlark/vm/start.ts';
import type { CommandContext } from '../context.ts';
import { packageVersion } from '../../node/package-info.ts';
import { explainFailure } from './explain-failure.ts';
import { historyFile, maxLines, readHistory, writeHistory } from './history.ts';
import { needsMore } from './input-open.ts';
import type { Limits } from './limits.ts';
import { renderStarFailure, renderProblems } from './render-problems.ts';
import { runSlices } from './run-slices.ts';

const prompts = { first: '>>> ', more: '... ' } as const;
const helpLine =
  'Type Starlark: a value is shown, an empty line ends a block, Tab completes names. Ctrl-C stops what runs; Ctrl-D, exit or quit ends.';

interface Session {
  /** Bound and predeclared names. */
  names(): readonly string[];
  run(source: string, stopped: () => boolean): Promise<void>;
}

export async function runPrompt(
  context: CommandContext,
  limits: Limits,
  names: readonly string[],
): Promise<number> {
  const { io, out, err, quiet } = context;
  const file = historyFile(io.homeFolder);
  const kept = await readHistory(file);
  if (!quiet) out.line(`Starlark, techne ${packageVersion()}. Type help for help, Ctrl-D to exit.`);
  if (kept.fault !== null) err.line(`techne: the history cannot be read: ${printable(kept.fault)}`);

  const session = createSession(context, limits, names);
  const typed: string[] = [];
  let history: readonly string[] = kept.lines;
  const now = { closed: false, running: false, stop: false };
  let wake = (): void => undefined;
  let pending: string[] = [];
  let editor = openEditor();
  const ask = (prompt: string): void => {
    editor.setPrompt(prompt);
    if (!now.closed) editor.prompt();
  };

  function openEditor(): Interface {
    const opened = createInterface({
      input: io.stdin,
      output: io.stdout,
      terminal: true,
      history: [...history],
      historySize: maxLines,
      removeHistoryDuplicates: true,
      prompt: prompts.first,
      completer: (before: string) => completeName(before, [...session.names(), ...universe.keys()]),
    });
    opened.on('history', (lines: string[]) => {
      history = [...lines];
    });
    opened.on('line', (line) => {
      typed.push(line);
      wake();
    });
    opened.on('close', closed);
    opened.on('SIGINT', interrupted);
    return opened;
  }

  function closed(): void {
    // Ctrl-D closed the editor, so a new one is created.
    if (pending.length > 0 && !now.running && !io.stdin.readableEnded && !io.stdin.destroyed) {
      pending = [];
      out.line('\ninput dropped; Ctrl-D again exits');
      editor = openEditor();
      ask(prompts.first);
      return;
    }
    now.closed = true;
    now.stop = true;
    wake();
  }

  function interrupted(): void {
    if (now.running) {
      now.stop = true;
      typed.length = 0;
      return;
    }
    // Drops the line and the lines before it.
    out.line('^C');
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
    pending = [];
    ask(prompts.first);
  }

  ask(prompts.first);
  while (!now.closed || typed.length > 0) {
    const line = typed.shift();
    if (line === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const word = pending.length === 0 ? wordOf(line, session.names()) : null;
    if (word === 'end') break;
    if (word === 'help') {
      out.line(helpLine);
      ask(prompts.first);
      continue;
    }
    pending.push(line);
    if (needsMore(pending)) {
      ask(prompts.more);
      continue;
    }
    const source = pending.join('\n');
    pending = [];
    now.running = true;
    now.stop = now.closed;
    if (source.trim() !== '') await session.run(source, () => now.stop);
    now.running = false;
    ask(prompts.first);
  }
  if (now.closed) out.line();
  now.closed = true;
  editor.close();
  io.stdin.pause();
  const fault = await writeHistory(file, history);
  if (fault !== null) err.line(`techne: the history cannot be saved: ${printable(fault)}`);
  return 0;
}

/** Words that end other prompts, unless the session has bound the name. */
function wordOf(line: string, bound: readonly string[]): 'end' | 'help' | null {
  const [, word] = /^\s*(exit|quit|help)\s*(?:\(\s*\))?\s*$/.exec(line) ?? [];
  if (word === undefined || bound.includes(word)) return null;
  return word === 'help' ? 'help' : 'end';
}

/** Runs the inputs in order and shows their values. */
function createSession(
  { out, err, colour, columns, quiet }: CommandContext,
  limits: Limits,
  given: readonly string[],
): Session {
  const scope = new Scope();
  const texts = new Map<string, string>();
  const look = { colour, columns, quiet };
  let count = 0;
  const names = (): readonly string[] => [...new Set([...given, ...scope.names])];
  const run = async (source: string, stopped: () => boolean): Promise<void> => {
    count += 1;
    const path = `<input ${count}>`;
    texts.set(path, source);
    const compiled = compile(source, { path, interactive: true, predeclared: names() });
    err.write(renderProblems(compiled.diagnostics.map(withHostHint), texts, look));
    if (!compiled.ok) return;
    const started = start(compiled.program, { ...limits, scope, print: (text) => out.line(printable(text)) });
    const state = await runSlices(started, stopped);
    if (state.kind === 'paused') err.line('stopped');
    else if (state.kind === 'failed')
      err.write(renderStarFailure(explainFailure(state.failure, 'prompt'), texts, look));
    else if (state.kind === 'done' && typeof state.value === 'string') out.line(printable(state.value));
  };
  return { names, run };
}

const indent = '    ';

/** Completes names at Tab, as readline asks for it. Indentation gets four more blanks; nothing follows a dot or a blank. */
export function completeName(before: string, names: Iterable<string>): [string[], string] {
  if (before.trim() === '') return [[indent], ''];
  const [, dot, typed] = /(\.\s*)?([\p{L}_][\p{L}\p{N}_]*)$/u.exec(before) ?? [];
  if (typed === undefined || dot !== undefined) return [[], ''];
  return [[...new Set(names)].filter((name) => name.startsWith(typed)).sort(), typed];
}
