// The server of one connection: tools, prompts and resources over the shared service.
//
// Lists are built on request, from the current skills. The server speaks both generations of the protocol: a form is returned as
// `input_required`, which the library turns into a request to the client for the older protocol.
//
// create-server#C3. The caller always learns about the run that waits, even if the user declines a form, cannot be asked
//     (failed-elicitations.ts), or keeps giving answers that do not fit.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import { packageVersion } from '../node/package-info.ts';
import { ownToolName } from '../base/own-tool-name.ts';
import { skillGuidelines } from '../prompt/guidelines.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import { cutText, maxMessageUnits } from '../base/cut-text.ts';
import type { RunResult } from '../run/result/result.ts';
import { readToolArguments, runMetaskillTool } from '../run/tools/run-metaskill.ts';
import type { ToolCaller } from '../ports/tool.ts';
import type { Caller } from './caller.ts';
import { OwnRuns } from '../techne/own-runs.ts';
import {
  describeCancelled,
  describeInterrupted,
  describeList,
  describeResult,
  describeRunning,
  relayOf,
} from './describe-run.ts';
import type { Conversation } from './conversation.ts';
import { decisionToElicit, elicitDecision, readDecision } from './elicit-decision.ts';
import { elicitForm, formToElicit, isAskedAgain, maxRounds, nextTurn, readElicited } from './elicit-form.ts';
import type { ElicitTurn } from './elicit-form.ts';
import { FailedElicitations } from './failed-elicitations.ts';
import { createProgressNotes } from './progress.ts';
import { getPrompt, promptsOf } from './prompts.ts';
import type { CallSettings, RunOutcome } from './run-sessions.ts';
import {
  answerTool,
  cancelTool,
  maxWaitSeconds,
  readAnswerArguments,
  readCancelArguments,
  readStatusArguments,
  runToolNames,
  statusTool,
} from '../run/tools/run-tools.ts';
import { repetitionNote } from '../run/tools/match-answers.ts';
import type { RunToolName } from '../run/tools/run-tools.ts';
import type { McpService } from './service.ts';
import { failedTool, skillToolResult, textResult, toMcpTool, toolResult } from './tool-result.ts';
import { protocolError } from './translate-error.ts';

const skillTools = [
  'skill_search',
  'skill_load',
  'skill_read',
  'graph_query',
  'graph_neighbours',
  'graph_tasks',
  'skill_propose',
  'skill_proposals',
] as const;

/** `own`: the runs that the same client started before. */
export function createServer(
  service: McpService,
  conversation: Conversation = service.createConversation(),
  own: OwnRuns = new OwnRuns(),
): McpServer {
  const mcp = new McpServer(
    { name: 'techne', title: 'techne: skills', version: packageVersion() },
    {
      instructions: skillGuidelines({ runs: service.runs, listed: false }),
      requestState: { verify: (state, context) => service.askedCodec.verify(state, context) },
      inputRequired: { maxRounds: maxRounds + 1 },
    },
  );
  const { server } = mcp;
  const failed = new FailedElicitations(server);
  server.registerCapabilities({
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true },
  });
  service.resources.attach(mcp);
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, service.onBug);
    }
  };
  server.setRequestHandler('tools/list', () =>
    told(async () => ({ tools: await conversation.use((session) => toolsOf(session, service.runs)) })),
  );
  server.setRequestHandler('prompts/list', () =>
    told(async () => ({ prompts: [...(await conversation.use(promptsOf))] })),
  );
  server.setRequestHandler('prompts/get', ({ params }) =>
    told(() => conversation.use((session) => getPrompt(session, params.name, params.arguments ?? {}))),
  );
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name } = params;
    const args = (params.arguments ?? {}) as JsonObject;
    const known = service.runs ? [...skillTools, ...runToolNames] : skillTools;
    // Names that some models expect.
    const meant = name === 'use_skill' ? 'skill_load' : known.find((one) => one === ownToolName(name));
    if (meant === undefined) {
      const near = nearest(name, known);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool "${name}"${near === null ? '' : `; did you mean "${near}"?`}`,
      );
    }
    try {
      if (isSkillTool(meant))
        return skillToolResult(
          await conversation.call(
            meant,
            args,
            String(context.mcpReq.id),
            callerOf(server, context, conversation),
          ),
        );
      return await callRunTool({ service, conversation, own, server, failed, name: meant, args, context });
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

function toolsOf(session: SkillSession, runs: boolean): Tool[] {
  const skills = session.tools.filter(({ name }) => isSkillTool(name));
  if (!runs) return skills.map(toMcpTool);
  const start = runMetaskillTool(session.runnable(), maximumLimits);
  return [...skills, ...(start === null ? [] : [start]), answerTool, statusTool, cancelTool].map(toMcpTool);
}

interface RunToolCall {
  readonly service: McpService;
  readonly conversation: Conversation;
  readonly own: OwnRuns;
  readonly server: Server;
  readonly failed: FailedElicitations;
  readonly name: RunToolName;
  readonly args: JsonObject;
  readonly context: ServerContext;
}

async function callRunTool({
  service,
  conversation,
  own,
  server,
  failed,
  name,
  args,
  context,
}: RunToolCall): Promise<CallToolResult | InputRequiredResult> {
  const { sessions } = service;
  const asksUser = service.asksPeople && canElicit(server, context);
  // A client that can ask its user directly relays nothing.
  const caller: Caller = {
    own,
    relaysForms: service.relaysForms && !asksUser,
    knows: (skill) => conversation.use((session) => session.knows(skill)),
  };
  const sent = new Set<Promise<void>>();
  const call = settingsOf(context, caller, sent);
  const describe = (
    { result, answerers }: Extract<RunOutcome, { readonly kind: 'result' }>,
    note: string | null = null,
  ): CallToolResult =>
    describeResult(result, answerers, relayOf(caller, result.run), service.pageUnits, note);
  /** `turn`: the last elicitation of this call; null: do not ask the user. */
  const conclude = async (
    outcome: RunOutcome,
    turn: ElicitTurn | null = { round: 0, tries: 0 },
  ): Promise<CallToolResult | InputRequiredResult> => {
    // A client listens for progress until the result is there.
    await Promise.all(sent);
    switch (outcome.kind) {
      case 'running':
        return describeRunning(outcome.run, outcome.skill, `Run ${outcome.run} is still running.`);
      case 'elsewhere':
        return describeRunning(outcome.run, outcome.skill, `Another process drives run ${outcome.run}.`);
      case 'stopped':
      case 'interrupted':
        return describeInterrupted(outcome);
      case 'result': {
        const { result, hadEnded = false, repeated = null } = outcome;
        // It has to be clear that the answer reached none of the open questions.
        if (repeated !== null && isWaiting(result)) return describe(outcome, repetitionNote(repeated));
        if (hadEnded)
          return describe(
            outcome,
            `Nothing was cancelled: run ${result.run ?? ''} had already ended, as ${result.status}.`,
          );
        if (name === 'run_cancel' && result.status === 'cancelled') return describeCancelled(result);
        if (result.run === null || !asksUser || name === 'run_status' || turn === null)
          return describe(outcome);
        const effect = decisionToElicit(result);
        const form = formToElicit(result);
        const next = nextTurn(turn, effect === null && form !== null && isAskedAgain(form));
        if (next === null) return describe(outcome);
        if (effect !== null)
          return elicitDecision(
            service.askedCodec,
            { run: result.run, skill: result.skill, ...next },
            effect,
            null,
          );
        return form === null
          ? describe(outcome)
          : elicitForm(
              service.askedCodec,
              { run: result.run, question: form.id, ...next },
              form.question,
              null,
            );
      }
    }
  };
  const elicited = readElicited(context);
  const stays = 'The run stays paused; do not answer for them. To end it, call run_cancel.';
  if (elicited.kind === 'declined') {
    const outcome = await sessions.look(elicited.asked.run, 0, call);
    if (outcome.kind !== 'result') return conclude(outcome, null);
    const reason = failed.take(context.mcpReq.id);
    return describe(
      outcome,
      `${reason === null ? 'The user was asked and gave no answer.' : `The user could not be asked here: ${reason}.`} ${stays}`,
    );
  }
  if (elicited.kind === 'said') {
    const { asked, values } = elicited;
    const { run } = asked;
    const again = async (
      { questions, undecided, skill }: RunResult,
      fault: string,
    ): Promise<InputRequiredResult | null> => {
      const next = nextTurn(asked, true);
      if (next === null) return null;
      if (asked.kind === 'form') {
        const question = questions.find(({ id }) => id === asked.question)?.question;
        return question === undefined
          ? null
          : elicitForm(service.askedCodec, { run, question: asked.question, ...next }, question, fault);
      }
      const effect = undecided.find((one) => one.run === asked.of && one.key === asked.key);
      return effect === undefined
        ? null
        : elicitDecision(service.askedCodec, { run, skill, ...next }, effect, fault);
    };
    try {
      if (asked.kind === 'form')
        return await conclude(await sessions.answerElicited(run, asked.question, values, call), asked);
      const decision = readDecision(values);
      if (decision === null)
        throw new TechneError('ANSWER_REFUSED', 'the decision must be "done", "retry" or "fail"');
      return await conclude(
        await sessions.decide(run, asked.of, { ...decision, key: asked.key }, call),
        asked,
      );
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED') throw error;
      const open = await sessions.look(run, 0, call);
      if (open.kind !== 'result') return conclude(open, null);
      const fault = cutText(printableLine(error.message), maxMessageUnits).text;
      // create-server#C3.
      return (
        (await again(open.result, fault)) ??
        describe(
          open,
          `The answer of the user was not accepted: ${fault}.${isWaiting(open.result) ? ` ${stays}` : ''}`,
        )
      );
    }
  }
  switch (name) {
    case 'run_metaskill': {
      const read = await conversation.use((session) => readToolArguments(args as Json, session));
      return read.ok
        ? conclude(await sessions.start(read.request, call))
        : toolResult(
            read.message,
            { status: 'refused', error: { code: 'USAGE', message: read.message, hint: null } },
            true,
          );
    }
    case 'run_answer': {
      const given = readAnswerArguments(args);
      return conclude(
        await (given.answers.length === 0 ? sessions.resume(given.run, call) : sessions.answer(given, call)),
      );
    }
    case 'run_status': {
      const { run, waitMs, question, offset } = readStatusArguments(args);
      if (run !== null && question !== null)
        return textResult(
          await sessions.readQuestion(run, question, { offset, maxUnits: service.pageUnits }, call),
        );
      return run === null
        ? describeList(await sessions.list(caller))
        : conclude(await sessions.look(run, Math.min(waitMs, maxWaitSeconds * 1_000), call));
    }
    case 'run_cancel': {
      const { run, reason } = readCancelArguments(args);
      return conclude(await sessions.cancel(run, reason, call), null);
    }
  }
}

function isWaiting({ status }: RunResult): boolean {
  return status === 'paused' || status === 'needs_decision';
}

/** `sent`: notifications in flight. */
function settingsOf({ mcpReq }: ServerContext, caller: Caller, sent: Set<Promise<void>>): CallSettings {
  const { signal } = mcpReq;
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { signal, caller, onEvent: () => {} };
  const noteOf = createProgressNotes();
  return {
    signal,
    caller,
    onEvent: (event) => {
      const note = noteOf(event);
      // A disconnected client needs no progress.
      if (note === null) return;
      const sending = mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken: token, ...note } })
        .catch(() => undefined);
      sent.add(sending);
      void sending.finally(() => sent.delete(sending));
    },
  };
}

/** The capabilities that the client declares, per request or when it connected. */
function canElicit(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { readonly [key: string]: unknown } | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined;
  const elicitation = capabilities?.elicitation as Json | undefined;
  return (
    isJsonObject(elicitation) && (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined)
  );
}

/** Who calls, for the record of proposals: the client as it names itself, and the session or connection. */
function callerOf(server: Server, { mcpReq, sessionId }: ServerContext, { id }: Conversation): ToolCaller {
  const envelope = mcpReq.envelope as { readonly [key: string]: unknown } | undefined;
  const info = (envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as Json | undefined;
  const client = isJsonObject(info)
    ? [info['name'], info['version']].filter((part) => typeof part === 'string').join(' ')
    : '';
  const conversation = sessionId ?? id;
  return {
    ...(conversation === undefined ? {} : { conversation }),
    ...(client === '' ? {} : { client }),
  };
}
