// A call of ask, command, trace or ask_all -> its request, or what is wrong with the call.
//
// Types are checked and unknown options are refused by name, so that a typo is never a silent default. Numbers are
// clamped where S0 says so: max_turns to [1, turnsPerAsk], timeout to [1 s, commandTimeoutMaxMs]. A wrong argv is data
// for the program (S0: `ok: false`); every other fault ends it.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { hostFunctionOptions } from '../../skill/host-functions.ts';
import type { Data } from '../../starlark.ts';
import type { RunLimits } from '../budget/limits.ts';
import { schemaFaults, renderPath } from '../../base/schema/schema.ts';

export interface HostCall {
  readonly name: string;
  readonly args: readonly Data[];
  readonly named: { readonly [name: string]: Data };
}

type Call =
  | { readonly kind: 'ask'; readonly request: JsonObject; readonly repeatable: boolean }
  | {
      readonly kind: 'ask_all';
      readonly requests: readonly { readonly request: JsonObject; readonly repeatable: boolean }[];
    }
  | { readonly kind: 'command'; readonly request: JsonObject; readonly repeatable: boolean }
  | { readonly kind: 'trace'; readonly label: string; readonly data: JsonObject }
  /** Answered immediately, without the host. */
  | { readonly kind: 'value'; readonly value: JsonObject }
  | { readonly kind: 'fault'; readonly message: string };

const maxAtOnce = 1_000;
const { ask: askOptions, command: commandOptions } = hostFunctionOptions;
const clampedOptions = ['max_turns', 'timeout'];

class Fault extends Error {}

export function readCall(call: HostCall, limits: RunLimits): Call {
  try {
    switch (call.name) {
      case 'ask': {
        const [prompt, opts] = bind(call, ['prompt', 'opts']);
        return { kind: 'ask', ...readAsk('ask', prompt, optionsOf('ask', opts, askOptions), limits) };
      }
      case 'ask_all':
        return readAskAll(call, limits);
      case 'command': {
        const [argv, opts] = bind(call, ['argv', 'opts']);
        return readCommand(argv, optionsOf('command', opts, commandOptions), limits);
      }
      case 'trace':
        return readTrace(call);
      default:
        return { kind: 'fault', message: `there is no host function ${call.name}` };
    }
  } catch (error) {
    if (error instanceof Fault) return { kind: 'fault', message: error.message };
    throw error;
  }
}

function readAsk(
  name: string,
  prompt: Data | undefined,
  opts: JsonObject,
  limits: RunLimits,
): { readonly request: JsonObject; readonly repeatable: boolean } {
  if (typeof prompt !== 'string')
    throw new Fault(`${name}: the prompt must be a string, not ${dataTypeName(prompt ?? null)}`);
  const { purpose = null, max_turns: maxTurns = null, schema = null, model = null, tools = null } = opts;
  if (purpose !== null && typeof purpose !== 'string') throw wrongType(name, 'purpose', 'a string', purpose);
  if (model !== null && typeof model !== 'string') throw wrongType(name, 'model', 'a string', model);
  if (maxTurns !== null && !Number.isInteger(maxTurns))
    throw wrongType(name, 'max_turns', 'an int', maxTurns);
  if (tools !== null && !isTextList(tools)) throw wrongType(name, 'tools', 'a list of strings', tools);
  const [fault] = schema === null ? [] : schemaFaults(schema);
  if (fault !== undefined) throw new Fault(`${name}: ${fault}`);
  const clamped =
    maxTurns === null ? limits.turnsPerAsk : Math.min(Math.max(1, maxTurns as number), limits.turnsPerAsk);
  // In canonical order, in which it is hashed and written.
  const request: { [key: string]: Json } = { max_turns: clamped };
  if (model !== null) request['model'] = model;
  request['prompt'] = prompt;
  if (purpose !== null) request['purpose'] = purpose;
  if (schema !== null) request['schema'] = schema;
  if (tools !== null) request['tools'] = tools;
  return { request, repeatable: flag(name, opts) };
}

function readAskAll(call: HostCall, limits: RunLimits): Call {
  const [prompts, opts] = bind(call, ['prompts', 'opts']);
  if (!Array.isArray(prompts))
    throw new Fault(
      `ask_all: the prompts must be a list of strings or dicts, not ${dataTypeName(prompts ?? null)}`,
    );
  if (prompts.length > maxAtOnce)
    throw new Fault(`ask_all: ${prompts.length} prompts are more than ${maxAtOnce}`);
  const shared = optionsOf('ask_all', opts, askOptions);
  const requests = (prompts as readonly Data[]).map((one, index) => {
    const name = `ask_all: prompts[${index}]`;
    if (typeof one === 'string') return readAsk(name, one, shared, limits);
    if (dataTypeName(one) !== 'dict')
      throw new Fault(`${name} must be a string or a dict, not ${dataTypeName(one)}`);
    const { prompt, ...own } = one as { readonly [key: string]: Data };
    return readAsk(name, prompt, { ...shared, ...optionsOf(name, own, askOptions) }, limits);
  });
  return { kind: 'ask_all', requests };
}

function readCommand(argv: Data | undefined, opts: JsonObject, limits: RunLimits): Call {
  const { timeout = null, cwd = null, stdin = null } = opts;
  if (timeout !== null && typeof timeout !== 'number')
    throw wrongType('command', 'timeout', 'a number of seconds', timeout);
  if (cwd !== null && typeof cwd !== 'string') throw wrongType('command', 'cwd', 'a string', cwd);
  if (stdin !== null && typeof stdin !== 'string') throw wrongType('command', 'stdin', 'a string', stdin);
  const repeatable = flag('command', opts);
  const fault = argvFault(argv ?? null);
  if (fault !== null)
    return {
      kind: 'value',
      value: { ok: false, exit_code: -1, result: `error: ${fault}`, truncated: false },
    };
  return {
    kind: 'command',
    request: commandRequest(
      { argv: argv as readonly string[], timeoutMs: timeout === null ? null : timeout * 1_000, cwd, stdin },
      limits,
    ),
    repeatable,
  };
}

/** What is wrong with it, or null. */
export function argvFault(argv: Data): string | null {
  if (!Array.isArray(argv) || argv.length === 0) return 'argv must be a non-empty list of strings';
  const strange = (argv as readonly Data[]).findIndex((one) => typeof one !== 'string');
  if (strange >= 0)
    return `argv must be a list of strings; item ${strange} is ${dataTypeName(argv[strange] as Data)}`;
  if ((argv as readonly string[]).some((one) => one.includes('\0')))
    return 'argv must not contain NUL characters';
  return argv[0] === '' ? 'argv[0] is empty' : null;
}

/** As the journal has it; numbers are clamped in the same way for a program and for a nested agent. */
export function commandRequest(
  call: {
    readonly argv: readonly string[];
    readonly timeoutMs: number | null;
    readonly cwd: string | null;
    readonly stdin: string | null;
  },
  limits: RunLimits,
): JsonObject {
  const { argv, timeoutMs, cwd, stdin } = call;
  const clamped =
    timeoutMs === null || Number.isNaN(timeoutMs)
      ? limits.commandTimeoutMs
      : Math.min(Math.max(1_000, Math.round(timeoutMs)), limits.commandTimeoutMaxMs);
  // In canonical order, in which it is hashed and written.
  const request: { [key: string]: Json } = { argv };
  if (cwd !== null) request['cwd'] = cwd;
  if (stdin !== null) request['stdin'] = stdin;
  request['timeout_ms'] = clamped;
  return request;
}

function readTrace(call: HostCall): Call {
  const [label, data] = bind(call, ['kind', 'data']);
  if (typeof label !== 'string')
    throw new Fault(`trace: the kind must be a string, not ${dataTypeName(label ?? null)}`);
  if (data === undefined || data === null) return { kind: 'trace', label, data: emptyObject() };
  const converted = dataToJson(data, 'data');
  if (!converted.ok) throw new Fault(`trace: ${converted.message}`);
  if (!isJsonObject(converted.json))
    throw new Fault(`trace: the data must be a dict, not ${dataTypeName(data)}`);
  return { kind: 'trace', label, data: converted.json };
}

/** The arguments by position or name, as `def f(first, second = None)` takes them. */
function bind(
  { name, args, named }: HostCall,
  parameters: readonly [string, string],
): [Data | undefined, Data | undefined] {
  if (args.length > 2)
    throw new Fault(`${name} takes at most 2 arguments (${parameters.join(', ')}), not ${args.length}`);
  const bound: (Data | undefined)[] = [args[0], args[1]];
  for (const [key, value] of Object.entries(named)) {
    const index = parameters.indexOf(key);
    if (index < 0) {
      const isOption = [...askOptions, ...commandOptions].includes(key);
      const close = nearest(key, parameters);
      throw new Fault(
        `${name} has no argument "${key}"${isOption ? `; options go into a dict: ${name}(…, {"${key}": …})` : close === null ? '' : `; did you mean "${close}"?`}`,
      );
    }
    if (index < args.length) throw new Fault(`${name} got two values for "${key}"`);
    bound[index] = value;
  }
  if (bound[0] === undefined) throw new Fault(`${name} needs the argument "${parameters[0]}"`);
  return [bound[0], bound[1]];
}

function optionsOf(name: string, opts: Data | undefined, known: readonly string[]): JsonObject {
  if (opts === undefined || opts === null) return emptyObject();
  const converted = dataToJson(withinNumbers(opts), 'opts');
  if (!converted.ok) throw new Fault(`${name}: ${converted.message}`);
  if (!isJsonObject(converted.json))
    throw new Fault(`${name}: opts must be a dict, not ${dataTypeName(opts)}`);
  for (const key of Object.keys(converted.json)) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    throw new Fault(
      `${name} has no option "${key}"${close === null ? `; its options are ${known.join(', ')}` : `; did you mean "${close}"?`}`,
    );
  }
  return converted.json;
}

/** Limits of any size are clamped later, so that an int beyond what JSON carries is as good as the largest it does. */
function withinNumbers(opts: Data): Data {
  if (dataTypeName(opts) !== 'dict') return opts;
  const given = opts as { readonly [key: string]: Data };
  if (!clampedOptions.some((key) => typeof given[key] === 'bigint')) return opts;
  const largest = Number.MAX_SAFE_INTEGER;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      clampedOptions.includes(key) && typeof value === 'bigint' ? (value < 0n ? -largest : largest) : value,
    ]),
  );
}

function flag(name: string, { idempotent = null }: JsonObject): boolean {
  if (idempotent !== null && typeof idempotent !== 'boolean')
    throw wrongType(name, 'idempotent', 'True or False', idempotent);
  return idempotent === true;
}

function wrongType(name: string, option: string, wanted: string, value: Json): Fault {
  return new Fault(`${name}: opts["${option}"] must be ${wanted}, not ${dataTypeName(value)}`);
}

function isTextList(value: Json): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((one) => typeof one === 'string');
}

// A value that a program gives to the host -> JSON, or why it cannot be JSON.
//
// An int beyond 2^53 - 1 and bytes are refused, not converted: the author decides how they become text.

type JsonOrFault =
  | { readonly ok: true; readonly json: Json }
  | { readonly ok: false; readonly message: string };

/** `what` names the data in the message: `the result`, `opts of ask`. */
export function dataToJson(data: Data, what: string): JsonOrFault {
  const path: (string | number)[] = [];
  const fault = { message: '' };
  const json = convert(data, path, fault);
  return json === undefined
    ? { ok: false, message: `${fault.message} at ${what}${renderPath(path)}` }
    : { ok: true, json };
}

function convert(data: Data, path: (string | number)[], fault: { message: string }): Json | undefined {
  if (data === null || typeof data === 'string' || typeof data === 'boolean' || typeof data === 'number')
    return data;
  if (typeof data === 'bigint') {
    fault.message = 'an int beyond 2^53 - 1 cannot be JSON (use str(x))';
    return undefined;
  }
  if (data instanceof Uint8Array) {
    fault.message = 'bytes cannot be JSON (use str(x))';
    return undefined;
  }
  if (Array.isArray(data)) {
    const items: Json[] = [];
    for (const [index, item] of (data as readonly Data[]).entries()) {
      path.push(index);
      const json = convert(item, path, fault);
      if (json === undefined) return undefined;
      path.pop();
      items.push(json);
    }
    return items;
  }
  const object = emptyObject();
  for (const key of Object.keys(data)) {
    path.push(key);
    const json = convert((data as { readonly [key: string]: Data })[key] as Data, path, fault);
    if (json === undefined) return undefined;
    path.pop();
    object[key] = json;
  }
  return object;
}

/** The name of the Starlark type that the data came from, as nearly as it can be known. */
export function dataTypeName(data: Data): string {
  if (data === null) return 'NoneType';
  if (typeof data === 'boolean') return 'bool';
  if (typeof data === 'string') return 'string';
  if (typeof data === 'bigint') return 'int';
  if (typeof data === 'number') return Number.isInteger(data) ? 'int' : 'float';
  if (data instanceof Uint8Array) return 'bytes';
  // Tuples leave a program frozen (starlark/value/boundary.ts).
  return Array.isArray(data) ? (Object.isFrozen(data) ? 'tuple' : 'list') : 'dict';
}
