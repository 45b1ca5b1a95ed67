// Names in a writable folder that stay read-only, for sandboxed commands and for file tools.
//
// Their content makes a program outside run code later: hooks and filters of git, skills and configuration of techne
// and other agents, tasks of editors, scripts of direnv and husky. They count at the top of a write root, where the
// programs that read them are started. File tools cannot write the names of git and techne at any depth, because a
// nested repository or workspace would be used as one; a sandbox cannot hold names that do not exist yet.

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
