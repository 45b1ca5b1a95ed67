// The names that an MCP server may have. Its tools are `server__tool`, also written `mcp__server__tool`, so a name must
// end at the first `__`: otherwise a tool of one server could be mistaken for that of another, and a denial would miss it.

/** As a JSON Schema has it. */
export const serverNamePattern = '^(?!mcp$)(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9.-])?$';
const pattern = new RegExp(serverNamePattern);
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is wrong with a name, or null. */
export function serverNameFault(name: string): string | null {
  if (!plain.test(name)) return 'must be 1 to 64 letters, digits, ".", "_" or "-"';
  return pattern.test(name)
    ? null
    : 'must not be "mcp", hold "__" or end with "_": tools are called server__tool';
}
