// The note of a run -> what was written and what is left to do, in a few lines.
//
// The text of a note is in its file: it is shown without the sections that only have a prompt, and not at all when nothing was
// written. `--quiet` and `--json` have the whole answer.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, textOf } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { Paint } from '../io.ts';

/** null: the run wrote no note. */
export function renderNote(envelope: JsonObject | null, input: Json, paint: Paint): string | null {
  const { note, answer, node_type: type, suggested_edges: edges } = envelope ?? {};
  if (!isJsonObject(note) || typeof note['path'] !== 'string') return null;
  const path = printableLine(note['path']);
  const kind = typeof type === 'string' ? `a note of type ${printableLine(type)}` : 'a note';
  const isUnchanged = note['action'] === 'unchanged';
  const lines = [
    isUnchanged
      ? `${path} has all of it already; nothing was written`
      : `${paint.green(note['action'] === 'merged' ? 'added to' : 'wrote')} ${paint.bold(path)}, ${kind}`,
  ];
  const { text, empty } = withoutPrompts(typeof answer === 'string' ? answer : '');
  const name = (path.split('/').at(-1) as string).replace(/\.md$/i, '');
  const open = edgesLeft(edges ?? [], isJsonObject(input) ? input : {});
  const rows: [string, string][] = [
    ...objectsIn(note['left_out']).map((one): [string, string] => [
      'not linked',
      `${textIn(one, 'edge')} "${textIn(one, 'target')}": ${textIn(one, 'reason')}`,
    ]),
    ...objectsIn(note['proposed']).map((one): [string, string] => [
      'link to?',
      `"${textIn(one, 'target')}": ${textIn(one, 'because')}`,
    ]),
    ...(Array.isArray(note['kept'])
      ? [['kept', `${textsIn(note['kept']).join(', ')}, as the note has it`] as [string, string]]
      : []),
    ...(note['action'] !== 'created' || empty.length === 0
      ? []
      : [['to fill in', empty.join(', ')] as [string, string]]),
    ...(isUnchanged || open.length === 0
      ? []
      : [['can link', `${open.join(', ')}; techne graph suggest ${quoted(name)}`] as [string, string]]),
  ];
  const body = isUnchanged || text === '' ? '' : `\n${printable(text)}\n`;
  return `${lines.join('\n')}\n${rows.map(([key, value]) => `  ${key.padEnd(10)}  ${value}\n`).join('')}${body}`;
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? printableLine(value) : '';
}

function textsIn(value: Json): readonly string[] {
  return (Array.isArray(value) ? (value as readonly Json[]) : []).flatMap((one) =>
    typeof one === 'string' ? [printableLine(one)] : [],
  );
}

/** The edges that the skill suggests and the run was not given. */
function edgesLeft(edges: Json, input: JsonObject): readonly string[] {
  return objectsIn(edges)
    .map((edge) => textIn(edge, 'type'))
    .filter((type) => type !== '' && ['', '[]'].includes(textOf(input[type] ?? '')));
}

/** The sections that say something, and the headings of those that only have a prompt in a comment. */
function withoutPrompts(answer: string): { readonly text: string; readonly empty: readonly string[] } {
  const sections = answer.replace(/^---\n[^]*?\n---\n/, '').split(/^(?=#{1,6} )/m);
  const empty: string[] = [];
  const kept = sections.filter((section) => {
    const [, level = '', heading = ''] = /^(#{1,6}) +([^\n]*)/.exec(section) ?? [];
    const rest = section.replace(/^#{1,6} [^\n]*/, '').replace(/<!--[^]*?-->/g, '');
    if (rest.trim() !== '') return true;
    // The title of the note is the name of its file.
    if (level.length > 1) empty.push(printableLine(heading.trim()));
    return false;
  });
  return { text: kept.join('').trim(), empty };
}
