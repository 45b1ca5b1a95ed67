// Checks one value of a configuration file against its shape in `keys.ts`.
//
//   JsonNode × Shape -> Json | undefined
//
// Every fault is reported at its own place. A list keeps its valid items, and a model with an error is kept as its fault
// (model.ts). Anything else with a fault is `undefined`, and the layer below counts. Messages never repeat a value that
// may be a secret.
import type { Report } from '../../base/diagnostic.ts';
import { unreachable } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import type { Shape, TextKind } from '../key-shape.ts';
import type { JsonNode } from '../parse-json.ts';
import { precedenceProfileNames, precedenceSources } from '../precedence.ts';
import { misnamedModel, validateModel } from './model.ts';
import { validateServer, validateUrl } from './server.ts';
import { readConfigText, textFault, validateChoice } from './text.ts';
import { reportWrongType } from './faults.ts';

const maxItems = 1000;

export function validateValue(path: string, shape: Shape, node: JsonNode, report: Report): Json | undefined {
  switch (shape.kind) {
    case 'boolean':
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
      return reportWrongType(path, 'true or false', node, report);
    case 'integer':
      return validateInteger(path, shape, node, report);
    case 'choice':
      return validateChoice(path, shape.values, node, report);
    case 'texts':
      if (shape.orNull === true && node.kind === 'scalar' && node.value === null) return null;
      return validateTexts(path, shape.item, node, report);
    case 'text':
      return validateText(path, shape.item, node, report);
    case 'address':
      return validateUrl(path, node, false, report);
    case 'precedence':
      return validatePrecedence(path, node, report);
    case 'models':
      return validateNamed(path, node, report, (...given) => validateModel(shape.providers, ...given), {
        keep: (fault) => misnamedModel({ fault, hint: null }),
      });
    case 'mcpServers':
      return validateNamed(path, node, report, validateServer, { nameFault: serverNameFault });
    default:
      return unreachable(shape);
  }
}

function validateInteger(
  path: string,
  shape: { min: number; max: number },
  node: JsonNode,
  report: Report,
): Json | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'number')
    return reportWrongType(path, 'a number', node, report);
  if (Number.isInteger(node.value) && node.value >= shape.min && node.value <= shape.max) return node.value;
  report(
    'CONFIG_VALUE',
    node.span,
    `"${path}" is ${node.value}; it must be a whole number from ${shape.min} to ${shape.max}`,
  );
  return undefined;
}

function validateTexts(path: string, item: TextKind, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'list') return reportWrongType(path, 'a list of texts', node, report);
  if (node.items.length > maxItems) {
    report('CONFIG_VALUE', node.span, `"${path}" has ${node.items.length} items; the limit is ${maxItems}`);
    return undefined;
  }
  const texts: string[] = [];
  for (const [at, entry] of node.items.entries()) {
    const text = readConfigText(`${path}[${at}]`, entry, report);
    if (text === undefined) continue;
    const fault = textFault(item, text);
    if (fault !== null) report('CONFIG_VALUE', entry.span, `"${path}[${at}]" ${fault.message}`, fault.hint);
    else if (!texts.includes(text)) texts.push(text);
  }
  return texts;
}

function validateText(path: string, item: TextKind, node: JsonNode, report: Report): Json | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  const text = readConfigText(path, node, report);
  const fault = text === undefined ? null : textFault(item, text);
  if (fault === null) return text;
  report('CONFIG_VALUE', node.span, `"${path}" ${fault.message}`, fault.hint);
  return undefined;
}

function validatePrecedence(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'string')
    return validateChoice(path, precedenceProfileNames, node, report);
  if (node.kind !== 'list')
    return reportWrongType(
      path,
      `a profile (${precedenceProfileNames.join(', ')}) or a list of sources`,
      node,
      report,
    );
  const order = node.items.map((entry) => (entry.kind === 'scalar' ? entry.value : null));
  const whole =
    order.length === precedenceSources.length && precedenceSources.every((source) => order.includes(source));
  if (whole) return order;
  report(
    'CONFIG_VALUE',
    node.span,
    `"${path}" must name each of ${precedenceSources.join(', ')} once, from lowest to highest`,
  );
  return undefined;
}

interface Naming {
  /** What is wrong with a name, or null. Default: 1 to 64 plain characters. */
  readonly nameFault?: (name: string) => string | null;
  /** The value used for an entry whose name is wrong. Default: none. */
  readonly keep?: (fault: string) => Json;
}

const plainName = (name: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) ? null : 'must be 1 to 64 letters, digits, ".", "_" or "-"';

/** A map of names; `null` for a name takes away what a lower layer defined. */
function validateNamed(
  path: string,
  node: JsonNode,
  report: Report,
  validate: (path: string, node: JsonNode, report: Report) => Json | undefined,
  { nameFault = plainName, keep }: Naming,
): Json | undefined {
  if (node.kind !== 'map') return reportWrongType(path, 'an object of names', node, report);
  const named = emptyObject();
  if (node.dropped === true && keep !== undefined)
    named[''] = keep(`a name in "${path}" is not allowed and was dropped`);
  for (const member of node.members) {
    const at = `${path}.${member.key}`;
    const fault = nameFault(member.key);
    if (fault !== null) {
      const message = `a name in "${path}" ${fault}`;
      report('CONFIG_VALUE', member.keySpan, message);
      if (keep !== undefined) named[member.key] = keep(message);
    } else if (member.value.kind === 'scalar' && member.value.value === null) {
      named[member.key] = null;
    } else {
      const value = validate(at, member.value, report);
      if (value !== undefined) named[member.key] = value;
    }
  }
  return named;
}

// The names that an MCP server may have. Its tools are `server__tool`, also written `mcp__server__tool`, so a name must
// end at the first `__`: otherwise a tool of one server could be mistaken for that of another, and a denial would miss it.

/** As a JSON Schema has it. */
export const serverNamePattern = '^(?!mcp$)(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9.-])?$';
const pattern = new RegExp(serverNamePattern);
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is wrong with a name, or null. */
export function serverNameFault(name: string): string | null {
  if (!plain.test(name)) return 'must be 1 to 64 letters, digits, ".", "_" or "-"';
  return pattern.test(name)
    ? null
    : 'must not be "mcp", hold "__" or end with "_": tools are called server__tool';
}
