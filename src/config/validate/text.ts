// Validates a text value: any text, one of a few, or one with a meaning (`TextKind`).
import type { Report } from '../../base/diagnostic.ts';
import { unreachable } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { hasHiddenCharacters } from '../../base/printable.ts';
import type { TextKind } from '../key-shape.ts';
import type { JsonNode } from '../parse-json.ts';
import { reportWrongType } from './faults.ts';

const maxTextLength = 4096;
const absolutePath = /^(?:\/|[A-Za-z]:[\\/])/;

interface TextFault {
  readonly message: string;
  readonly hint?: string;
}

/** Text that is neither blank nor hidden nor huge. */
export function readConfigText(path: string, node: JsonNode, report: Report): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    reportWrongType(path, 'text', node, report);
    return undefined;
  }
  let fault: string | null = null;
  if (node.value.trim() === '') fault = 'is empty';
  else if (node.value.length > maxTextLength)
    fault = `has ${node.value.length} characters; the limit is ${maxTextLength}`;
  else if (/[\n\t]/.test(node.value) || hasHiddenCharacters(node.value))
    fault = 'holds control or invisible characters';
  if (fault === null) return node.value;
  report('CONFIG_VALUE', node.span, `"${path}" ${fault}`);
  return undefined;
}

export function validateChoice(
  path: string,
  values: readonly string[],
  node: JsonNode,
  report: Report,
): string | undefined {
  const allowed = `one of ${values.map((value) => `"${value}"`).join(', ')}`;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    reportWrongType(path, allowed, node, report);
    return undefined;
  }
  if (values.includes(node.value)) return node.value;
  const meant = nearest(node.value, values);
  report(
    'CONFIG_VALUE',
    node.span,
    `"${path}" must be ${allowed}`,
    meant === null ? undefined : `did you mean "${meant}"?`,
  );
  return undefined;
}

export function textFault(kind: TextKind, text: string): TextFault | null {
  switch (kind) {
    case 'home-path':
      if (hasParentSegment(text)) return { message: 'must not hold ".."', hint: 'write the whole path' };
      if (absolutePath.test(text) || text.startsWith('~/')) return null;
      return { message: 'must be an absolute path or start with "~/"' };
    case 'workspace-path':
      return hasParentSegment(text)
        ? { message: 'must not hold ".."', hint: 'write an absolute path for a folder outside the workspace' }
        : null;
    case 'skill-name':
      return /[\\/\s]/.test(text) ? { message: 'is not a name of a skill' } : null;
    case 'word':
      return /\s/.test(text) ? { message: 'must not hold spaces' } : null;
    case 'pattern':
      return null;
    case 'domain':
      return text === '*' || isDomain(text)
        ? null
        : { message: 'must be a domain, such as "example.org" or "*.example.org", or "*" for every one' };
    case 'host':
      return isHostName(text) || isIpv6(text)
        ? null
        : {
            message: 'must be the name of a host or an IP address, without a port',
            hint: 'such as "git.example.org"',
          };
    case 'hub':
      return /^https?:\/\/[^\s/]+(?:\/\S*)?$/i.test(text) || textFault('home-path', text) === null
        ? null
        : {
            message: 'must be the address of a site, an absolute path, or start with "~/"',
            hint: 'such as "https://skills.example.org"',
          };
    case 'run-store':
      // A value that may hold a password is not repeated.
      if (text === 'files') return null;
      if (!/^postgres(?:ql)?:\/\/[^\s/]+\/[^\s]+$/.test(text))
        return {
          message: 'must be "files" or the address of a Postgres',
          hint: 'such as "postgres://techne@db.example.org:5432/techne"',
        };
      return /^[a-z]+:\/\/[^/@]*:[^/@]*@/.test(text) || /[?&](?:ssl)?password=/.test(text)
        ? {
            message: 'must not hold a password',
            hint: 'leave it out: PGPASSWORD, or a line in ~/.pgpass, is taken instead',
          }
        : null;
    case 'note-folder':
      return /^[^=/\\]+=(?!\s*$)/.test(text) && !/=\s*[/.]|[\\]|\/\s*\.|^\s*=/.test(text)
        ? null
        : {
            message: 'must be a type of notes and a folder of the vault, with "=" between them',
            hint: 'such as "concept=Concepts"',
          };
    case 'variable':
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text))
        return { message: 'is not a name of an environment variable' };
      return /^(?:LD_|DYLD_|GLIBC_TUNABLES$)/.test(text)
        ? { message: 'changes how programs are loaded, so it is never passed on' }
        : null;
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

// Whether a text is the name or address of a host, or a port, as URL parsers judge it. Written by hand because the core
// has no `URL`.

const label = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;

/** A domain name or an IPv4 address; a name that ends in a number can only be an address. */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  if (/^(?:\d+|0[Xx][0-9A-Fa-f]*)$/.test(labels.at(-1) as string)) return isIpv4(text);
  return text.length <= 253 && labels.every((each) => label.test(each));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/** Without the brackets it has in a URL. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const tail = last.includes('.') ? 1 : 0;
  if (tail === 1 && (!isIpv4(last) || text.endsWith('::'))) return false;
  if (!groups.slice(0, groups.length - tail).every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = groups.length + tail;
  return halves.length === 2 ? count < 8 : count === 8;
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}
