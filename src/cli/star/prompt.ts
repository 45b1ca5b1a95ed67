// The prompt of `techne star`.
//
//   a line or a block -> run -> the repr of its value, or what is wrong with it
//
// P1. Nothing typed ends the session but Ctrl-D: errors are shown, and what was bound before them stays.
// P2. A program runs in slices with the terminal listening, so that Ctrl-C stops it and nothing else.
// P3. The steps are counted anew for each input; the memory limit holds for all that the session keeps.
import { createInterface } from 'node:readline';
import { printable } from '../../base/printable.ts';
import { compile } from '../../starlark/compile-source.ts';
import { Scope } from '../../starlark/vm/scope.ts';
import { start } from '../../starlark/vm/start.ts';
import type { CommandContext } from '../context.ts';
import { packageVersion } from '../../host/package-info.ts';
import { historyFile, maxLines, readHistory, writeHistory } from './history.ts';
import { needsMore } from './input-open.ts';
import type { Limits } from './limits.ts';
import { renderFailed, renderProblems } from './render-problems.ts';
import { runSlices } from './run-slices.ts';

const prompts = { first: '>>> ', more: '... ' } as const;

export async function runPrompt(context: CommandContext, limits: Limits): Promise<number> {
  const { io, out, err, quiet } = context;
  const file = historyFile(io.homeFolder);
  const kept = await readHistory(file);
  if (!quiet) out.line(`Starlark, techne ${packageVersion()}. Ctrl-D ends.`);
  if (kept.fault !== null) err.line(`techne: the history cannot be read: ${printable(kept.fault)}`);

  const editor = createInterface({ input: io.stdin, output: io.stdout, terminal: true, history: [...kept.lines], historySize: maxLines, removeHistoryDuplicates: true, prompt: prompts.first });
  const session = createSession(context, limits);
  const typed: string[] = [];
  let history: readonly string[] = kept.lines;
  const now = { closed: false, running: false, stop: false };
  let wake = (): void => undefined;
  let pending: string[] = [];
  const ask = (prompt: string): void => {
    editor.setPrompt(prompt);
    if (!now.closed) editor.prompt();
  };

  editor.on('history', (lines: string[]) => { history = [...lines]; });
  editor.on('line', (line) => {
    typed.push(line);
    wake();
  });
  editor.on('close', () => {
    now.closed = true;
    now.stop = true;
    wake();
  });
  editor.on('SIGINT', () => {
    if (now.running) {
      now.stop = true;
      typed.length = 0;
      return;
    }
    // Drops what is on the line and what came before it.
    out.line('^C');
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
    pending = [];
    ask(prompts.first);
  });

  ask(prompts.first);
  while (!now.closed || typed.length > 0) {
    const line = typed.shift();
    if (line === undefined) {
      await new Promise<void>((resolve) => { wake = resolve; });
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
    if (source.trim() !== '') await session(source, () => now.stop);
    now.running = false;
    ask(prompts.first);
  }
  out.line();
  editor.close();
  io.stdin.pause();
  const fault = await writeHistory(file, history);
  if (fault !== null) err.line(`techne: the history cannot be kept: ${printable(fault)}`);
  return 0;
}

/** Runs one input after the other, and shows what comes of each. */
function createSession({ out, err, colour, columns, quiet }: CommandContext, limits: Limits): (source: string, stopped: () => boolean) => Promise<void> {
  const scope = new Scope();
  const texts = new Map<string, string>();
  const look = { colour, columns, quiet };
  let count = 0;
  return async (source, stopped) => {
    count += 1;
    const path = `<input ${count}>`;
    texts.set(path, source);
    const compiled = compile(source, { path, interactive: true, predeclared: scope.names });
    err.write(renderProblems(compiled.diagnostics, texts, look));
    if (!compiled.ok) return;
    const run = start(compiled.program, { ...limits, scope, print: (text) => out.line(printable(text)) });
    const state = await runSlices(run, stopped);
    if (state.kind === 'paused') err.line('stopped');
    else if (state.kind === 'failed') err.write(renderFailed(state.failure, texts, look));
    else if (state.kind === 'done' && typeof state.value === 'string') out.line(printable(state.value));
  };
}
