// Names in a folder that may be written to, and may not be themselves: for sandboxed commands and for file tools alike.
//
// What lies there makes a program outside run code later: git its hooks and filters, techne and other agents their
// skills and configuration, editors their tasks, direnv and husky their scripts.
//
// N1. They count at the top of a write root, where the programs that read them are started.
// N2. Through file tools those of git and of techne itself cannot be written at any depth: a repository or a workspace
//     further down would be taken for one as soon as somebody works there. A sandbox cannot hold what is not there yet.

export const protectedNames: readonly string[] = [
  '.git',
  '.techne',
  'techne.json',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.agents',
  '.opencode',
  '.goose',
  '.windsurf',
  '.pi',
  '.mcp.json',
  '.vscode',
  '.idea',
  '.husky',
  '.githooks',
  '.envrc',
];

const atAnyDepth: ReadonlySet<string> = new Set(['.git', '.techne', 'techne.json']);

/** The part of a path below a write root that is protected, or `null`. Some file systems do not tell the cases apart. */
export function protectedPart(parts: readonly string[]): string | null {
  return (
    parts.find(
      (part, depth) =>
        atAnyDepth.has(part.toLowerCase()) || (depth === 0 && protectedNames.includes(part.toLowerCase())),
    ) ?? null
  );
}
