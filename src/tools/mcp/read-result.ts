// The result of a tool of an MCP server -> text, and a value where the server gave structure.
//
// A server is untrusted: every part of its answer is checked before it is used. Images, sounds and files are named with
// their kind and size; their bytes are dropped.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { ToolOutcome } from '../../ports/tool-host.ts';

const maxUnits = 1_000_000;

export function readResult(result: unknown): ToolOutcome {
  const json = toJson(result);
  if (!isJsonObject(json)) return { ok: false, message: 'the server gave no result', timedOut: false };
  const { content, structuredContent, isError } = json;
  const blocks = Array.isArray(content) ? (content as readonly Json[]) : [];
  const text = blocks
    .map(textOf)
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, maxUnits);
  if (isError === true)
    return {
      ok: false,
      message: text === '' ? 'the tool failed and did not say why' : text,
      timedOut: false,
    };
  const value = structuredContent ?? null;
  return {
    ok: true,
    text: text === '' && value !== null ? JSON.stringify(value).slice(0, maxUnits) : text,
    value,
  };
}

/** Plain JSON without prototypes, whatever the library made of it. */
function toJson(result: unknown): Json {
  const text = JSON.stringify(result);
  return text === undefined ? null : parseJson(text);
}

function textOf(block: Json): string {
  if (!isJsonObject(block)) return '';
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const type = text(block['type']);
  switch (type) {
    case 'text':
      return text(block['text']);
    case 'image':
    case 'audio':
      return `[${type}: ${text(block['mimeType'])}, ${Math.floor((text(block['data']).length * 3) / 4)} bytes]`;
    case 'resource': {
      const resource: JsonObject = isJsonObject(block['resource']) ? block['resource'] : {};
      return typeof resource['text'] === 'string' ? resource['text'] : `[file: ${text(resource['uri'])}]`;
    }
    case 'resource_link':
      return `[file: ${text(block['uri'])}]`;
    default:
      return `[${type.slice(0, 40)}]`;
  }
}
