// `entrypoint` of a skill -> the program that runs it.
//
// The command is split into words before any value is inserted, so a value cannot add a word. An entry point that
// cannot be run is an error; the skill can still be used as instructions.
import type { Report } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { isNull } from '../skill/fields/read-value.ts';
import type { YamlMap, YamlNode } from '../skill/yaml/node.ts';
import { placesOfWords } from './argument-places.ts';
import type { Site } from './draft.ts';
import { templateSite } from './draft.ts';
import { Fields, checkVariable } from './read-fields.ts';
import { wordOf } from './tool-sites.ts';

export interface Entrypoint {
  /** The words of the command; each may hold `{baseDir}` and templates. */
  readonly command: readonly string[];
  /** Templates. */
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly stdin: string | null;
  readonly assemble: readonly { readonly into: string; readonly from: string }[];
  readonly cwd: string | null;
  readonly parse: 'text' | 'json' | 'lines';
  readonly timeoutMs: number;
}

const keys = {
  known: ['command', 'args', 'env', 'stdin', 'assemble', 'cwd', 'parse', 'timeout'],
  aliases: { timeout_seconds: 'timeout', arguments: 'args', working_directory: 'cwd' },
};
const defaultTimeoutSeconds = 60;

export function readEntrypoint(node: YamlNode | null, report: Report, sites: Site[] = []): Entrypoint | null {
  if (node === null || isNull(node)) return null;
  if (node.kind !== 'map') {
    report(
      'PLAN_TYPE',
      node.span,
      'entrypoint must be a mapping with a command',
      'write entrypoint: and command: below it',
    );
    return null;
  }
  const fields = new Fields('entrypoint', node, keys, report);
  const commandNode = fields.get('command');
  const command =
    commandNode === null
      ? fields.missing('command is missing', 'write command: followed by a program')
      : fields.textOf('command', commandNode);
  const words = command === null ? null : splitCommandWords(command);
  if (command !== null && words === null)
    fields.refuse(commandNode as YamlNode, 'a quote in command is never closed');
  if (commandNode?.kind === 'scalar' && command !== null)
    sites.push(templateSite('entrypoint.command', commandNode, 'program', false));
  const entrypoint = {
    args: readArgs(fields, words ?? [], sites),
    env: readEnv(fields, sites),
    stdin: readTemplate(fields, 'stdin', sites),
    assemble: readAssemble(fields, sites),
    cwd: readTemplate(fields, 'cwd', sites),
    parse: readParse(fields),
    timeoutMs: readTimeout(fields),
  };
  return words === null || words.length === 0 ? null : { command: words, ...entrypoint };
}

/** From the JSON of a frontmatter, where places are not needed. */
export function entrypointOf(json: Json | undefined, report: Report = () => undefined): Entrypoint | null {
  return json === undefined ? null : readEntrypoint(nodeOf(json, { start: 0, end: 0 }), report);
}

function nodeOf(json: Json, span: Span): YamlNode {
  if (Array.isArray(json))
    return { kind: 'seq', items: json.map((item: Json) => nodeOf(item, span)), flow: true, span };
  if (isJsonObject(json))
    return {
      kind: 'map',
      entries: Object.keys(json).map((key) => ({
        key,
        keySpan: span,
        value: nodeOf(json[key] as Json, span),
      })),
      flow: true,
      span,
    } satisfies YamlMap;
  const value = json as null | boolean | number | string;
  return { kind: 'scalar', value, raw: String(value), style: 'plain', span };
}

/** Words as a shell would split them, without expanding anything; templates hold together. `null`: a quote is open. */
export function splitCommandWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    const template = unit === '{' && text.charAt(at + 1) === '{' ? text.indexOf('}}', at) : -1;
    if (template !== -1) {
      word = (word ?? '') + text.slice(at, template + 2);
      at = template + 1;
    } else if (unit === "'" || unit === '"') {
      const end = text.indexOf(unit, at + 1);
      if (end === -1) return null;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (/\s/.test(unit)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (unit === '\\' && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else word = (word ?? '') + unit;
  }
  if (word !== null) words.push(word);
  return words;
}

function readArgs(fields: Fields, command: readonly string[], sites: Site[]): readonly string[] {
  const items = fields.list('args')?.items ?? [];
  const places = placesOfWords(items.map(wordOf), command);
  return items.flatMap((item, index) => {
    if (item.kind !== 'scalar' || item.value === null) {
      fields.wrong(`args[${index}]`, item, 'text');
      return [];
    }
    const { as = 'argument', guarded = false } = places[index] ?? {};
    if (typeof item.value === 'string')
      sites.push({
        ...templateSite(`entrypoint.args[${index}]`, item, as === 'code' ? 'shell' : 'argv', false),
        guarded,
      });
    return [item.raw];
  });
}

function readEnv(fields: Fields, sites: Site[]): { readonly [name: string]: string } {
  const env = Object.create(null) as { [name: string]: string };
  for (const { key, keySpan, value } of fields.mapping('env')?.entries ?? []) {
    if (!/^[A-Za-z_]\w*$/.test(key))
      fields.report('PLAN_VALUE', keySpan, `entrypoint: "${key}" cannot be the name of a variable`);
    else if (value.kind !== 'scalar') fields.wrong(`env.${key}`, value, 'text');
    else if (value.value !== null) {
      checkVariable(fields, key, keySpan);
      // Kept: the host refuses the command, and a program is never started without what it asked for.
      env[key] = value.raw;
      if (typeof value.value === 'string')
        sites.push(templateSite(`entrypoint.env.${key}`, value, 'data', false));
    }
  }
  return env;
}

function readTemplate(fields: Fields, key: 'stdin' | 'cwd', sites: Site[]): string | null {
  const node = fields.get(key);
  if (node === null) return null;
  if (node.kind !== 'scalar') return fields.wrong(key, node, 'text');
  if (typeof node.value === 'string') sites.push(templateSite(`entrypoint.${key}`, node, 'none', false));
  return node.raw;
}

function readAssemble(fields: Fields, sites: Site[]): Entrypoint['assemble'] {
  return (fields.list('assemble')?.items ?? []).flatMap((item, index) => {
    if (item.kind !== 'map') {
      fields.wrong(`assemble[${index}]`, item, 'a mapping', 'write - into: … and from_template: …');
      return [];
    }
    const inner = new Fields(
      `assemble[${index}] of entrypoint`,
      item,
      {
        known: ['into', 'from_template'],
        aliases: { path: 'into', from: 'from_template', template: 'from_template', content: 'from_template' },
      },
      fields.report,
    );
    const into = inner.text('into');
    const from = inner.anyText('from_template');
    for (const key of ['into', 'from_template']) {
      const node = inner.get(key);
      if (node === null) inner.missing(`${key} is missing`, `write ${key}: followed by a template`);
      else if (node.kind === 'scalar' && typeof node.value === 'string')
        sites.push(templateSite(`entrypoint.assemble[${index}].${key}`, node, 'none', false));
    }
    return into === null || from === null ? [] : [{ into, from }];
  });
}

function readParse(fields: Fields): Entrypoint['parse'] {
  const word = fields.text('parse', 'text');
  if (word === null || word === 'text' || word === 'json' || word === 'lines') return word ?? 'text';
  fields.refuse(fields.get('parse') as YamlNode, `parse is "${word}"; it can be text, json or lines`);
  return 'text';
}

function readTimeout(fields: Fields): number {
  const node = fields.get('timeout');
  const seconds =
    node === null ? defaultTimeoutSeconds : node.kind === 'scalar' ? Number(node.raw) : Number.NaN;
  if (Number.isFinite(seconds) && seconds > 0) return Math.round(seconds * 1000);
  if (node !== null) fields.wrong('timeout', node, 'a number of seconds above 0');
  return defaultTimeoutSeconds * 1000;
}
