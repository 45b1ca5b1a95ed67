// One model of the configuration: provider, name, address and price.
//
// The file never contains an API key, only the name of the environment variable that holds it. An entry with an error
// is kept as its first fault: without its address the model would be asked at the default one, and without the entry
// another model would be asked. An entry whose name has an error may have been meant to be any model, so it stands for
// all of them.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { emptyObject, isJsonObject } from '../../base/json.ts';
import { bare, fieldsOf, validateUrl } from './server.ts';
import type { JsonNode } from '../parse-json.ts';
import { readConfigText, validateChoice } from './text.ts';
import { missing, reportWrongType } from './faults.ts';

export function validateModel(
  providers: readonly string[],
  path: string,
  node: JsonNode,
  report: Report,
): Json {
  let first: Json | undefined;
  const endpoint = readEndpoint(providers, path, node, (code, at, fault, hint) => {
    first ??= bare({ fault, hint: hint ?? null });
    report(code, at, fault, hint);
  });
  // Kept as its first fault: otherwise another model would be asked.
  if (first !== undefined) return first;
  if (endpoint === undefined) throw new Error('a model without a fault was refused');
  return endpoint;
}

/** For an entry whose name has an error. */
export function misnamedModel({
  fault,
  hint,
}: {
  readonly fault: string;
  readonly hint: string | null;
}): Json {
  return bare({ fault, hint, misnamed: true });
}

export function isMisnamed(entry: Json | undefined): boolean {
  return isJsonObject(entry) && entry['misnamed'] === true;
}

function readEndpoint(
  providers: readonly string[],
  path: string,
  node: JsonNode,
  report: Report,
): Json | undefined {
  if (node.kind !== 'map') return reportWrongType(path, 'an object, or null to remove it', node, report);
  const fields = fieldsOf(path, node, ['provider', 'baseUrl', 'model', 'apiKeyEnv', 'price'], report);
  const provider =
    fields.provider === undefined
      ? missing(path, 'provider', node, report)
      : validateChoice(`${path}.provider`, providers, fields.provider.value, report);
  const model =
    fields.model === undefined
      ? missing(path, 'model', node, report)
      : readConfigText(`${path}.model`, fields.model.value, report);
  const apiKeyEnv =
    fields.apiKeyEnv === undefined
      ? null
      : validateVariable(`${path}.apiKeyEnv`, fields.apiKeyEnv.value, report);
  const baseUrl =
    fields.baseUrl === undefined
      ? null
      : validateUrl(`${path}.baseUrl`, fields.baseUrl.value, apiKeyEnv !== null, report);
  const price =
    fields.price === undefined ? null : validatePrice(`${path}.price`, fields.price.value, report);
  if (provider === 'local' && (baseUrl !== null || apiKeyEnv !== null)) {
    report(
      'CONFIG_VALUE',
      node.span,
      `"${path}" is "local", so it is asked nowhere and needs neither "baseUrl" nor "apiKeyEnv"`,
    );
    return undefined;
  }
  if (
    provider === undefined ||
    model === undefined ||
    apiKeyEnv === undefined ||
    baseUrl === undefined ||
    price === undefined
  )
    return undefined;
  return bare({ provider, baseUrl, model, apiKeyEnv, ...(price === null ? {} : { price }) });
}

function validatePrice(path: string, node: JsonNode, report: Report): Json | undefined {
  if (node.kind !== 'map')
    return reportWrongType(path, 'an object such as {"input": 3, "output": 15}', node, report);
  const fields = fieldsOf(path, node, ['input', 'output', 'cachedInput'], report);
  const price = emptyObject();
  for (const name of ['input', 'output', 'cachedInput']) {
    const field = fields[name];
    if (field === undefined) {
      if (name !== 'cachedInput') return missing(path, name, node, report);
      continue;
    }
    const { value } = field;
    if (value.kind !== 'scalar' || typeof value.value !== 'number')
      return reportWrongType(`${path}.${name}`, 'a number', value, report);
    if (!(value.value >= 0 && value.value <= 100_000)) {
      report(
        'CONFIG_VALUE',
        value.span,
        `"${path}.${name}" is ${value.value}; it must be dollars for a million tokens, from 0 to 100000`,
      );
      return undefined;
    }
    price[name] = value.value;
  }
  return price;
}

function validateVariable(path: string, node: JsonNode, report: Report): string | null | undefined {
  if (node.kind === 'scalar' && node.value === null) return null;
  if (
    node.kind === 'scalar' &&
    typeof node.value === 'string' &&
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(node.value)
  )
    return node.value;
  report(
    'CONFIG_VALUE',
    node.span,
    `"${path}" must be the name of an environment variable`,
    'put the key into the environment, never into this file',
  );
  return undefined;
}
