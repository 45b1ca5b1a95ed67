// techne studio
//
// JSON: {url, link}, once it listens. --open leads the browser of the desktop to the link; where there is none, the link is printed as always.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandContext } from '../context.ts';
import { serve } from './serve.ts';

export function runStudio(context: CommandContext): Promise<number> {
  const { args, err, io } = context;
  return serve(context, {
    name: 'studio',
    usualPort: 8487,
    studio: true,
    onListening(link) {
      if (link !== null && args.flag('open'))
        openBrowser(link, io.homeFolder, () =>
          err.line('techne studio: no browser could be started; open the link yourself'),
        );
    },
  });
}

const openers: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** How long a browser may take to start. */
const pageMs = 60_000;

/**
 * Every user of the machine sees the arguments of every program, and whoever is first takes the one-time link: it is in a page that
 * this user alone can read. Browsers in a sandbox read the home folder, and nothing hidden in it.
 */
function openBrowser(link: string, homeFolder: string, onFault: () => void): void {
  const page = join(homeFolder, `techne-studio-${randomBytes(8).toString('hex')}.html`);
  const remove = (): void => rmSync(page, { force: true });
  try {
    writeFileSync(page, pageTo(link), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return onFault();
  }
  setTimeout(remove, pageMs).unref();
  process.once('exit', remove);
  const [program = 'xdg-open', ...before] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, page], { stdio: 'ignore', detached: true });
  child.on('error', onFault);
  child.on('exit', (code) => (code === 0 || code === null ? undefined : onFault()));
  child.unref();
}

/** A link of ours has no character that means anything in HTML. */
function pageTo(link: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>techne studio</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}">
<a href="${link}">The studio</a>
</html>
`;
}
