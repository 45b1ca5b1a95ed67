// The locks of a user and a workspace, as the registry asks about them: is this folder installed, and is this file as locked?
//
//   places -> InstalledSkills { originOf, judge, digestOf }
//
// D1. Everything below the folder of a locked skill belongs to that skill, also a SKILL.md further down.
// D2. A file is let through only if the lock has its path, its SHA-256 and its mode, and the rest of the folder is as locked.
// D3. While a lock cannot be read, nothing in its folder of skills is let through.
// D4. A skill that was installed on this machine and is in no lock any more is not taken for local work.
// D5. A folder whose name differs from that of a locked skill only in case or composition is that skill, renamed.
// A lock is read again when a file differs and the lock is a new one: another command may just have updated the skill.
import { readFileSync } from 'node:fs';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { codeOf, leadsNowhere } from '../../node/files/file-fault.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import { manifestOf } from '../../skill/resources.ts';
import type { DriftRefusal, InstalledSkills } from '../../registry/types.ts';
import type { SkillOrigin } from '../../skill/types.ts';
import type { Lock, LockEntry } from '../lock/lock.ts';
import { parseLock } from '../lock/lock-text.ts';
import type { HubPlace } from '../install/place.ts';
import { lostEntry, waysOut } from '../install/refusals.ts';
import { foldName } from '../stage/check-names.ts';
import type { SeenFiles } from './compare-folder.ts';
import { compareFolder, difference, modeDifference } from './compare-folder.ts';
import type { Receipts } from '../install/receipts.ts';
import { parseReceipts } from '../install/receipts.ts';
import { nodeSha256 } from '../../node/environment.ts';

/** One place as it was when it was read. */
interface Known {
  readonly place: HubPlace;
  readonly lockText: string | null;
  readonly lock: ReadonlyMap<string, Locked>;
  readonly receipts: Receipts;
  /** Why the lock cannot be used. */
  readonly broken: TechneError | null;
}

interface Locked {
  readonly entry: LockEntry;
  readonly files: ReadonlyMap<string, ManifestFile>;
  readonly seen: SeenFiles;
}

/** `null`: nothing is installed in these places, so that nothing need be asked. `faults` are reported besides. */
export function loadInstalled(
  places: readonly HubPlace[],
  faults: readonly Diagnostic[] = [],
): InstalledSkills | null {
  const known = places
    .map(readPlace)
    .filter(({ lock, receipts, broken }) => broken !== null || lock.size + receipts.size > 0);
  return known.length + faults.length === 0 ? null : new LockedPlaces(known, faults);
}

/** What is wrong with a lock, among the diagnostics of the skills. */
export function lockFault({ lockFile }: HubPlace, { message, hint }: TechneError): Diagnostic {
  const code = 'LOCK_UNUSABLE';
  return { code, severity: severityOf(code), path: lockFile, span: null, message, hint };
}

class LockedPlaces implements InstalledSkills {
  readonly #known: Known[];
  readonly diagnostics: readonly Diagnostic[];

  constructor(known: Known[], faults: readonly Diagnostic[]) {
    this.#known = known;
    this.diagnostics = [
      ...faults,
      ...known.flatMap(({ broken, place }) => (broken === null ? [] : [lockFault(place, broken)])),
    ];
  }

  originOf(realFolder: string): SkillOrigin | null {
    const found = this.#find(realFolder);
    if (found === null) return null;
    const { name, known } = found;
    const from = known.lock.get(name)?.entry.source ?? known.receipts.get(name)?.source ?? null;
    return from === null && known.broken === null ? null : Object.freeze({ kind: 'installed', from });
  }

  digestOf(realFolder: string): ReturnType<InstalledSkills['digestOf']> {
    const found = this.#find(realFolder);
    if (found === null) return null;
    const { name, inner, known } = found;
    const locked = known.lock.get(name);
    const refusal = renamed(found) ?? (locked === undefined ? withoutEntry(name, known) : null);
    if (refusal !== null) return { refusal };
    if (locked === undefined) return null;
    // A skill inside another one has a digest of its own, which no lock has; its files are judged one by one.
    if (inner !== '') return { digest: nestedDigest(locked, inner) };
    return { digest: locked.entry.digest };
  }

  judge(file: Parameters<InstalledSkills['judge']>[0]): DriftRefusal | null {
    const found = this.#find(file.realFolder);
    if (found === null) return null;
    const refusal = judgeFile(found, file);
    if (refusal === null) return null;
    const again = readPlace(found.known.place);
    if (again.lockText === found.known.lockText) return refusal;
    this.#known.splice(this.#known.indexOf(found.known), 1, again);
    return judgeFile({ ...found, known: again }, file);
  }

  #find(realFolder: string): Found | null {
    for (const known of this.#known) {
      const { skills } = known.place;
      if (!realFolder.startsWith(`${skills}/`)) continue;
      const below = realFolder.slice(skills.length + 1);
      const slash = below.indexOf('/');
      const spelled = slash === -1 ? below : below.slice(0, slash);
      const inner = slash === -1 ? '' : `${below.slice(slash + 1)}/`;
      // Names of installed skills are lower case.
      const folded = foldName(spelled);
      const isKnown = known.lock.has(folded) || known.receipts.has(folded);
      return { name: isKnown ? folded : spelled, spelled, inner, known };
    }
    return null;
  }
}

interface Found {
  readonly name: string;
  /** What its folder is called now. */
  readonly spelled: string;
  /** '' or the path of a skill inside the skill, with a `/` at its end. */
  readonly inner: string;
  readonly known: Known;
}

function judgeFile(
  found: Found,
  { path, bytes, executable }: Parameters<InstalledSkills['judge']>[0],
): DriftRefusal | null {
  const { name, inner, known } = found;
  const locked = known.lock.get(name);
  const other = renamed(found) ?? (locked === undefined ? withoutEntry(name, known) : null);
  if (locked === undefined || other !== null) return other;
  const at = inner + path;
  const what = fileDifference(locked.files.get(at), bytes, executable);
  if (what !== null) return drifted(locked.entry, at, what);
  const first = compareFolder(
    `${known.place.skills}/${name}`,
    locked.files,
    locked.seen,
    bytes === null ? null : at,
  );
  return first === null ? null : drifted(locked.entry, first.path, first.what);
}

function fileDifference(
  wanted: ManifestFile | undefined,
  bytes: Uint8Array | null,
  executable: boolean,
): string | null {
  if (wanted === undefined) return bytes === null ? null : difference.added;
  if (bytes === null) return difference.gone;
  if (wanted.size !== bytes.length || wanted.sha256 !== nodeSha256(bytes)) return difference.changed;
  return modeDifference(wanted, executable);
}

function renamed({ name, spelled }: Found): DriftRefusal | null {
  if (name === spelled) return null;
  return {
    message: `the folder of the installed skill "${name}" was renamed to "${spelled}"`,
    hint: `rename it back, or remove it and run techne restore ${name}`,
  };
}

function drifted(entry: LockEntry, path: string, what: string): DriftRefusal {
  return {
    message: `"${path}" of the installed skill "${entry.name}" ${what}`,
    hint: waysOut(entry, { isMissing: false, files: [{ path, what: 'changed' }], excluded: [] }),
  };
}

function withoutEntry(name: string, { broken, receipts, place, lockText }: Known): DriftRefusal | null {
  if (broken !== null)
    return {
      message: `"${name}" may be an installed skill, and ${broken.message}`,
      hint: broken.hint ?? 'repair the lock',
    };
  if (!receipts.has(name)) return null;
  return {
    message: `the skill "${name}" was installed, and "${place.lockFile}" no longer has it`,
    hint: lostEntry(name, place, { hasLock: lockText !== null, isChanged: false }).hint ?? '',
  };
}

/** The digest that the files below `inner` have by themselves. */
function nestedDigest({ entry }: Locked, inner: string): string {
  const files = entry.files
    .filter(({ path }) => path.startsWith(inner))
    .map((file) => ({ ...file, path: file.path.slice(inner.length) }));
  return manifestOf(files, nodeSha256).digest;
}

function readPlace(place: HubPlace): Known {
  let lockText: string | null = null;
  try {
    lockText = readOr(place.lockFile);
    const lock: Lock | null = lockText === null ? null : parseLock(lockText, place.lockFile);
    const receiptsText = readOr(place.receiptsFile);
    const receipts = receiptsText === null ? new Map() : parseReceipts(receiptsText, place.receiptsFile);
    const byName = new Map(
      (lock?.skills ?? []).map((entry) => [
        entry.name,
        { entry, files: new Map(entry.files.map((file) => [file.path, file])), seen: new Map() as SeenFiles },
      ]),
    );
    return { place, lockText, lock: byName, receipts: receipts as Receipts, broken: null };
  } catch (error) {
    return { place, lockText, lock: new Map(), receipts: new Map(), broken: asBroken(error, place) };
  }
}

function asBroken(error: unknown, place: HubPlace): TechneError {
  if (error instanceof TechneError) return error;
  if (codeOf(error) === '') throw error;
  return new TechneError('LOCK_INVALID', `the lock "${place.lockFile}" cannot be read: ${codeOf(error)}`, {
    hint: 'make sure that you can read it',
    cause: error,
  });
}

function readOr(path: string): string | null {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (leadsNowhere(error)) return null;
    throw error;
  }
  const { text, valid } = decodeUtf8(bytes);
  if (!valid)
    throw new TechneError('LOCK_INVALID', `"${path}" is not valid UTF-8`, {
      hint: 'put back an earlier version of the file',
    });
  return text;
}
