// Validates the address of a model or a server: http or https, a host and port that can exist, no user name. A key is
// never sent over plain http, except to this machine.
import type { Report } from '../../base/diagnostic.ts';
import { isHostName, isIpv6, isPort } from './host-name.ts';
import type { JsonNode } from '../parse-json.ts';
import { readText } from './text.ts';

/** `null` when it is null, `undefined` after a report. */
export function validateUrl(
  path: string,
  node: JsonNode,
  carriesKey: boolean,
  report: Report,
): string | null | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  const text = readText(path, node, report);
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
