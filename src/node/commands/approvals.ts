// The operator's lasting decisions about commands of skills, in a file of the user.
//
//   ~/.techne/approvals.json: { version, always: [command], never: [command] }
//
// Each change is read, applied and written under a lock with mode 0600, so concurrent processes lose nothing. A file
// that is malformed or writable by others grants nothing: it is an error, and it is never overwritten. `always`
// covers one command as it was shown: skill, digest, argv, input, folder, and whether it ran in a sandbox. `never`
// covers the argv and the name of the skill, survives changes of the skill, and removes an `always`.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { canonicalJson, isJsonObject, parseJson } from '../../base/json.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { heldByOthers } from '../../ports/held-by-others.ts';

export interface ApprovedCommand {
  readonly skill: string;
  /** Of the skill's content. */
  readonly digest: string;
  readonly argv: readonly string[];
  /** Real path. */
  readonly cwd: string;
  /** SHA-256 of the text, `null` for none. */
  readonly stdin: string | null;
  readonly sandboxed: boolean;
}

export interface Approvals {
  readonly file: string;
  /** Throws APPROVALS_STORE for a file that cannot be used; a missing one is empty. */
  recall(command: ApprovedCommand): Promise<'always' | 'never' | null>;
  /** `by`: who decided it, where that is known. Throws APPROVALS_STORE or LOCKED. */
  remember(command: ApprovedCommand, verdict: 'always' | 'never', by?: string): Promise<void>;
}

interface FileApprovalsOptions {
  readonly file: string;
  readonly files: Files;
}

interface AlwaysRecord extends ApprovedCommand {
  readonly grantedAt: string;
}

interface NeverRecord extends Pick<ApprovedCommand, 'skill' | 'argv'> {
  readonly grantedAt: string;
}

interface Records {
  readonly always: readonly AlwaysRecord[];
  readonly never: readonly NeverRecord[];
}

const version = 1;
const maxBytes = 16 * 1024 * 1024;
// The oldest go first; they are asked about again.
const maxAlways = 2000;

export function createFileApprovals({ file, files }: FileApprovalsOptions): Approvals {
  async function read(): Promise<Records> {
    const found = await files.read(file, maxBytes);
    if (found === null) return { always: [], never: [] };
    const held = heldByOthers(files, file);
    if (held !== null)
      throw new TechneError('APPROVALS_STORE', `${held.reason}, so "${file}" proves nothing`, {
        hint: held.hint,
      });
    const { text, valid } = decodeUtf8(found.bytes);
    if (!valid) throw broken(file, 'it is not valid UTF-8');
    return parseRecords(text, file);
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      throw new TechneError(
        'APPROVALS_STORE',
        `the approvals file "${file}" cannot be read or written: ${error.message}`,
        { hint: `make sure that you can read and write "${file}"`, cause: error },
      );
    }
  }

  return {
    file,
    recall: (command) =>
      guarded(async () => {
        const { always, never } = await read();
        if (never.some((record) => isRefused(record, command))) return 'never';
        return always.some((record) => isCovered(record, command)) ? 'always' : null;
      }),
    remember: (command, verdict) =>
      guarded(() =>
        files.withLock(`${file}.lock`, async () => {
          const before = await read();
          const after = changed(before, command, verdict, new Date().toISOString());
          if (after !== before) await files.writeAtomic(file, Buffer.from(renderRecords(after)), 0o600);
        }),
      ),
  };
}

function changed(
  records: Records,
  command: ApprovedCommand,
  verdict: 'always' | 'never',
  grantedAt: string,
): Records {
  const { skill, argv, digest, cwd, stdin, sandboxed } = command;
  if (verdict === 'never') {
    if (records.never.some((record) => isRefused(record, command))) return records;
    return {
      always: records.always.filter((record) => !isRefused(record, command)),
      never: [...records.never, { skill, argv, grantedAt }],
    };
  }
  if (records.always.some((record) => isCovered(record, command))) return records;
  return {
    ...records,
    always: [...records.always, { skill, digest, argv, cwd, stdin, sandboxed, grantedAt }].slice(-maxAlways),
  };
}

function isRefused(record: Pick<NeverRecord, 'skill' | 'argv'>, { skill, argv }: ApprovedCommand): boolean {
  return record.skill === skill && canonicalJson(record.argv) === canonicalJson(argv);
}

function isCovered(record: AlwaysRecord, command: ApprovedCommand): boolean {
  const sandboxFits = command.sandboxed || !record.sandboxed;
  return (
    sandboxFits &&
    isRefused(record, command) &&
    record.digest === command.digest &&
    record.cwd === command.cwd &&
    record.stdin === command.stdin
  );
}

function renderRecords({ always, never }: Records): string {
  return `${JSON.stringify({ version, always, never }, null, 2)}\n`;
}

function parseRecords(text: string, file: string): Records {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw broken(file, 'it is not valid JSON', cause);
  }
  if (!isJsonObject(value)) throw broken(file, 'it is not an object');
  if (typeof value['version'] === 'number' && value['version'] > version) {
    throw new TechneError(
      'APPROVALS_STORE',
      `"${file}" has version ${value['version']}, and this techne knows version ${version}`,
      { hint: 'update techne' },
    );
  }
  if (value['version'] !== version) throw broken(file, `its version is not ${version}`);
  onlyKeys(value, ['version', 'always', 'never'], file);
  const isText = (item: Json | undefined): boolean => typeof item === 'string' && item !== '';
  const isArgv = (item: Json | undefined): boolean =>
    Array.isArray(item) && item.length > 0 && item.every((word: Json) => typeof word === 'string');
  const common = { skill: isText, argv: isArgv, grantedAt: isText };
  return {
    always: listOf(
      value['always'],
      'always',
      {
        ...common,
        digest: isText,
        cwd: isText,
        stdin: (item) => item === null || isText(item),
        sandboxed: (item) => typeof item === 'boolean',
      },
      file,
    ) as unknown as AlwaysRecord[],
    never: listOf(value['never'], 'never', common, file) as unknown as NeverRecord[],
  };
}

function listOf(
  value: Json | undefined,
  name: string,
  checks: { readonly [key: string]: (item: Json | undefined) => boolean },
  file: string,
): readonly Json[] {
  if (!Array.isArray(value)) throw broken(file, `${name} is not a list`);
  for (const [at, item] of (value as readonly Json[]).entries()) {
    if (!isJsonObject(item)) throw broken(file, `${name}[${at}] is not an object`);
    onlyKeys(item, Object.keys(checks), file);
    const wrong = Object.entries(checks).find(([key, check]) => !check(item[key]));
    if (wrong !== undefined) throw broken(file, `${name}[${at}].${wrong[0]} is missing or wrong`);
  }
  return value;
}

function onlyKeys(value: object, known: readonly string[], file: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw broken(file, `it has an unknown key "${unknown}"`);
}

function broken(file: string, why: string, cause?: unknown): TechneError {
  return new TechneError('APPROVALS_STORE', `the approvals file "${file}" cannot be used: ${why}`, {
    hint: `nothing is approved until it is repaired; to start again without any approval, remove "${file}"`,
    ...(cause === undefined ? {} : { cause }),
  });
}
