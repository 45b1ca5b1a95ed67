// Names of tools -> those that no host has, each with the reason, before a run starts.
//
// A server is named only where it may be the reason for a missing tool, once for all its tools. A server that did not
// start is not tried again for the next tool.
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { ToolHost } from '../../ports/tool-host.ts';

interface MissingTools {
  readonly missing: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

export async function missingTools(tools: ToolHost, wanted: readonly string[]): Promise<MissingTools> {
  const missing = new Map<string, string>();
  const notes = new Set<string>();
  let all: Awaited<ReturnType<ToolHost['list']>> | null = null;
  for (const name of wanted) {
    const ofServer = (server: string): boolean =>
      name.startsWith(`${server}__`) || name.startsWith(`mcp__${server}__`);
    const isDown = all?.faults.some(({ server }) => ofServer(server)) === true;
    if (!isDown && (await tools.find(name).catch(() => null)) !== null) continue;
    all ??= await tools.list().catch(() => ({ tools: [], faults: [] }));
    const { tools: known, faults } = all;
    const down = faults.find(({ server }) => ofServer(server));
    const same = known.filter((tool) => tool.name.endsWith(`__${name}`)).map((tool) => tool.name);
    const close = nearest(
      name,
      known.map((tool) => tool.name),
    );
    if (down !== undefined)
      missing.set(
        name,
        `there is no tool "${shown(name)}", since the server "${shown(down.server)}" is not there`,
      );
    else if (same.length > 1)
      missing.set(name, `"${shown(name)}" could be ${same.map(shown).join(' or ')}; write which`);
    else
      missing.set(
        name,
        `there is no tool "${shown(name)}"${close === null ? '' : `; did you mean "${shown(close)}"?`}`,
      );
    // A plain name may belong to a server; one that is close to a known tool is a typo.
    const suspects =
      down !== undefined
        ? [down]
        : close !== null || same.length > 1
          ? []
          : faults.filter(({ server }) => server === '.mcp.json' || !name.includes('__'));
    for (const { server, message } of suspects)
      notes.add(
        `${server === '.mcp.json' ? server : `the server "${shown(server)}" is not there`}: ${printableLine(message)}`,
      );
  }
  return { missing, notes: [...notes] };
}

function shown(name: string): string {
  return printableLine(name).slice(0, 130);
}
