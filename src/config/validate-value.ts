// One value of a configuration file, checked against its shape in `keys.ts`.
//
//   JsonNode × Shape -> Json | undefined
//
// Z1. Every fault is reported at its own place. A list keeps its good items; anything else with a
//     fault is `undefined`, and the layer below counts.
// Z2. A message never repeats a value that may be a secret (keys of models, environments of servers).
import type { Report } from '../base/diagnostic.ts';
import { unreachable } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { hasHiddenCharacters } from '../base/printable.ts';
import { isHostName, isIpv6, isPort } from './host-name.ts';
import type { Shape, TextKind } from './keys.ts';
import type { JsonMember, JsonNode } from './parse-json.ts';
import { precedenceProfileNames, precedenceSources } from './precedence-order.ts';
import { serverNameFault } from './server-name.ts';

const maxTextLength = 4096;
const maxItems = 1000;

export function validateValue(path: string, shape: Shape, node: JsonNode, report: Report): Json | undefined {
  switch (shape.kind) {
    case 'boolean':
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
      return wrongType(path, 'true or false', node, report);
    case 'integer':
      return validateInteger(path, shape, node, report);
    case 'choice':
      return validateChoice(path, shape.values, node, report);
    case 'texts':
      if (shape.orNull === true && node.kind === 'scalar' && node.value === null) return null;
      return validateTexts(path, shape.item, node, report);
    case 'precedence':
      return validatePrecedence(path, node, report);
    case 'models':
      return validateNamed(path, node, report, (...given) => validateModel(shape.providers, ...given));
    case 'mcpServers':
      return validateNamed(path, node, report, validateServer, serverNameFault);
    default:
      return unreachable(shape);
  }
}

function validateInteger(path: string, shape: { min: number; max: number }, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'number') return wrongType(path, 'a number', node, report);
  if (Number.isInteger(node.value) && node.value >= shape.min && node.value <= shape.max) return node.value;
  report('CONFIG_VALUE', node.span, `"${path}" is ${node.value}; it must be a whole number from ${shape.min} to ${shape.max}`);
  return undefined;
}

function validateChoice(path: string, values: readonly string[], node: JsonNode, report: Report): string | undefined {
  const allowed = `one of ${values.map((value) => `"${value}"`).join(', ')}`;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    wrongType(path, allowed, node, report);
    return undefined;
  }
  if (values.includes(node.value)) return node.value;
  const meant = nearest(node.value, values);
  report('CONFIG_VALUE', node.span, `"${path}" must be ${allowed}`, meant === null ? undefined : `did you mean "${meant}"?`);
  return undefined;
}

function validateTexts(path: string, item: TextKind, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'list') return wrongType(path, 'a list of texts', node, report);
  if (node.items.length > maxItems) {
    report('CONFIG_VALUE', node.span, `"${path}" has ${node.items.length} items; the limit is ${maxItems}`);
    return undefined;
  }
  const texts: string[] = [];
  for (const [at, entry] of node.items.entries()) {
    const text = textOf(`${path}[${at}]`, entry, report);
    if (text === undefined) continue;
    const fault = textFault(item, text);
    if (fault !== null) report('CONFIG_VALUE', entry.span, `"${path}[${at}]" ${fault.message}`, fault.hint);
    else if (!texts.includes(text)) texts.push(text);
  }
  return texts;
}

function validatePrecedence(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'string') return validateChoice(path, precedenceProfileNames, node, report);
  if (node.kind !== 'list') return wrongType(path, `a profile (${precedenceProfileNames.join(', ')}) or a list of sources`, node, report);
  const order = node.items.map((entry) => (entry.kind === 'scalar' ? entry.value : null));
  const whole = order.length === precedenceSources.length && precedenceSources.every((source) => order.includes(source));
  if (whole) return order;
  report('CONFIG_VALUE', node.span, `"${path}" must name each of ${precedenceSources.join(', ')} once, from lowest to highest`);
  return undefined;
}

type Fields = { readonly [field: string]: JsonMember | undefined };

/** A map of names; `null` for a name takes away what a lower layer defined. */
function validateNamed(
  path: string,
  node: JsonNode,
  report: Report,
  validate: (path: string, node: JsonNode & { kind: 'map' }, report: Report) => Json | undefined,
  nameFault: (name: string) => string | null = (name) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) ? null : 'must be 1 to 64 letters, digits, ".", "_" or "-"'),
): Json | undefined {
  if (node.kind !== 'map') return wrongType(path, 'an object of names', node, report);
  const named = emptyObject();
  for (const member of node.members) {
    const at = `${path}.${member.key}`;
    const fault = nameFault(member.key);
    if (fault !== null) {
      report('CONFIG_VALUE', member.keySpan, `a name in "${path}" ${fault}`);
    } else if (member.value.kind === 'scalar' && member.value.value === null) {
      named[member.key] = null;
    } else if (member.value.kind !== 'map') {
      wrongType(at, 'an object, or null to remove it', member.value, report);
    } else {
      const value = validate(at, member.value, report);
      if (value !== undefined) named[member.key] = value;
    }
  }
  return named;
}

function validateModel(providers: readonly string[], path: string, node: JsonNode & { kind: 'map' }, report: Report): Json | undefined {
  const fields = fieldsOf(path, node, ['provider', 'baseUrl', 'model', 'apiKeyEnv', 'price'], report);
  const provider = fields.provider === undefined
    ? missing(path, 'provider', node, report)
    : validateChoice(`${path}.provider`, providers, fields.provider.value, report);
  const model = fields.model === undefined ? missing(path, 'model', node, report) : textOf(`${path}.model`, fields.model.value, report);
  const apiKeyEnv = fields.apiKeyEnv === undefined ? null : validateVariable(`${path}.apiKeyEnv`, fields.apiKeyEnv.value, report);
  const baseUrl = fields.baseUrl === undefined ? null : validateUrl(`${path}.baseUrl`, fields.baseUrl.value, apiKeyEnv !== null, report);
  const price = fields.price === undefined ? null : validatePrice(`${path}.price`, fields.price.value, report);
  if (provider === 'local' && (baseUrl !== null || apiKeyEnv !== null)) {
    report('CONFIG_VALUE', node.span, `"${path}" is "local", so it is asked nowhere and needs neither "baseUrl" nor "apiKeyEnv"`);
    return undefined;
  }
  if (provider === undefined || model === undefined || apiKeyEnv === undefined || baseUrl === undefined || price === undefined) return undefined;
  return bare({ provider, baseUrl, model, apiKeyEnv, ...(price === null ? {} : { price }) });
}

function validatePrice(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return wrongType(path, 'an object such as {"input": 3, "output": 15}', node, report);
  const fields = fieldsOf(path, node, ['input', 'output', 'cachedInput'], report);
  const price = emptyObject();
  for (const name of ['input', 'output', 'cachedInput']) {
    const field = fields[name];
    if (field === undefined) {
      if (name !== 'cachedInput') return missing(path, name, node, report);
      continue;
    }
    const { value } = field;
    if (value.kind !== 'scalar' || typeof value.value !== 'number') return wrongType(`${path}.${name}`, 'a number', value, report);
    if (!(value.value >= 0 && value.value <= 100_000)) {
      report('CONFIG_VALUE', value.span, `"${path}.${name}" is ${value.value}; it must be dollars for a million tokens, from 0 to 100000`);
      return undefined;
    }
    price[name] = value.value;
  }
  return price;
}

function validateServer(path: string, node: JsonNode & { kind: 'map' }, report: Report): Json | undefined {
  const fields = fieldsOf(path, node, ['command', 'args', 'env', 'url', 'headers'], report);
  if (isGiven(fields.command) === isGiven(fields.url)) {
    report('CONFIG_VALUE', node.span, `"${path}" needs either a "command" or a "url"`);
    return undefined;
  }
  const command = fields.command === undefined || !isGiven(fields.command) ? null : textOf(`${path}.command`, fields.command.value, report);
  const headers = fields.headers === undefined ? null : validateHeaders(`${path}.headers`, fields.headers.value, report);
  const url = fields.url === undefined ? null : validateUrl(`${path}.url`, fields.url.value, headers !== null && headers !== undefined, report);
  const args = fields.args === undefined ? [] : validateArguments(`${path}.args`, fields.args.value, report);
  const env = fields.env === undefined ? emptyObject() : validateEnvironment(`${path}.env`, fields.env.value, report);
  if (command === undefined || url === undefined || args === undefined || env === undefined || headers === undefined) return undefined;
  return bare({ command, args, env, url, ...(headers === null ? {} : { headers }) });
}

function isGiven(member: JsonMember | undefined): boolean {
  return member !== undefined && !(member.value.kind === 'scalar' && member.value.value === null);
}

function validateArguments(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'list') return wrongType(path, 'a list of texts', node, report);
  const args: string[] = [];
  for (const [at, entry] of node.items.entries()) {
    if (entry.kind !== 'scalar' || typeof entry.value !== 'string') return wrongType(`${path}[${at}]`, 'text', entry, report);
    if (/[\n\t]/.test(entry.value) || hasHiddenCharacters(entry.value)) {
      report('CONFIG_VALUE', entry.span, `"${path}[${at}]" holds control or invisible characters`);
      return undefined;
    }
    args.push(entry.value);
  }
  return args;
}

function validateEnvironment(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return wrongType(path, 'an object of texts', node, report);
  const env = emptyObject();
  for (const member of node.members) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(member.key)) {
      report('CONFIG_VALUE', member.keySpan, `a name in "${path}" is not a name of an environment variable`);
      return undefined;
    }
    if (member.value.kind !== 'scalar' || typeof member.value.value !== 'string' || member.value.value.includes('\0')) {
      return wrongType(`${path}.${member.key}`, 'text', member.value, report);
    }
    env[member.key] = member.value.value;
  }
  return env;
}

function validateHeaders(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return wrongType(path, 'an object of texts', node, report);
  const headers = emptyObject();
  for (const { key, keySpan, value } of node.members) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(key)) {
      report('CONFIG_VALUE', keySpan, `a name in "${path}" is not a name of a header`);
      return undefined;
    }
    const text = textOf(`${path}.${key}`, value, report);
    if (text === undefined) return undefined;
    headers[key] = text;
  }
  return headers;
}

function validateVariable(path: string, node: JsonNode, report: Report): string | null | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  if (node.kind === 'scalar' && typeof node.value === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(node.value)) return node.value;
  report('CONFIG_VALUE', node.span, `"${path}" must be the name of an environment variable`, 'put the key into the environment, never into this file');
  return undefined;
}

function validateUrl(path: string, node: JsonNode, carriesKey: boolean, report: Report): string | null | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  const text = textOf(path, node, report);
  if (text === undefined) return undefined;
  const parts = /^(https?):\/\/(?:\[([^\]]*)\]|([^/:[\]]*))(?::([^/]*))?(?:\/[^\s@]*)?$/.exec(text);
  if (parts === null || text.includes('@')) {
    report('CONFIG_VALUE', node.span, `"${path}" must be an http or https address without a user name`);
    return undefined;
  }
  const [, scheme, ipv6, name, port] = parts;
  if (ipv6 === undefined ? !isHostName(name as string) : !isIpv6(ipv6)) {
    report('CONFIG_VALUE', node.span, `"${path}" has no host that can exist`);
    return undefined;
  }
  if (port !== undefined && !isPort(port)) {
    report('CONFIG_VALUE', node.span, `"${path}" has a port that cannot exist`, 'ports are 1 to 65535');
    return undefined;
  }
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(ipv6 ?? (name as string));
  if (scheme === 'http' && carriesKey && !loopback) {
    report('CONFIG_VALUE', node.span, `"${path}" would send a key over plain http`, path.startsWith('mcpServers') ? 'use https, or remove headers' : 'use https, or remove apiKeyEnv');
    return undefined;
  }
  return text;
}

interface TextFault {
  readonly message: string;
  readonly hint?: string;
}

const absolutePath = /^(?:\/|[A-Za-z]:[\\/])/;

function textFault(kind: TextKind, text: string): TextFault | null {
  switch (kind) {
    case 'home-path':
      if (hasParentSegment(text)) return { message: 'must not hold ".."', hint: 'write the whole path' };
      if (absolutePath.test(text) || text.startsWith('~/')) return null;
      return { message: 'must be an absolute path or start with "~/"' };
    case 'workspace-path':
      return hasParentSegment(text) ? { message: 'must not hold ".."', hint: 'write an absolute path for a folder outside the workspace' } : null;
    case 'skill-name':
      return /[\\/\s]/.test(text) ? { message: 'is not a name of a skill' } : null;
    case 'word':
      return /\s/.test(text) ? { message: 'must not hold spaces' } : null;
    case 'pattern':
      return null;
    case 'domain':
      return text === '*' || isDomain(text) ? null : { message: 'must be a domain, such as "example.org" or "*.example.org", or "*" for every one' };
    case 'variable':
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return { message: 'is not a name of an environment variable' };
      return /^(?:LD_|DYLD_|GLIBC_TUNABLES$)/.test(text) ? { message: 'changes how programs are loaded, so it is never passed on' } : null;
    default:
      return unreachable(kind);
  }
}

function isDomain(text: string): boolean {
  const [, name, port] = /^(?:\*\.)?([^:]*)(?::(.*))?$/.exec(text) ?? [];
  return name !== undefined && isHostName(name) && (port === undefined || isPort(port));
}

function hasParentSegment(path: string): boolean {
  return path.split(/[\\/]/).includes('..');
}

/** Text that is neither blank nor hidden nor huge. */
function textOf(path: string, node: JsonNode, report: Report): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    wrongType(path, 'text', node, report);
    return undefined;
  }
  let fault: string | null = null;
  if (node.value.trim() === '') fault = 'is empty';
  else if (node.value.length > maxTextLength) fault = `has ${node.value.length} characters; the limit is ${maxTextLength}`;
  else if (/[\n\t]/.test(node.value) || hasHiddenCharacters(node.value)) fault = 'holds control or invisible characters';
  if (fault === null) return node.value;
  report('CONFIG_VALUE', node.span, `"${path}" ${fault}`);
  return undefined;
}

function fieldsOf(path: string, node: JsonNode & { kind: 'map' }, known: readonly string[], report: Report): Fields {
  const fields: { [field: string]: JsonMember } = Object.create(null) as { [field: string]: JsonMember };
  for (const member of node.members) {
    if (known.includes(member.key)) fields[member.key] = member;
    else reportUnknown(path, member, known, report);
  }
  return fields;
}

/** Also used for the keys above: one wording for every unknown key. */
export function reportUnknown(parent: string, member: JsonMember, known: readonly string[], report: Report): void {
  const meant = nearest(member.key, known) ?? known.find((key) => key.startsWith(member.key)) ?? null;
  const where = parent === '' ? '' : ` in "${parent}"`;
  report('CONFIG_UNKNOWN_KEY', member.keySpan, `"${member.key}" is not a known key${where}`,
    meant === null ? `known keys: ${known.join(', ')}` : `did you mean "${meant}"?`);
}

function missing(path: string, field: string, node: JsonNode, report: Report): undefined {
  report('CONFIG_VALUE', { start: node.span.start, end: node.span.start + 1 }, `"${path}" has no "${field}"`);
  return undefined;
}

function wrongType(path: string, expected: string, node: JsonNode, report: Report): undefined {
  const given = node.kind === 'list' ? 'a list' : node.kind === 'map' ? 'an object' : node.value === null ? 'null' : typeof node.value === 'string' ? 'text' : `a ${typeof node.value}`;
  report('CONFIG_TYPE', node.span, `"${path}" must be ${expected}, not ${given}`);
  return undefined;
}

function bare(fields: { readonly [name: string]: Json }): Json {
  return Object.assign(emptyObject(), fields);
}
