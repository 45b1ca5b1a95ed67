// What a plugin brings besides skills, for a person to see. Nothing of it is ever enabled.
//
//   manifest, hooks/hooks.json, .mcp.json, commands/, agents/ -> PluginPart[]
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { cutText } from '../../../base/cut-text.ts';
import { show } from '../../source/git-words.ts';
import type { PluginPart } from '../../source/source.ts';
import { isBelow, joined } from '../find-skills.ts';
import { textField, untrustedJson } from '../read-json.ts';

const maxSummary = 300;
const maxOfKind = 100;

export function partsOfManifest(manifest: JsonObject, path: string): readonly PluginPart[] {
  return [
    ...hookParts(manifest['hooks'], path),
    ...serverParts(manifest['mcpServers'], path),
    ...namedParts('command', manifest['commands'], path, 'commands'),
    ...namedParts('agent', manifest['agents'], path, 'agents'),
    ...['lspServers', 'outputStyles', 'apps', 'contextFileName', 'settings'].flatMap((key) =>
      namedParts('other', manifest[key], path, key),
    ),
  ];
}

export async function partsOfFiles(
  paths: ReadonlySet<string>,
  folder: string,
  readText: (path: string) => Promise<string | null>,
): Promise<readonly PluginPart[]> {
  const parts: PluginPart[] = [];
  const hooks = joined(folder, 'hooks/hooks.json');
  if (paths.has(hooks)) {
    const value = untrustedJson((await readText(hooks)) ?? '');
    parts.push(
      ...hookParts(isJsonObject(value) ? (value['hooks'] ?? value) : 'hooks that cannot be read', hooks),
    );
  }
  const servers = joined(folder, '.mcp.json');
  if (paths.has(servers)) {
    const value = untrustedJson((await readText(servers)) ?? '');
    parts.push(
      ...serverParts(
        isJsonObject(value) ? (value['mcpServers'] ?? value) : 'servers that cannot be read',
        servers,
      ),
    );
  }
  for (const [kind, place] of [
    ['command', 'commands'],
    ['agent', 'agents'],
  ] as const) {
    const inside = [...paths].filter(
      (path) => isBelow(path, joined(folder, place)) && /\.(?:md|toml)$/.test(path),
    );
    parts.push(
      ...inside.slice(0, maxOfKind).map((path): PluginPart => ({ kind, path, summary: nameOf(path) })),
    );
  }
  return parts;
}

function nameOf(path: string): string {
  return show((path.split('/').at(-1) as string).replace(/\.\w+$/, ''));
}

/** `{ Event: [{ matcher, hooks: [{ type, command }] }] }`, or a path. */
function hookParts(hooks: Json | undefined, path: string): readonly PluginPart[] {
  if (hooks === undefined || hooks === null) return [];
  if (!isJsonObject(hooks)) return namedParts('hook', hooks, path, 'hooks');
  return Object.entries(hooks)
    .slice(0, maxOfKind)
    .map(([event, value]) => {
      const commands = commandsIn(value, 0);
      return {
        kind: 'hook' as const,
        path,
        summary: brief(
          `${event}${commands.length === 0 ? '' : ` runs ${commands.map((text) => `\`${text}\``).join(', ')}`}`,
        ),
      };
    });
}

function commandsIn(value: Json | undefined, depth: number): readonly string[] {
  if (depth > 5 || value === undefined || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => commandsIn(item as Json, depth + 1));
  const object = value as JsonObject;
  const own = textField(object, 'command');
  return [...(own === null ? [] : [own]), ...commandsIn(object['hooks'], depth + 1)];
}

function serverParts(servers: Json | undefined, path: string): readonly PluginPart[] {
  if (servers === undefined || servers === null) return [];
  if (!isJsonObject(servers)) return namedParts('mcp-server', servers, path, 'mcpServers');
  return Object.entries(servers)
    .slice(0, maxOfKind)
    .map(([name, value]) => {
      const server = isJsonObject(value) ? value : {};
      const args = Array.isArray(server['args']) ? (server['args'] as readonly Json[]).map(String) : [];
      const starts = textField(server, 'command');
      const what = starts === null ? (textField(server, 'url') ?? '') : [starts, ...args].join(' ');
      return { kind: 'mcp-server' as const, path, summary: brief(`${name}: ${what}`) };
    });
}

/** A path, a list of paths, or a map of names. */
function namedParts(
  kind: PluginPart['kind'],
  value: Json | undefined,
  path: string,
  key: string,
): readonly PluginPart[] {
  if (value === undefined || value === null) return [];
  const names =
    typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? (value as readonly Json[]).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
        : isJsonObject(value)
          ? Object.keys(value)
          : [JSON.stringify(value)];
  return names.slice(0, maxOfKind).map((name) => ({ kind, path, summary: brief(`${key}: ${name}`) }));
}

function brief(text: string): string {
  return show(cutText(text, maxSummary).text);
}
