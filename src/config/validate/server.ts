// One MCP server of the configuration: a command to start, or an address.
//
// Messages never repeat values of its environment or headers, which may be secrets.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import { hasHiddenCharacters } from '../../base/printable.ts';
import type { JsonMember, JsonNode } from '../parse-json.ts';
import { isHostName, isIpv6, isPort, readConfigText } from './text.ts';
import { reportUnknown, reportWrongType } from './faults.ts';

export function validateServer(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return reportWrongType(path, 'an object, or null to remove it', node, report);
  const fields = fieldsOf(path, node, ['command', 'args', 'env', 'url', 'headers'], report);
  if (isGiven(fields.command) === isGiven(fields.url)) {
    report('CONFIG_VALUE', node.span, `"${path}" needs either a "command" or a "url"`);
    return undefined;
  }
  const command =
    fields.command === undefined || !isGiven(fields.command)
      ? null
      : readConfigText(`${path}.command`, fields.command.value, report);
  const headers =
    fields.headers === undefined ? null : validateHeaders(`${path}.headers`, fields.headers.value, report);
  const url =
    fields.url === undefined
      ? null
      : validateUrl(`${path}.url`, fields.url.value, headers !== null && headers !== undefined, report);
  const args = fields.args === undefined ? [] : validateArguments(`${path}.args`, fields.args.value, report);
  const env =
    fields.env === undefined ? emptyObject() : validateEnvironment(`${path}.env`, fields.env.value, report);
  if (
    command === undefined ||
    url === undefined ||
    args === undefined ||
    env === undefined ||
    headers === undefined
  )
    return undefined;
  return bare({ command, args, env, url, ...(headers === null ? {} : { headers }) });
}

function isGiven(member: JsonMember | undefined): boolean {
  return member !== undefined && !(member.value.kind === 'scalar' && member.value.value === null);
}

function validateArguments(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'list') return reportWrongType(path, 'a list of texts', node, report);
  const args: string[] = [];
  for (const [at, entry] of node.items.entries()) {
    if (entry.kind !== 'scalar' || typeof entry.value !== 'string')
      return reportWrongType(`${path}[${at}]`, 'text', entry, report);
    if (/[\n\t]/.test(entry.value) || hasHiddenCharacters(entry.value)) {
      report('CONFIG_VALUE', entry.span, `"${path}[${at}]" holds control or invisible characters`);
      return undefined;
    }
    args.push(entry.value);
  }
  return args;
}

function validateEnvironment(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return reportWrongType(path, 'an object of texts', node, report);
  const env = emptyObject();
  for (const member of node.members) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(member.key)) {
      report('CONFIG_VALUE', member.keySpan, `a name in "${path}" is not a name of an environment variable`);
      return undefined;
    }
    if (
      member.value.kind !== 'scalar' ||
      typeof member.value.value !== 'string' ||
      member.value.value.includes('\0')
    ) {
      return reportWrongType(`${path}.${member.key}`, 'text', member.value, report);
    }
    env[member.key] = member.value.value;
  }
  return env;
}

function validateHeaders(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map') return reportWrongType(path, 'an object of texts', node, report);
  const headers = emptyObject();
  for (const { key, keySpan, value } of node.members) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(key)) {
      report('CONFIG_VALUE', keySpan, `a name in "${path}" is not a name of a header`);
      return undefined;
    }
    const text = readConfigText(`${path}.${key}`, value, report);
    if (text === undefined) return undefined;
    headers[key] = text;
  }
  return headers;
}

// The fields of an object whose names are known.

type Fields = { readonly [field: string]: JsonMember | undefined };

/** By name; a name that is not known is reported. */
export function fieldsOf(
  path: string,
  node: JsonNode & { kind: 'map' },
  known: readonly string[],
  report: Report,
): Fields {
  const fields: { [field: string]: JsonMember } = Object.create(null) as { [field: string]: JsonMember };
  for (const member of node.members) {
    if (known.includes(member.key)) fields[member.key] = member;
    else reportUnknown(path, member, known, report);
  }
  return fields;
}

/** Without a prototype. */
export function bare(fields: { readonly [name: string]: Json }): Json {
  return Object.assign(emptyObject(), fields);
}

// Validates the address of a model or a server: http or https, a host and port that can exist, no user name. A key is
// never sent over plain http, except to this machine.

/** `null` when it is null, `undefined` after a report. */
export function validateUrl(
  path: string,
  node: JsonNode,
  carriesKey: boolean,
  report: Report,
): string | null | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  const text = readConfigText(path, node, report);
  if (text === undefined) return undefined;
  const parts = /^(https?):\/\/(?:\[([^\]]*)\]|([^/:[\]]*))(?::([^/]*))?(?:\/[^\s@]*)?$/.exec(text);
  if (parts === null || text.includes('@')) {
    report('CONFIG_VALUE', node.span, `"${path}" must be an http or https address without a user name`);
    return undefined;
  }
  const [, scheme, ipv6, name, port] = parts;
  if (ipv6 === undefined ? !isHostName(name as string) : !isIpv6(ipv6)) {
    report('CONFIG_VALUE', node.span, `"${path}" has no valid host name`);
    return undefined;
  }
  if (port !== undefined && !isPort(port)) {
    report('CONFIG_VALUE', node.span, `"${path}" has a port that cannot exist`, 'ports are 1 to 65535');
    return undefined;
  }
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(ipv6 ?? (name as string));
  if (scheme === 'http' && carriesKey && !loopback) {
    report(
      'CONFIG_VALUE',
      node.span,
      `"${path}" would send a key over plain http`,
      path.startsWith('mcpServers') ? 'use https, or remove headers' : 'use https, or remove apiKeyEnv',
    );
    return undefined;
  }
  return text;
}
