// A world that processes of their own write down: whatever becomes of the one that asked for it.
import { spawn } from 'node:child_process';
import type { Abort } from '../../../src/base/abort.ts';
import type { World } from './crash-host.ts';

/** Says its name in the log, then on its standard output. */
const script = 'printf "%s\\n" "$1" >> "$2"; printf "%s" "$1"';
/** Says its name and its process number in the log, and takes until it is killed. */
const endlessScript = 'printf "%s %s\\n" "$1" "$$" >> "$2"; exec sleep 600';

export function realWorld(log: string): World {
  return { act: (name) => perform(script, name, log, null) };
}

/** Rejects when it was killed, after it is gone. */
export function endlessAct(name: string, log: string, signal: Abort): Promise<string> {
  return perform(endlessScript, name, log, signal);
}

function perform(text: string, name: string, log: string, signal: Abort | null): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', text, 'sh', name, log], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, by) =>
      code === 0 ? resolve(printed) : reject(new Error(`${name} ended with ${code ?? by}`)),
    );
    const kill = (): void => void child.kill('SIGKILL');
    if (signal?.aborted === true) kill();
    else signal?.addEventListener('abort', kill);
  });
}
