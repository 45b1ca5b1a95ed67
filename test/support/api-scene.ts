// An API server in this process, with skills, tokens of every role and a client that checks every response against the OpenAPI
// document.
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createNodeFiles } from '../../src/node/files/files.ts';
import { ChatHost } from '../../src/techne/chat/chat-host.ts';
import { openTechne } from '../../src/techne/create-techne.ts';
import type { OpenTechne } from '../../src/techne/create-techne.ts';
import { openSkills } from '../../src/techne/open-skills.ts';
import { TokenFile } from '../../src/techne/tokens/token-file.ts';
import { renderOpenApi } from '../../src/api/render-openapi.ts';
import { roles } from '../../src/api/role.ts';
import type { Role } from '../../src/api/role.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { checkSchema } from '../../src/base/schema/check-value.ts';
import type { ApiServing, ServeOptions } from '../../src/http/serve-api.ts';
import { serveApi } from '../../src/http/serve-api.ts';
import type { World } from './run-cli.ts';
import { createWorld, skillText } from './run-cli.ts';

const program = (name: string, code: string, more = ''): { readonly [path: string]: string } => ({
  [`work/.techne/skills/${name}/SKILL.md`]: skillText(
    name,
    `Does ${name}. Use when ${name} is needed.`,
    `metaskill: SKILL.star\n${more}`,
  ),
  [`work/.techne/skills/${name}/SKILL.star`]: code,
});

/** Skills that the tests of the API run. */
export const apiSkills: { readonly [path: string]: string } = {
  ...program('echo', 'def run(input):\n  return {"said": input["word"]}\n'),
  ...program('asks', 'def run(input):\n  return {"said": ask("Which colour is " + input["what"] + "?")}\n'),
  ...program('touches', 'def run(input):\n  return command(["touch", "made.txt"])\n'),
  ...program(
    'many',
    'def run(input):\n  said = []\n  for n in range(input["count"]):\n    trace("step", {"n": n})\n    said.append(ask("number %d" % n))\n  return {"said": len(said)}\n',
  ),
  'work/.techne/skills/form/SKILL.md': `---
name: form
description: Asks a person for a city. Use when a form is needed.
kind: meta
composition:
  steps:
    - id: where
      kind: user_input
      clarify:
        fields:
          - name: city
            type: string
            required: true
    - id: say
      kind: llm_chat
      depends_on: [where]
      with:
        task: "say {{ outputs.where }}"
---

# form
`,
  'work/.techne/skills/notes/SKILL.md': skillText('notes'),
};

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
}

export interface SentRequest {
  readonly method?: 'GET' | 'POST' | (string & {});
  /** Default: the token of this role. `null`: none. */
  readonly as?: Role | null;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  readonly body?: Json;
  /** Instead of `body`. */
  readonly raw?: string | Buffer;
}

export interface ApiScene {
  readonly world: World;
  readonly techne: OpenTechne;
  readonly serving: ApiServing;
  readonly tokens: { readonly [role in Role]: string };
  readonly tokenFile: TokenFile;
  readonly bugs: unknown[];
  /** Sends a request, and fails where the response is not as the OpenAPI document says. */
  send(path: string, sent?: SentRequest): Promise<Answer>;
  /** The JSON object of a success; fails otherwise. */
  get(path: string, sent?: SentRequest): Promise<JsonObject>;
  close(): Promise<void>;
}

export interface SceneOptions extends Partial<ServeOptions> {
  readonly files?: { readonly [path: string]: string };
  readonly answerer?: Parameters<typeof openTechne>[0]['answerer'];
  /** Who answers conversations. Default: the first model that is configured. */
  readonly chatAnswerer?: string | null;
  readonly world?: World;
  /** Default: files. */
  readonly store?: string;
}

export async function openApiScene(options: SceneOptions = {}): Promise<ApiScene> {
  const { files, answerer = 'caller', chatAnswerer = null, world: given, store, ...more } = options;
  const world = given ?? createWorld({ ...apiSkills, ...files });
  const environment = { cwd: world.workspace, homeFolder: world.home, variables: { PATH: '/usr/bin:/bin' } };
  const library = await openSkills({ ...environment, trust: [world.workspace] });
  const techne = await openTechne({
    ...environment,
    library,
    answerer,
    durable: false,
    origin: null,
    ...(store === undefined ? {} : { store }),
  });
  const bugs: unknown[] = [];
  const tokenFile = new TokenFile({
    file: `${world.home}/.techne/tokens.json`,
    files: createNodeFiles(),
    nowMs: Date.now,
  });
  const tokens = {} as { [role in Role]: string };
  for (const role of roles) tokens[role] = await tokenFile.create(`${role}-${Date.now()}`, role, null);
  const serving = await serveApi({
    techne,
    tokens: tokenFile,
    workspace: world.workspace,
    homeFolder: world.home,
    variables: {},
    person: 'me@local',
    ratePerSecond: 1_000_000,
    onBug: (error) => void bugs.push(error),
    chats: new ChatHost({
      openLibrary: () => openSkills({ ...environment, trust: [world.workspace], hostTools: 'techne' }),
      answerer: chatAnswerer,
      ...environment,
      durable: false,
      onWarning: () => undefined,
    }),
    ...more,
  });
  const send = async (path: string, sent: SentRequest = {}): Promise<Answer> => {
    const answer = await exchange(serving.port, path, sent, tokens);
    mustFitDocument(sent.method ?? methodOf(sent), path, answer);
    return answer;
  };
  return {
    world,
    techne,
    serving,
    tokens,
    tokenFile,
    bugs,
    send,
    async get(path, sent) {
      const answer = await send(path, sent);
      if (answer.status >= 300) throw new Error(`${path} gave ${answer.status}: ${answer.text}`);
      return answer.json as JsonObject;
    },
    async close() {
      await serving.close();
      await techne.close();
      if (given === undefined) world.remove();
      if (bugs.length > 0) throw new AggregateError(bugs, 'the server reported bugs');
    },
  };
}

function methodOf({ body, raw }: SentRequest): string {
  return body === undefined && raw === undefined ? 'GET' : 'POST';
}

function exchange(
  port: number,
  path: string,
  sent: SentRequest,
  tokens: { readonly [role in Role]: string },
): Promise<Answer> {
  const { as = 'operator', headers = {}, body, raw } = sent;
  const bytes = raw ?? (body === undefined ? null : JSON.stringify(body));
  const all = {
    host: `127.0.0.1:${port}`,
    ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
    ...(bytes === null
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: sent.method ?? methodOf(sent),
        agent: false,
        setHost: false,
        headers: Object.fromEntries(
          Object.entries(all).flatMap(([name, value]) =>
            value === undefined || value === '' ? [] : [[name, value as string]],
          ),
        ),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: /json/.test(response.headers['content-type'] ?? '') ? (JSON.parse(text) as Json) : null,
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(bytes ?? undefined);
  });
}

const document = renderOpenApi('test');

/** Throws where the response is not one that the document has. */
export function mustFitDocument(method: string, path: string, { status, headers, json }: Answer): void {
  const operation = operationAt(method, path.split('?', 1)[0] as string);
  // A path that the document does not have gives a problem.
  const responses = (operation?.['responses'] ?? {
    default: {
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  }) as JsonObject;
  const response = (responses[String(status)] ?? responses['default']) as JsonObject;
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  if (status === 204 || path.startsWith('/mcp') || method === 'OPTIONS') return;
  const content = response['content'] as JsonObject;
  if (!Object.hasOwn(content, type)) throw new Error(`${method} ${path}: ${status} has the type "${type}"`);
  if (!/json/.test(type)) return;
  const schema = {
    ...((content[type] as JsonObject)['schema'] as JsonObject),
    components: document['components'] as Json,
  };
  const faults = checkSchema(schema, json, 'the response');
  if (faults.length > 0) throw new Error(`${method} ${path}: ${status}: ${faults.join('; ')}`);
}

function operationAt(method: string, path: string): JsonObject | undefined {
  const found = Object.entries(document['paths'] as JsonObject).find(([pattern]) =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return (found?.[1] as JsonObject | undefined)?.[method.toLowerCase()] as JsonObject | undefined;
}
