// One connection's server: tools, prompts and resources over the shared service.
//
// C1. Lists are made when they are asked for, from the skills there are then.
// C2. The same server speaks both generations of the protocol: what a form asks is returned as `input_required`, and the
//     library turns that into a request to the client where the older protocol is spoken.
import { CLIENT_CAPABILITIES_META_KEY, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, ClientCapabilities, InputRequiredResult, Server, ServerContext, Tool } from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printable } from '../base/printable.ts';
import { packageVersion } from '../host/package-info.ts';
import { skillGuidelines } from '../prompt/guidelines.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import { readToolArguments, runMetaskillTool } from '../run/tool-definition.ts';
import { describeInterrupted, describeList, describeResult, describeRunning } from './describe-run.ts';
import type { Conversation } from './conversation.ts';
import { elicitForm, formToElicit, maxRounds, readElicited } from './elicit-form.ts';
import { createProgressNotes } from './progress.ts';
import { getPrompt, promptsOf } from './prompts.ts';
import type { CallSettings, RunOutcome } from './run-desk.ts';
import { answerTool, cancelTool, maxWaitSeconds, readAnswerArguments, readCancelArguments, readStatusArguments, runToolNames, startAnnotations, statusTool } from './run-tools.ts';
import type { RunToolName } from './run-tools.ts';
import type { McpService } from './service.ts';
import { failedTool, skillToolResult, toolResult } from './tool-result.ts';
import { protocolError } from './translate-error.ts';

const skillTools = ['skill_search', 'skill_load', 'skill_read'] as const;

export function createServer(service: McpService, conversation: Conversation = service.createConversation()): McpServer {
  const mcp = new McpServer(
    { name: 'techne', title: 'techne: skills', version: packageVersion() },
    { instructions: skillGuidelines({ runs: service.runs, listed: false }), requestState: { verify: (state, context) => service.formCodec.verify(state, context) }, inputRequired: { maxRounds: maxRounds + 1 } },
  );
  const { server } = mcp;
  server.registerCapabilities({ tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } });
  service.resources.attach(mcp);
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, service.onBug);
    }
  };
  server.setRequestHandler('tools/list', () => told(async () => ({ tools: await conversation.use((session) => toolsOf(session, service.runs)) })));
  server.setRequestHandler('prompts/list', () => told(async () => ({ prompts: [...(await conversation.use(promptsOf))] })));
  server.setRequestHandler('prompts/get', ({ params }) => told(() => conversation.use((session) => getPrompt(session, params.name, params.arguments ?? {}))));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name } = params;
    const args = (params.arguments ?? {}) as JsonObject;
    const known = service.runs ? [...skillTools, ...runToolNames] : skillTools;
    // An alias, for models that know it by this name.
    const meant = name === 'use_skill' ? 'skill_load' : known.find((one) => one === name);
    if (meant === undefined) {
      const near = nearest(name, known);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${name}"${near === null ? '' : `; did you mean "${near}"?`}`);
    }
    try {
      if (isSkillTool(meant)) return skillToolResult(await conversation.call(meant, args, String(context.mcpReq.id)));
      return await callRunTool(service, server, meant, args, context);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return failedTool(error, service.onBug);
    }
  });
  return mcp;
}

function isSkillTool(name: string): name is (typeof skillTools)[number] {
  return (skillTools as readonly string[]).includes(name);
}

export function toolsOf(session: SkillSession, runs: boolean): Tool[] {
  const skills = session.tools.filter(({ name }) => isSkillTool(name)).map(({ name, description, parameters, annotations }): Tool => ({ name, title: annotations.title, description, inputSchema: parameters as Tool['inputSchema'], annotations: { ...annotations } }));
  if (!runs) return skills;
  const definition = runMetaskillTool(session.runnable(), maximumLimits);
  const start: Tool[] = definition === null ? [] : [{ name: definition.name, title: startAnnotations.title, description: definition.description, inputSchema: shownSchema(definition.parameters) as Tool['inputSchema'], annotations: { ...startAnnotations } }];
  return [...skills, ...start, ...[answerTool, statusTool, cancelTool].map(({ name, description, inputSchema, annotations }): Tool => ({ name, title: annotations.title, description, inputSchema: inputSchema as Tool['inputSchema'], annotations: { ...annotations } }))];
}

/** What skills say of their inputs is a text of others: no character in it is hidden from whoever looks at the tool. */
function shownSchema(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(shownSchema);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typeof inner === 'string' && (key === 'description' || key === 'title') ? printable(inner) : shownSchema(inner)]));
}

async function callRunTool(service: McpService, server: Server, name: RunToolName, args: JsonObject, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  const { desk } = service;
  const call = settingsOf(context);
  const asksUser = canElicit(server, context);
  // Who can ask the user directly needs nobody to pass answers on.
  const relay = { relaysForms: service.relaysForms && !asksUser };
  const conclude = async (outcome: RunOutcome, round = 0): Promise<CallToolResult | InputRequiredResult> => {
    switch (outcome.kind) {
      case 'running':
        return describeRunning(outcome.run, outcome.skill, `Run ${outcome.run} goes on.`);
      case 'elsewhere':
        return describeRunning(outcome.run, outcome.skill, `Another process goes on with run ${outcome.run}.`);
      case 'interrupted':
        return describeInterrupted(outcome.run, outcome.skill);
      case 'result': {
        const { result } = outcome;
        const form = asksUser && name !== 'run_status' && round < maxRounds ? formToElicit(result) : null;
        if (form === null || result.run === null) return describeResult(result, relay);
        return elicitForm(service.formCodec, { run: result.run, question: form.id, round: round + 1 }, form.question, null);
      }
    }
  };
  const elicited = readElicited(context);
  if (elicited.kind === 'declined') {
    const { run } = elicited.form;
    const outcome = await desk.look(run, 0, call);
    if (outcome.kind !== 'result') return conclude(outcome, maxRounds);
    return describeResult(outcome.result, relay, 'The user was asked and gave no answer. The run stays paused; do not answer for them. To give it up, call run_cancel.');
  }
  if (elicited.kind === 'said') {
    const { run, question, round } = elicited.form;
    try {
      return await conclude(await desk.answerElicited(run, question, elicited.values, call), round);
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED' || round >= maxRounds) throw error;
      const open = await desk.look(run, 0, call);
      const asked = open.kind === 'result' ? open.result.questions.find(({ id }) => id === question) : undefined;
      if (asked === undefined) throw error;
      return elicitForm(service.formCodec, { run, question, round: round + 1 }, asked.question, error.message);
    }
  }
  switch (name) {
    case 'run_metaskill': {
      const read = readToolArguments(args as Json);
      return read.ok ? conclude(await desk.start(read.request, call)) : toolResult(read.message, { status: 'refused', error: { code: 'USAGE', message: read.message, hint: null } }, true);
    }
    case 'run_answer': {
      const given = readAnswerArguments(args);
      return conclude(await (given.question === null ? desk.goOn(given.run, call) : desk.answer(given, relay, call)));
    }
    case 'run_status': {
      const { run, waitMs } = readStatusArguments(args);
      return run === null ? describeList(await desk.list()) : conclude(await desk.look(run, Math.min(waitMs, maxWaitSeconds * 1_000), call));
    }
    case 'run_cancel': {
      const { run, reason } = readCancelArguments(args);
      return conclude(await desk.cancel(run, reason, call), maxRounds);
    }
  }
}

function settingsOf({ mcpReq }: ServerContext): CallSettings {
  const { signal } = mcpReq;
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { signal, onEvent: () => {} };
  const noteOf = createProgressNotes();
  return {
    signal,
    onEvent: (event) => {
      const note = noteOf(event);
      // Whoever is gone needs no progress.
      if (note !== null) mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...note } }).catch(() => undefined);
    },
  };
}

/** By what the client says of itself: with each request, or when it connected. */
function canElicit(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { readonly [key: string]: unknown } | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as ClientCapabilities | undefined;
  const elicitation = capabilities?.elicitation as Json | undefined;
  return isJsonObject(elicitation) && (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined);
}
