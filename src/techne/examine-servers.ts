// The MCP servers of a workspace -> lines of `techne doctor`.
//
// Unset variables and missing programs are reported without starting a server; servers start only on request. The `.mcp.json` of
// an untrusted workspace is reported as unused.
import { join } from 'node:path';
import { decodeUtf8 } from '../base/utf8.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { ServerReport } from './open-runs.ts';
import type { SkillLibrary } from './open-skills.ts';
import { FileFault } from '../ports/files.ts';
import { isPlaceholder } from '../node/sandbox/placeholder.ts';
import type { FoundServers } from '../tools/open-tools.ts';
import { counted } from '../base/render-table.ts';

interface ServerLine {
  readonly name: string;
  /** null: there is no server, and nothing is wrong. */
  readonly ok: boolean | null;
  readonly detail: string;
  readonly hint: string | null;
}

interface ServerExamination {
  readonly library: SkillLibrary;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Starts all servers; null: start none. */
  readonly start: (() => Promise<readonly ServerReport[]>) | null;
}

export async function examineServers({
  library,
  variables,
  start,
}: ServerExamination): Promise<readonly ServerLine[]> {
  const { workspace, config } = library.loaded;
  const { findServers } = await import('../tools/open-tools.ts');
  const found = await findServers(library, workspace);
  const named = await namesInFile(library);
  const configured = Object.keys(config.mcpServers).length;
  const head = headLine(named, found, configured);
  if (start !== null)
    return [head, ...(await start()).filter(({ server }) => server !== '.mcp.json').map(startedLine)];
  const { findServerFault } = await import('../tools/mcp/find-server-fault.ts');
  const broken = Object.entries(found.servers).flatMap(([server, settings]) => {
    const message = findServerFault(settings, workspace, variables);
    return message === null ? [] : [{ server, message }];
  });
  return [
    head,
    ...[...found.faults.filter(({ server }) => server !== '.mcp.json'), ...broken].map(
      ({ server, message }) => faultLine(server, message),
    ),
  ];
}

function headLine(
  named: number | string | null,
  { faults, isUnused }: FoundServers,
  configured: number,
): ServerLine {
  const line = (ok: boolean | null, detail: string, hint: string | null = null): ServerLine => ({
    name: 'MCP',
    ok,
    detail,
    hint,
  });
  const besides = configured === 0 ? '' : `; ${configured} in the configuration`;
  if (named === null) return line(configured > 0 ? true : null, `no .mcp.json in the workspace${besides}`);
  if (typeof named === 'string') return line(false, `.mcp.json ${named}`);
  const detail = `.mcp.json names ${counted(named, 'server')}`;
  if (isUnused)
    return line(
      null,
      `${detail}, not used: the workspace is not trusted${besides}`,
      'trust the folder with "techne trust", or name them in ~/.techne/config.json',
    );
  const own = faults.find(({ server }) => server === '.mcp.json');
  return own === undefined ? line(true, `${detail}${besides}`) : line(false, `.mcp.json: ${own.message}`);
}

function startedLine({ server, tools, fault }: ServerReport): ServerLine {
  if (fault !== null) return faultLine(server, fault);
  const shown = tools.slice(0, 6).join(', ');
  return {
    name: 'server',
    ok: true,
    detail: `${server} has ${counted(tools.length, 'tool')}${tools.length === 0 ? '' : `: ${shown}${tools.length > 6 ? ' …' : ''}`}`,
    hint: null,
  };
}

function faultLine(server: string, message: string): ServerLine {
  return { name: 'server', ok: false, detail: `${server} cannot be used: ${message}`, hint: null };
}

/** How many servers `.mcp.json` names, what is wrong with it, or null when there is none. */
async function namesInFile({ files, loaded }: SkillLibrary): Promise<number | string | null> {
  const path = join(loaded.workspace, '.mcp.json');
  // A sandboxed command that is running may have put a placeholder there.
  if (isPlaceholder(path)) return null;
  try {
    const read = await files.read(path, 1024 * 1024);
    if (read === null) return null;
    const json = parseJson(decodeUtf8(read.bytes).text);
    const servers = isJsonObject(json) ? json['mcpServers'] : undefined;
    return isJsonObject(servers) ? Object.keys(servers).length : 'has no "mcpServers" object';
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof SyntaxError)) throw error;
    return `cannot be read: ${error.message}`;
  }
}
