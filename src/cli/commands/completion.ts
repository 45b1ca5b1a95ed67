// techne completion
//
// JSON: {shell, script}
import type { CommandContext } from '../context.ts';
import { renderBash, renderFish, renderZsh } from '../render-completion.ts';

export async function runCompletion({ args, out, json }: CommandContext): Promise<number> {
  const [shell] = args.positionals;
  const script = shell === 'bash' ? renderBash() : shell === 'zsh' ? renderZsh() : renderFish();
  if (json) out.json({ shell, script });
  else out.write(script);
  return 0;
}
