// The tool of a name that S1 uses for it. It is not listed: one tool under two names costs tokens and a choice. Calls
// accept it, and lists of tools that allow or disallow one of the names mean both.
const otherNames: ReadonlyMap<string, string> = new Map([['meta_invoke', 'run_metaskill']]);

export function ownToolName(name: string): string {
  return otherNames.get(name) ?? name;
}
