// techne completion
import type { CommandContext } from '../context.ts';
import { renderBash, renderFish, renderZsh } from '../render-completion.ts';

export async function runCompletion({ args, out }: CommandContext): Promise<number> {
  const [shell] = args.positionals;
  out.write(shell === 'bash' ? renderBash() : shell === 'zsh' ? renderZsh() : renderFish());
  return 0;
}
