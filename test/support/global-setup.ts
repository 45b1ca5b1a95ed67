// Before the tests: builds dist/ once for those that start the real command; a no-op when it is current. After them: stops
// the Postgres that they shared, if one of them started it (postgres.ts).
import { existsSync, mkdtempSync, readFileSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface BuildScript {
  readonly build: (options: { readonly types: boolean }) => Promise<void>;
}

export async function setup(): Promise<() => Promise<void>> {
  const script = (await import(new URL('../../scripts/build.mjs', import.meta.url).href)) as BuildScript;
  await script.build({ types: false });
  const folder = mkdtempSync(join(tmpdir(), 'techne-tests-'));
  // The server may run as another user.
  chmodSync(folder, 0o711);
  process.env['TECHNE_TEST_POSTGRES'] = folder;
  return async () => {
    const ready = join(folder, 'ready');
    if (existsSync(ready)) await endServer(JSON.parse(readFileSync(ready, 'utf8')) as { pid?: number });
    rmSync(folder, { recursive: true, force: true });
  };
}

async function endServer({ pid }: { readonly pid?: number }): Promise<void> {
  if (pid === undefined || !signal(pid, 'SIGQUIT')) return;
  // Bounded: where nothing collects it, an ended process keeps its number.
  for (let waited = 0; waited < 5000 && signal(pid, 0); waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether there is such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
