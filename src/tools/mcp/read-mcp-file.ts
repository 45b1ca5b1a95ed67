// `.mcp.json` of a workspace -> its servers.
//
// The file is read only in a trusted workspace, because a server is a program that is started. The configuration
// takes precedence over the file. A server that cannot be used is reported; the others are used.
import { join } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { serverNameFault } from '../../config/validate/value.ts';
import type { McpServer } from '../../config/types.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

export interface McpFile {
  readonly servers: { readonly [name: string]: McpServer };
  readonly faults: readonly { readonly server: string; readonly message: string }[];
}

const maxBytes = 1024 * 1024;
const nothing: McpFile = { servers: {}, faults: [] };

export async function readMcpFile(files: Files, workspace: string): Promise<McpFile> {
  const path = join(workspace, '.mcp.json');
  let json: Json;
  try {
    const read = await files.read(path, maxBytes);
    if (read === null) return nothing;
    json = parseJson(decodeUtf8(read.bytes).text);
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof SyntaxError)) throw error;
    return { servers: {}, faults: [{ server: '.mcp.json', message: `it cannot be read: ${error.message}` }] };
  }
  const named = isJsonObject(json) ? json['mcpServers'] : undefined;
  if (!isJsonObject(named))
    return { servers: {}, faults: [{ server: '.mcp.json', message: 'it has no "mcpServers" object' }] };
  const servers: { [name: string]: McpServer } = {};
  const faults: { server: string; message: string }[] = [];
  for (const name of Object.keys(named)) {
    const server = serverOf(name, named[name] as Json);
    if (typeof server === 'string')
      faults.push({ server: name.slice(0, 64), message: `.mcp.json: ${server}` });
    else servers[name] = server;
  }
  return { servers, faults };
}

function serverOf(name: string, json: Json): McpServer | string {
  const fault = serverNameFault(name);
  if (fault !== null) return `a name ${fault}`;
  if (!isJsonObject(json)) return 'a server must be an object';
  const { command, args = [], env = {}, url, headers = {}, type } = json;
  if (type === 'sse') return 'servers of the type "sse" are not supported; use "http"';
  const hasCommand = typeof command === 'string' && command !== '';
  const hasUrl = typeof url === 'string' && /^https?:\/\//.test(url);
  if (hasCommand === hasUrl) return 'it needs either a "command" or an http "url"';
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return '"args" must be a list of texts';
  if (!areTexts(env)) return '"env" must be an object of texts';
  if (!areTexts(headers)) return '"headers" must be an object of texts';
  return {
    command: hasCommand ? command : null,
    args: args as readonly string[],
    env,
    url: hasUrl ? url : null,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

function areTexts(value: Json): value is { readonly [name: string]: string } {
  return (
    isJsonObject(value) &&
    Object.values(value).every((text) => typeof text === 'string' && !text.includes('\0'))
  );
}
