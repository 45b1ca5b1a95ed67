// A conversation at a terminal: read, submit, show, again.
//
// Ctrl-C during a turn stops it and keeps its runs and the conversation so far. At the prompt, a second Ctrl-C without input in
// between ends the chat. Ctrl-C is a key while the editor reads and a signal otherwise; both count. SIGTERM and SIGHUP stop the
// turn and end the chat, which can be resumed. An error is reported, and the conversation continues.
import { join } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import { completeLine } from '../../chat/complete-line.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { readHistory, writeHistory } from '../star/history.ts';
import { createLineEditor } from './line-editor.ts';
import type { LineEditor, EditedLine } from './line-editor.ts';
import type { Submitted, Submitting } from './submit.ts';
import { messageOfFault, ownCommandNames, submit } from './submit.ts';

const prompt = '› ';

/** Resolves to the exit code. */
export async function talk(parts: Submitting, id: string): Promise<number> {
  const {
    context,
    open: { skills },
  } = parts;
  const { io, err, quiet } = context;
  const file = join(io.homeFolder, '.techne', 'chat_history');
  const kept = await readHistory(file);
  if (kept.fault !== null) err.line(`techne: the history cannot be read: ${printableLine(kept.fault)}`);
  const editor = createLineEditor({
    context,
    prompt,
    history: kept.lines,
    complete: (line) =>
      completeLine(line, {
        commands: ownCommandNames,
        slash: skills.commands().map(({ name }) => name),
        mentions: skills.list().map(({ name }) => name),
      }),
  });
  const now: Now = { ended: null, pressed: false, busy: false, stop: () => editor.stop() };
  let stopListening = (): void => undefined;
  const hear = (): void => {
    stopListening =
      io.onInterrupt?.(() => {
        hear();
        if (!now.busy && !editor.interrupt()) now.pressed = true;
      }) ?? stopListening;
  };
  hear();
  const stopListeningForEnd = io.onTerminate?.((exitCode) => {
    now.ended = exitCode;
    now.stop();
  });
  try {
    await loop(parts, editor, now);
  } finally {
    stopListening();
    stopListeningForEnd?.();
    const fault = await writeHistory(file, editor.history);
    if (fault !== null) err.line(`techne: the history cannot be saved: ${printableLine(fault)}`);
  }
  if (!quiet)
    err.line(
      createPaint(context.colour && io.stderr.isTTY === true).dim(`To resume: techne chat --resume ${id}`),
    );
  return now.ended ?? 0;
}

interface Now {
  /** The exit code, once the process should end. */
  ended: number | null;
  /** Ctrl-C arrived while the editor was not reading. */
  pressed: boolean;
  /** The current operation handles Ctrl-C itself. */
  busy: boolean;
  stop: () => void;
}

async function loop(parts: Submitting, editor: LineEditor, now: Now): Promise<void> {
  const { err } = parts.context;
  let armed = false;
  for (;;) {
    now.stop = () => editor.stop();
    if (now.ended !== null) return;
    const typed: EditedLine = now.pressed ? { kind: 'interrupt' } : await editor.read();
    now.pressed = false;
    if (typed.kind === 'end') return err.line();
    if (typed.kind === 'interrupt') {
      if (armed) return;
      armed = true;
      err.line('Ctrl-C again ends the chat, as do Ctrl-D and /exit');
      continue;
    }
    armed = false;
    const text = typed.text.trim();
    if (text === '') continue;
    if (text === 'exit' || text === 'quit') return;
    const { submitted, interrupted } = await once(parts, text, now);
    armed = interrupted;
    if (submitted?.kind === 'leave') return;
  }
}

/** Handles Ctrl-C at the prompt. */
async function once(
  parts: Submitting,
  text: string,
  now: Now,
): Promise<{ readonly submitted: Submitted | null; readonly interrupted: boolean }> {
  const {
    context: { io },
    show,
  } = parts;
  const controller = new AbortController();
  const stop = (): void => controller.abort(new DetachSignal());
  now.stop = stop;
  now.busy = true;
  const stopListening = io.onInterrupt?.(() => {
    show.note('stopping');
    stop();
  });
  try {
    const submitted = await submit(parts, text, controller.signal);
    show.endText();
    tell(parts, submitted);
    return { submitted, interrupted: controller.signal.aborted };
  } catch (error) {
    show.endText();
    const message = controller.signal.aborted ? 'stopped' : messageOfFault(error);
    if (message === null) throw error;
    show.warn(message);
    return { submitted: null, interrupted: controller.signal.aborted };
  } finally {
    stopListening?.();
    now.busy = false;
  }
}

function tell({ show }: Submitting, submitted: Submitted): void {
  if (submitted.kind === 'refused') show.warn(submitted.message);
  if (submitted.kind !== 'answer') return;
  const { outcome, message } = submitted.answer;
  if (outcome === 'stopped') show.note('stopped; the conversation so far is kept');
  else if (message !== null) show.warn(message);
}

export function banner({ err, quiet, colour, io }: CommandContext, lines: readonly string[]): void {
  const paint = createPaint(colour && io.stderr.isTTY === true);
  if (!quiet) for (const line of lines) err.line(paint.dim(printableLine(line)));
}
