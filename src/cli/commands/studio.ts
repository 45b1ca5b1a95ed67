// techne studio
//
// JSON: {url, link}, once it listens. --open gives the link to the browser of the desktop; where there is none, the link is printed as always.
import { spawn } from 'node:child_process';
import type { CommandContext } from '../context.ts';
import { serve } from './serve.ts';

export function runStudio(context: CommandContext): Promise<number> {
  const { args, err } = context;
  return serve(context, {
    name: 'studio',
    usualPort: 8487,
    studio: true,
    onListening(link) {
      if (link !== null && args.flag('open'))
        openBrowser(link, () =>
          err.line('techne studio: no browser could be started; open the link yourself'),
        );
    },
  });
}

const openers: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The link is one argument, and no shell reads it. */
function openBrowser(link: string, onFault: () => void): void {
  const [program = 'xdg-open', ...before] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, link], { stdio: 'ignore', detached: true });
  child.on('error', onFault);
  child.on('exit', (code) => (code === 0 || code === null ? undefined : onFault()));
  child.unref();
}
