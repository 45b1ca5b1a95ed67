// A model on the loopback interface that works by script: it searches, loads and runs a skill, answers what the run asks, and stops.
//
//   Anthropic messages, OpenAI chat completions and responses, Gemini generateContent -> the next call of the script
//
// It knows how far it is by the results in the conversation. What it sees of the long question is kept in `seen`.
import { createServer } from 'node:http';

export const marker = 'END-OF-THE-LONG-QUESTION';
const runId = /\b01[0-9A-HJKMNP-TV-Z]{24}\b/;

/** `{ url, seen, close }`. `skill`: the one to run. */
export async function startStandIn(skill) {
  const seen = { tools: [], paths: new Set(), requests: 0, question: null, done: false, errors: [] };
  const next = ({ tools, results, text }) => {
    const named = (name) =>
      tools.find(
        (one) =>
          one === name || one.endsWith(`_${name}`) || one.endsWith(`.${name}`) || one.endsWith(`-${name}`),
      );
    if (named('run_metaskill') === undefined) {
      // Qwen Code gives the tools of servers by name only, until they are fetched.
      const deferred = [...new Set(text.match(/\bmcp__techne__\w+/g) ?? [])];
      if (named('tool_search') === undefined || deferred.length === 0) return { text: 'ok' };
      return {
        call: named('tool_search'),
        input: { query: `select:${deferred.join(',')}`, max_results: 20 },
      };
    }
    seen.tools = tools.filter((one) => /(?:skill|run)_\w+$/.test(one));
    const own = results.filter((one) => !/^\s*$/.test(one) && !one.includes('<functions>'));
    const paused = results.find((one) => one.includes('Line 0001') || one.includes('"paused"'));
    const shown = results.filter((one) => /Line \d{4}/.test(one) || one.includes(marker)).join('\n');
    if (shown !== '')
      seen.question = {
        pages: results.filter((one) => /Line \d{4}/.test(one) || one.includes(marker)).length,
        units: shown.length,
        markers: shown.split(marker).length - 1,
        lines: new Set(shown.match(/Line \d{4}/g) ?? []).size,
      };
    if (results.some((one) => one.includes('completed]') || /"status":\s*\\?"completed/.test(one))) {
      seen.done = true;
      return { text: 'The skill answered. DONE' };
    }
    if (paused !== undefined) {
      const run = runId.exec(paused)?.[0] ?? runId.exec(text)?.[0];
      if (run === undefined || own.length > 30) return { text: 'No run was found.' };
      // The last result is a page with the call that reads on.
      const more = /read on with run_status (\{.*?\})\]/.exec(results.at(-1).replaceAll(/\\+"/g, '"'));
      if (more !== null) return { call: named('run_status'), input: JSON.parse(more[1]) };
      return { call: named('run_answer'), input: { run, answer: `seen ${seen.question.lines} lines` } };
    }
    if (own.length === 0) return { call: named('skill_search'), input: { query: skill } };
    if (own.length === 1) return { call: named('skill_load'), input: { name: skill } };
    if (own.length < 6) return { call: named('run_metaskill'), input: { name: skill, input: {} } };
    return { text: 'It did not work.' };
  };
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const { pathname } = new URL(request.url, 'http://x');
    seen.paths.add(`${request.method} ${pathname.replace(/\d{5,}/g, 'N')}`);
    try {
      const body = raw === '' ? {} : JSON.parse(raw);
      const format = formats.find(({ path }) => path.test(pathname));
      if (request.method !== 'POST' || format === undefined) {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"data":[{"id":"stand-in","object":"model"}],"models":[],"input_tokens":10}');
        return;
      }
      seen.requests += 1;
      const step = next(format.read(body));
      const stream = body.stream === true || /stream/i.test(pathname);
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(format.write(step, body, stream, seen.requests));
    } catch (error) {
      seen.errors.push(String(error.stack ?? error).slice(0, 400));
      response.writeHead(500).end('{}');
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => (server.closeAllConnections(), new Promise((closed) => server.close(closed))),
  };
}

const textOf = (content) =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content
          .map((part) => part?.text ?? (typeof part === 'string' ? part : JSON.stringify(part)))
          .join('\n')
      : JSON.stringify(content ?? '');
const events = (list) =>
  list
    .map(
      ([name, data]) =>
        `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
    .join('');

const anthropic = {
  path: /\/messages$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map(({ name }) => name),
    results: messages.flatMap(({ content }) =>
      (Array.isArray(content) ? content : [])
        .filter(({ type }) => type === 'tool_result')
        .map(({ content: inner }) => textOf(inner)),
    ),
    text: JSON.stringify(messages),
  }),
  write({ text, call, input }, { model }, stream, number) {
    const block =
      call === undefined
        ? { type: 'text', text }
        : { type: 'tool_use', id: `toolu_${number}`, name: call, input };
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: call === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage,
    };
    if (!stream) return JSON.stringify(message);
    const start = call === undefined ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta =
      call === undefined
        ? { type: 'text_delta', text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    return events([
      ['message_start', { type: 'message_start', message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: start }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      [
        'message_delta',
        { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage },
      ],
      ['message_stop', { type: 'message_stop' }],
    ]);
  },
};

const chat = {
  path: /\/chat\/completions$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map((tool) => tool.function?.name ?? tool.name),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
    text: JSON.stringify(messages),
  }),
  write({ text, call, input }, { model }, stream, number) {
    const calls =
      call === undefined
        ? undefined
        : [
            {
              index: 0,
              id: `call_${number}`,
              type: 'function',
              function: { name: call, arguments: JSON.stringify(input) },
            },
          ];
    const finish = call === undefined ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const base = { id: `chat_${number}`, created: 1, model };
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(calls === undefined ? {} : { tool_calls: calls }),
    };
    if (!stream)
      return JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      });
    const chunk = (delta, finish_reason = null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
    return events([
      [null, chunk(message)],
      [null, { ...chunk({}, finish), usage }],
      [null, '[DONE]'],
    ]);
  },
};

const responses = {
  path: /\/responses$/,
  read: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap((tool) =>
      tool.type === 'namespace'
        ? (tool.tools ?? []).map(({ name }) => `${tool.name}.${name}`)
        : [tool.name ?? tool.type],
    ),
    results: (Array.isArray(input) ? input : [])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textOf(output)),
    text: JSON.stringify(input),
  }),
  write({ text, call, input }, { model, tools = [] }, stream, number) {
    const space = tools.find((tool) => tool.type === 'namespace' && call?.startsWith(`${tool.name}.`));
    const item =
      call === undefined
        ? {
            type: 'message',
            id: `msg_${number}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: `fc_${number}`,
            call_id: `call_${number}`,
            name: space === undefined ? call : call.slice(space.name.length + 1),
            ...(space === undefined ? {} : { namespace: space.name }),
            arguments: JSON.stringify(input),
            status: 'completed',
          };
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    };
    const response = {
      id: `resp_${number}`,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model,
      output: [item],
      usage,
      parallel_tool_calls: false,
      tools: [],
    };
    if (!stream) return JSON.stringify(response);
    return events([
      [
        'response.created',
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ],
      ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      ['response.completed', { type: 'response.completed', response }],
    ]);
  },
};

const gemini = {
  path: /:(?:stream)?[gG]enerateContent$/,
  read: ({ tools = [], contents = [] }) => ({
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    results: contents.flatMap(({ parts = [] }) =>
      parts
        .filter(({ functionResponse }) => functionResponse !== undefined)
        .map(({ functionResponse }) => JSON.stringify(functionResponse.response)),
    ),
    text: JSON.stringify(contents),
  }),
  write({ text, call, input }, _body, stream) {
    const parts = call === undefined ? [{ text }] : [{ functionCall: { name: call, args: input } }];
    const made = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    };
    return stream ? events([[null, made]]) : JSON.stringify(made);
  },
};

const formats = [anthropic, chat, responses, gemini];
