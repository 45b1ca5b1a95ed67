// The public SKILL.md files used for compatibility checks, where they are at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Every SKILL.md below `root`, in the order of their paths; empty where the folder is absent. */
export function readCompatTexts(root: URL): readonly string[] {
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|[\\/])SKILL\.md$/.test(name),
  );
  return names.sort().map((name) => readFileSync(new URL(name, root), 'utf8'));
}

export const compatRoot = new URL('../../../shared/compat/', import.meta.url);
