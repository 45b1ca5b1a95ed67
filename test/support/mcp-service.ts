// The MCP service in this process, and clients that are connected to it in memory.
import { Client } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { createServer } from '../../src/mcp/create-server.ts';
import type { McpService, ServiceOptions } from '../../src/mcp/service.ts';
import { openService } from '../../src/mcp/service.ts';
import { openSkills } from '../../src/techne/open-skills.ts';
import type { World } from './run-cli.ts';
import { createWorld } from './run-cli.ts';

export interface TestService {
  readonly world: World;
  readonly service: McpService;
  readonly connect: () => Promise<TestClient>;
  readonly close: () => Promise<void>;
}

export interface TestClient {
  readonly client: Client;
  readonly call: (name: string, args?: JsonObject) => Promise<CallToolResult>;
  /** The text of a result. */
  readonly text: (name: string, args?: JsonObject) => Promise<string>;
  /** The structured content of a result. */
  readonly facts: (name: string, args?: JsonObject) => Promise<Facts>;
}

export interface Facts extends JsonObject {
  readonly run: string;
  readonly status: string;
  readonly questions: readonly {
    readonly id: string;
    readonly nonce: string;
    readonly audience: string;
    readonly question: JsonObject;
  }[];
}

/** A metaskill of the workspace; `body` is its program. */
export function programSkill(name: string, body: string, fields = ''): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}.\nmetaskill: SKILL.star\n${fields}---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: `def run(input):\n${body}`,
  };
}

/** The service over the skills of a world: without a matcher, an answerer and a watch, unless the options say otherwise. */
export async function openServiceOf(
  world: World,
  options: Partial<ServiceOptions> = {},
): Promise<McpService> {
  const places = { cwd: world.workspace, homeFolder: world.home, variables: options.variables ?? {} };
  return openService({
    library: await openSkills(places),
    ...places,
    openMatcher: async () => null,
    answerer: null,
    watch: false,
    onWarning: () => {},
    onBug: () => {},
    ...options,
  });
}

export async function openTestService(
  files: { readonly [path: string]: string },
  {
    config = {},
    variables = {},
    ...options
  }: { readonly config?: JsonObject; readonly variables?: { readonly [name: string]: string } } & Partial<
    Omit<ServiceOptions, 'variables'>
  > = {},
): Promise<TestService> {
  const world = createWorld(files);
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      ...config,
    }),
  });
  const service = await openServiceOf(world, {
    variables: { PATH: process.env['PATH'], ...variables },
    ...options,
  });
  const clients: Client[] = [];
  return {
    world,
    service,
    async connect() {
      const [here, there] = InMemoryTransport.createLinkedPair();
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
      await createServer(service).connect(there);
      await client.connect(here);
      clients.push(client);
      const call: TestClient['call'] = (name, args = {}) =>
        client.callTool({ name, arguments: args as { [key: string]: Json } }) as Promise<CallToolResult>;
      return {
        client,
        call,
        async text(name, args) {
          const [first] = (await call(name, args)).content;
          return first?.type === 'text' ? first.text : '';
        },
        facts: async (name, args) => (await call(name, args)).structuredContent as unknown as Facts,
      };
    },
    async close() {
      for (const client of clients) await client.close();
      await service.close();
      world.remove();
    },
  };
}
