// Words that a person typed -> the input object of a run; and what a skill needs of it.
//
//   {"a": 1}   @FILE   @-   key=text   key=@FILE   key:=json
//
// Later words override keys of earlier JSON objects and files; a key that is named twice is refused. Without words the input is
// null, and the engine reports what is required. Objects have no prototype. A number that JavaScript would round is refused. The
// surface reads files, where it reads any.
import { TechneError } from '../base/error.ts';
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { printableLine } from '../base/printable.ts';
import { FileFault } from '../ports/files.ts';
import type { Data } from '../starlark/options.ts';
import { parseData } from '../starlark/parse-data.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { InputFact } from '../ports/skill-source.ts';
import { compositionInputs, neededInputs } from '../run/start/check-input.ts';
import type { Snapshot } from '../registry/snapshot.ts';

const forms = 'an input is a JSON object, @FILE, @- for standard input, KEY=TEXT, KEY=@FILE or KEY:=JSON';

/** A word without a key; only code that knows the skill can suggest one. */
export class LooseWord extends TechneError {
  readonly word: string;

  /** `key`: the key that it most likely means. */
  constructor(word: string, key: string | null = null) {
    const shown = printableLine(word.slice(0, 60));
    super('USAGE', `"${shown}" is not an input: it has no key`, {
      hint:
        key === null
          ? forms
          : `write ${key}=${JSON.stringify(word.length > 60 ? `${shown}…` : shown)}; ${forms}`,
    });
    this.word = word;
  }
}

/** Reads a file that a word names, or standard input (`-`). */
export type ReadNamed = (from: string) => Promise<string>;

export async function parseRunInput(words: readonly string[], read: ReadNamed): Promise<JsonObject | null> {
  if (words.length === 0) return null;
  const input = emptyObject();
  let readsStdin = false;
  const keys = new Set<string>();
  for (const word of words) {
    const named = /^([^\s=:{}[\]"'@]+)(:?=)([^]*)$/.exec(word);
    const key = named?.[1];
    if (key !== undefined && keys.has(key))
      throw new TechneError('USAGE', `"${printableLine(key)}" is given twice`, {
        hint: `give it once; for a list, write ${printableLine(key)}:='["…", "…"]'`,
      });
    if (key !== undefined) keys.add(key);
    const from = fileOf(named === null ? word : (named[3] as string), named === null || named[2] === '=');
    if (from === '-') {
      if (readsStdin) throw wrongInput('standard input can be read only once');
      readsStdin = true;
    }
    if (named === null) Object.assign(input, await readObject(word, from, read));
    else
      input[named[1] as string] = await readValue(
        named[1] as string,
        named[2] === ':=',
        named[3] as string,
        from,
        read,
      );
  }
  return input;
}

/** The name behind `@`; a JSON value never begins with one. */
function fileOf(text: string, mayBeFile: boolean): string | null {
  if (text === '-' && mayBeFile) return text;
  return text.startsWith('@') && text.length > 1 ? text.slice(1) : null;
}

async function readObject(word: string, from: string | null, read: ReadNamed): Promise<JsonObject> {
  if (from === null && !word.trimStart().startsWith('{')) throw new LooseWord(word);
  const value = parseValue(
    from === null ? word : await read(from),
    from === null ? 'the input' : whereFrom(from),
  );
  if (!isJsonObject(value))
    throw wrongInput(
      `${from === null ? 'the input' : whereFrom(from)} must be a JSON object, not ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`,
    );
  return value;
}

async function readValue(
  key: string,
  isJson: boolean,
  text: string,
  from: string | null,
  read: ReadNamed,
): Promise<Json> {
  if (isJson)
    return parseValue(from === null ? text : await read(from), `the value of "${printableLine(key)}"`);
  if (from === null || text === '-') return text;
  try {
    return await read(from);
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'not-a-file')
      throw wrongInput(
        `the value of "${printableLine(key)}" cannot be read as a file: ${printableLine(error.message)}`,
      );
    if (!(error instanceof TechneError) || error.code !== 'FILE_MISSING') throw error;
    throw new TechneError('FILE_MISSING', error.message, {
      hint: `to pass the text "${printableLine(text)}" itself, write ${printableLine(key)}:='${JSON.stringify(text)}'`,
    });
  }
}

/** For messages. */
export function whereFrom(from: string): string {
  return from === '-' ? 'standard input' : `"${printableLine(from)}"`;
}

/** Parses JSON for the input of a run. */
export function parseValue(text: string, what: string): Json {
  let data: Data;
  try {
    data = parseData(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TechneError('USAGE', `${what} is not JSON: ${error.message}`, {
      hint: what.startsWith('the value of')
        ? 'KEY:=JSON takes JSON, such as 3, true or ["a", "b"]; KEY=TEXT takes text'
        : what === '--value'
          ? 'write JSON, such as --value \'"a text"\''
          : forms,
    });
  }
  return exact(data, what);
}

function exact(data: Data, what: string): Json {
  if (typeof data === 'bigint')
    throw new TechneError(
      'USAGE',
      `${what} has the number ${String(data).slice(0, 40)}, which is too large to be exact`,
      { hint: 'pass it as text' },
    );
  if (data === null || typeof data !== 'object') return data as Json;
  if (Array.isArray(data)) return (data as readonly Data[]).map((item) => exact(item, what));
  const object = emptyObject();
  for (const [key, value] of Object.entries(data as { readonly [key: string]: Data }))
    object[key] = exact(value, what);
  return object;
}

function wrongInput(message: string): TechneError {
  return new TechneError('USAGE', message, { hint: forms });
}

/** Nothing is read of an installed skill that is not as locked; its run is refused, and says why. */
export function isReadable(snapshot: Snapshot, name: string): boolean {
  if (!snapshot.has(name)) return false;
  return !snapshot.facts(snapshot.get(name)).ready.reasons.some(({ code }) => code === 'DRIFTED');
}

/** What the run would be refused without. A workflow or chain opens a form for it instead. */
export async function neededFor(
  snapshot: Snapshot,
  name: string,
  given: JsonObject | null,
): Promise<readonly InputFact[]> {
  if (!isReadable(snapshot, name)) return [];
  const { head, card } = snapshot.get(name);
  if (card.form !== 'program' && card.form !== 'composition') return [];
  const declared = head.inputs !== null && head.inputs.length > 0 ? head.inputs : null;
  const input = given ?? {};
  if (declared !== null) return neededInputs({ inputs: declared, inputsAreTyped: true }, input);
  // Of keys in prose, only whether any is given counts.
  if (Object.keys(input).length > 0) return [];
  const text = decodeUtf8(await snapshot.readFile(name, 'SKILL.md')).text;
  const { inputKeys } = await snapshot.readBody(name);
  const listed = inputKeys.length > 0 ? inputKeys : null;
  const inputs = card.form === 'program' ? listed : compositionInputs(listed, text);
  return neededInputs({ inputs, inputsAreTyped: false }, input);
}

/** The key that a text without a key most likely means: the first required input, or the message of a composition. */
export async function likelyKey(snapshot: Snapshot, name: string): Promise<string | null> {
  if (!snapshot.has(name)) return null;
  const { head, card } = snapshot.get(name);
  const declared = head.inputs ?? [];
  const texts = declared.filter(({ schema }) => takesText(schema));
  const first = texts.find(({ required }) => required) ?? texts[0];
  if (first !== undefined) return first.key;
  if (card.form === 'composition' || card.form === 'chain' || card.form === 'workflow') return 'user_message';
  return (await snapshot.readBody(name)).inputKeys[0]?.key ?? null;
}

/** The key of the only text that a skill asks for; null where it asks for none or several, or for something else. */
export async function onlyTextKey(snapshot: Snapshot, name: string): Promise<string | null> {
  if (!snapshot.has(name)) return null;
  const { head, card } = snapshot.get(name);
  const isPlan = card.form !== 'program' && card.form !== 'instructions';
  const keys = head.inputs ?? (isPlan ? [] : (await snapshot.readBody(name)).inputKeys);
  if (keys.length === 0) return isPlan ? 'user_message' : null;
  const required = keys.filter((one) => one.required);
  const [only] = required.length === 1 ? required : keys.length === 1 ? keys : [];
  return only !== undefined && takesText(only.schema) ? only.key : null;
}

/** Whether a text is a valid value, as far as the type says. */
function takesText(schema: JsonObject | null): boolean {
  const type = schema?.['type'];
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}
