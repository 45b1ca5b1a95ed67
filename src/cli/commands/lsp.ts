// techne lsp: a language server over standard input and output. The process ends with the editor, so this never returns.
import { TechneError } from '../../base/error.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { CommandContext } from '../context.ts';

export async function runLsp({ args, io }: CommandContext): Promise<number> {
  if (io.stdin.isTTY === true)
    throw new TechneError('USAGE', 'techne lsp speaks with an editor over standard input and output', {
      hint: 'name it as a language server in the settings of your editor; "techne check" is for a terminal',
    });
  const { serveLanguage } = await import('../../lsp/serve.ts');
  const workspace = args.value('workspace');
  const roots = args.values('root');
  serveLanguage({
    stdin: io.stdin,
    stdout: io.stdout,
    version: packageVersion(),
    homeFolder: io.homeFolder,
    variables: io.env,
    platform: io.platform,
    ...(workspace === null ? {} : { workspace }),
    ...(roots.length === 0 ? {} : { roots }),
  });
  return new Promise(() => undefined);
}
