// The only way to read a file of a skill, bodies included.
//
//   skill + relative path -> bytes that are inside its folder, as the snapshot saw them, passed by the gate
//
// Path-safe: relative, inside the skill's real folder, through no link that leaves it, a regular file. Never silently
// new: SKILL.md must have the signature it was listed with. A file of an installed skill must be as its lock says. Any other file must not have changed after the snapshot was
// taken, nor any folder or link on the way to it, since another file may have been put in its place. From its first read
// on the content is pinned and reads the same whatever happens to the disk. Pins hold the bytes, or their digest in the
// blob store; a digest without bytes (after `manifest`) is verified when the file is read again. `hold` pins before
// anybody reads: what a session keeps of its skills. Concurrent reads of one file share one read, and the gate judges a
// content once, when it is handed out.
import { TechneError } from '../base/error.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { Sha256 } from '../ports/environment.ts';
import { FileFault } from '../ports/files.ts';
import type { FileRead } from '../ports/files.ts';
import { isSafeRelativePath } from '../skill/resources.ts';
import type { FoundSkill } from './discover/found-skill.ts';
import { sameSignature } from './discover/found-skill.ts';
import { headLimits } from './discover/read-skill-head.ts';
import type { ExecutionBar } from '../skill/types.ts';
import type { ContentGate, DriftRefusal, InstalledSkills } from './types.ts';

interface ContentOptions {
  readonly sha256: Sha256;
  readonly blobs: Blobs | null;
  readonly gate: ContentGate | null;
  /** Judged before the gate: a file that is not as locked is refused, whatever it holds. */
  readonly installed: InstalledSkills | null;
  /** Of one file that is not SKILL.md. */
  readonly maxBytes: number;
}

/** What is known of a file once it was read. */
interface FileDigest {
  readonly size: number;
  readonly executable: boolean;
  readonly sha256: string;
}

interface Pin extends FileDigest {
  readonly bytes: Uint8Array | null;
  readonly blob: BlobDigest | null;
  readonly judged: boolean;
}

/** An entry of the folder of a skill. */
export interface ContentEntry {
  readonly path: string;
  readonly entry: 'file' | 'link' | 'other' | 'excluded';
  /** Bytes; 0 for what is not a file. */
  readonly size: number;
  /** Where a link leads: `in:PATH`, `out` or `nowhere`. '' for what is not a link. */
  readonly target: string;
}

/** What is kept of a folder besides the bytes of its files: the rest that is asked of the disk. */
export interface KeptFolder {
  readonly entries: readonly ContentEntry[];
  /** Why its files cannot be executed where they are. */
  readonly bar: ExecutionBar | null;
}

// Clocks that count in milliseconds lag behind the file system's by less than this.
const clockLagNs = 1_000_000n;

/** Of the files that are held in memory; with a blob store they are all held. */
const maxHeldBytes = 64 * 1024 * 1024;

export class ContentReader {
  readonly #options: ContentOptions;
  readonly #pins = new Map<string, Pin>();
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  readonly #folders = new Map<string, KeptFolder>();
  #heldBytes = 0;

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  /** The bytes are the caller's to keep. Throws PATH_UNSAFE, FILE_MISSING, FILE_DENIED, FILE_LIMIT, STALE, DRIFTED, CONTENT_REFUSED. */
  async read(skill: FoundSkill, path: string): Promise<Uint8Array> {
    const key = keyOf(skill, path);
    let reading = this.#underWay.get(key);
    if (reading === undefined) {
      reading = this.#readOnce(skill, path, key).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, reading);
    }
    return (await reading).slice();
  }

  /** Reads and pins without handing the content out, so the gate is not asked. */
  async digest(skill: FoundSkill, path: string): Promise<FileDigest> {
    const key = keyOf(skill, path);
    const pin = this.#pins.get(key);
    if (pin !== undefined) return pin;
    const { bytes, stat } = await this.#load(skill, path);
    const made = await this.#pin(key, bytes, (stat.mode & 0o100n) !== 0n, false);
    return made;
  }

  /** The same for an index of words, which is not shown: the gate is asked only if it wants to be. */
  async readForIndex(skill: FoundSkill, path: string): Promise<Uint8Array> {
    const { gate } = this.#options;
    if (gate?.passesIndex !== true) return this.read(skill, path);
    const key = keyOf(skill, path);
    const pin = this.#pins.get(key);
    const held = pin === undefined ? null : await this.#held(pin);
    if (held !== null) return held;
    const { bytes, stat } = await this.#load(skill, path);
    if (pin !== undefined && this.#options.sha256(bytes) !== pin.sha256) throw stale(skill, path);
    await this.#pin(key, bytes, (stat.mode & 0o100n) !== 0n, pin?.judged ?? false, true);
    return bytes;
  }

  /** What the gate wants to be known about a skill whose content it let pass. */
  noteOf(skill: FoundSkill): string | null {
    return this.#options.gate?.noteOf?.(skill) ?? null;
  }

  /** Pins the bytes of a file that has `size`. Gives whether they are kept: not beyond `maxHeldBytes` of all of them. */
  async hold(skill: FoundSkill, path: string, size: number): Promise<boolean> {
    const key = keyOf(skill, path);
    const pin = this.#pins.get(key);
    if (pin !== undefined && (pin.bytes !== null || pin.blob !== null)) return true;
    const { blobs, sha256 } = this.#options;
    if (blobs === null && this.#heldBytes + size > maxHeldBytes) return false;
    const { bytes, stat } = await this.#load(skill, path);
    if (pin !== undefined && sha256(bytes) !== pin.sha256) throw stale(skill, path);
    if (blobs === null) this.#heldBytes += bytes.length;
    await this.#pin(key, bytes, (stat.mode & 0o100n) !== 0n, pin?.judged ?? false, true);
    return true;
  }

  /** The folder of a skill whose files are held. */
  heldFolder(skill: FoundSkill): KeptFolder | null {
    return this.#folders.get(skill.folder) ?? null;
  }

  holdFolder(skill: FoundSkill, folder: KeptFolder): void {
    this.#folders.set(skill.folder, folder);
  }

  /** Reads without pinning, for a verdict: nothing of the content is handed out, so the gate is not asked. */
  look(skill: FoundSkill, path: string): Promise<FileRead> {
    return this.#load(skill, path);
  }

  /** Takes over what an earlier reader pinned of SKILL.md, or of all files, of `skill`: they read as they did. */
  inherit(earlier: ContentReader, skill: FoundSkill, what: 'skill-file' | 'all-files'): void {
    const first = keyOf(skill, 'SKILL.md');
    const keys =
      what === 'skill-file'
        ? [first]
        : [...earlier.#pins.keys()].filter((key) => key.startsWith(keyOf(skill, '')));
    const folder = what === 'all-files' ? earlier.#folders.get(skill.folder) : undefined;
    if (folder !== undefined) this.#folders.set(skill.folder, folder);
    for (const key of keys) {
      const pin = earlier.#pins.get(key);
      if (pin !== undefined && !this.#pins.has(key)) this.#pins.set(key, pin);
    }
  }

  async #readOnce(skill: FoundSkill, path: string, key: string): Promise<Uint8Array> {
    const pin = this.#pins.get(key);
    const held = pin === undefined ? null : await this.#held(pin);
    let bytes = held;
    let executable = pin?.executable ?? false;
    if (bytes === null) {
      const read = await this.#load(skill, path);
      bytes = read.bytes;
      executable = (read.stat.mode & 0o100n) !== 0n;
      if (pin !== undefined && this.#options.sha256(bytes) !== pin.sha256) throw stale(skill, path);
    }
    if (pin?.judged !== true) await this.#judge(skill, path, bytes, executable);
    if (pin?.judged !== true || held === null) await this.#pin(key, bytes, executable, true);
    return bytes;
  }

  async #held(pin: Pin): Promise<Uint8Array | null> {
    if (pin.bytes !== null) return pin.bytes;
    return pin.blob === null || this.#options.blobs === null ? null : this.#options.blobs.get(pin.blob);
  }

  /** With a blob store the bytes are there; without one they stay in memory once someone read them, or held them. */
  async #pin(
    key: string,
    bytes: Uint8Array,
    executable: boolean,
    judged: boolean,
    held = false,
  ): Promise<Pin> {
    const { blobs, sha256 } = this.#options;
    const blob = blobs === null ? null : await blobs.put(bytes);
    const kept = blob === null && (judged || held) ? bytes : null;
    const pin: Pin = {
      size: bytes.length,
      executable,
      sha256: blob?.slice('sha256:'.length) ?? sha256(bytes),
      bytes: kept,
      blob,
      judged,
    };
    // Two first reads can overlap (a digest and a read): the first pin counts.
    const earlier = this.#pins.get(key);
    if (earlier !== undefined && earlier.sha256 !== pin.sha256)
      throw new TechneError('STALE', `"${key}" changed while it was read`);
    // A digest takes nothing away from what is held.
    if (earlier !== undefined && earlier.bytes !== null && pin.bytes === null) return earlier;
    this.#pins.set(key, pin);
    return pin;
  }

  /** The lock first, then the gate. */
  async #judge(skill: FoundSkill, path: string, bytes: Uint8Array, executable: boolean): Promise<void> {
    const { realFolder } = skill;
    const drift = this.#options.installed?.judge({ realFolder, path, bytes, executable }) ?? null;
    if (drift !== null) throw drifted(drift);
    const refusal =
      (await this.#options.gate?.judge({ skill: skill.name, path, bytes: bytes.slice(), found: skill })) ??
      null;
    if (refusal !== null)
      throw new TechneError(
        'CONTENT_REFUSED',
        `"${path}" of the skill "${skill.name}" was refused: ${refusal}`,
      );
  }

  async #load(skill: FoundSkill, path: string): Promise<FileRead> {
    if (!isSafeRelativePath(path)) {
      throw new TechneError('PATH_UNSAFE', `"${path}" is not a path inside the skill "${skill.name}"`, {
        hint: 'give a relative path such as references/guide.md',
      });
    }
    try {
      return path === 'SKILL.md' ? await this.#loadSkillFile(skill) : await this.#loadOther(skill, path);
    } catch (error) {
      if (error instanceof TechneError && error.code === 'FILE_MISSING') {
        const { realFolder } = skill;
        const gone = this.#options.installed?.judge({ realFolder, path, bytes: null, executable: false });
        if (gone !== null && gone !== undefined) throw drifted(gone);
      }
      throw error instanceof FileFault ? refusalOf(error, skill, path) : error;
    }
  }

  async #loadSkillFile(skill: FoundSkill): Promise<FileRead> {
    const read = await skill.files.read(skill.file, headLimits.maxBytes);
    if (read === null || !sameSignature(read.stat, skill.signature)) throw stale(skill, 'SKILL.md');
    return read;
  }

  async #loadOther(skill: FoundSkill, path: string): Promise<FileRead> {
    const { files } = skill;
    const real = containedPath(skill, path);
    const before = files.stat(real);
    if (before === null) throw missing(skill, path);
    if (!before.isFile()) {
      throw new TechneError(
        'FILE_DENIED',
        `"${path}" of the skill "${skill.name}" is ${before.isDirectory() ? 'a folder' : 'a special file'}, not a file`,
      );
    }
    const read = await files.read(real, this.#options.maxBytes);
    if (read === null) throw missing(skill, path);
    // The path may have been changed into a link between looking and opening: what was read must be what is there.
    const after = containedPath(skill, path) === real ? files.lstat(real) : null;
    if (after === null || after.ino !== read.stat.ino || after.dev !== read.stat.dev)
      throw stale(skill, path);
    if (read.stat.ctimeNs > skill.foundIn.takenNs + clockLagNs || !isWayUnchanged(skill, path, real))
      throw stale(skill, path);
    return read;
  }
}

/** Whether everything between the skill folder and the file is as old as the snapshot. */
function isWayUnchanged(skill: FoundSkill, path: string, real: string): boolean {
  const { files, realFolder } = skill;
  const isOld = (place: string): boolean => {
    const stat = files.lstat(place);
    return stat !== null && stat.ctimeNs <= skill.foundIn.takenNs + clockLagNs;
  };
  const asked = `${realFolder}/${path}`;
  const places = new Set([...placesBetween(realFolder, asked), ...placesBetween(realFolder, real)]);
  for (const place of places) if (!isOld(place)) return false;
  if (isOld(realFolder)) return true;
  // Something was added to the folder, or it is another one. It is the same while SKILL.md in it is; but a link
  // may lead over other links in it, which would not be seen.
  const skillFile = files.stat(`${realFolder}/${skill.fileName}`);
  return real === asked && skillFile !== null && sameSignature(skillFile, skill.signature);
}

/** `/a`, `/a/b/c` -> `/a/b`, `/a/b/c`. */
function placesBetween(folder: string, path: string): readonly string[] {
  const segments = path.slice(folder.length + 1).split('/');
  return segments.map((_, at) => `${folder}/${segments.slice(0, at + 1).join('/')}`);
}

/** The real path of a file of the skill. Throws FILE_MISSING, and PATH_UNSAFE when a link leads out of the folder. */
function containedPath(skill: FoundSkill, path: string): string {
  const real = skill.files.realPath(`${skill.realFolder}/${path}`);
  if (real === null) throw missing(skill, path);
  if (real.startsWith(`${skill.realFolder}/`)) return real;
  throw new TechneError('PATH_UNSAFE', `"${path}" is a link that leaves the skill "${skill.name}"`, {
    hint: 'copy the file into the skill folder',
  });
}

export function refusalOf(fault: FileFault, skill: FoundSkill, path: string): TechneError {
  const what = `"${path}" of the skill "${skill.name}"`;
  switch (fault.kind) {
    case 'too-large':
      return new TechneError('FILE_LIMIT', `${what}: ${fault.message}`, { cause: fault });
    case 'changed':
      return new TechneError('STALE', `${what} was written to while it was read`, {
        hint: 'load the skills again',
        cause: fault,
      });
    case 'denied':
    case 'not-a-folder':
    case 'not-a-file':
    case 'loop':
    case 'busy':
    case 'io':
      return new TechneError('FILE_DENIED', `${what} cannot be read: ${fault.message}`, { cause: fault });
  }
}

function drifted({ message, hint }: DriftRefusal): TechneError {
  return new TechneError('DRIFTED', message, { hint });
}

function keyOf(skill: FoundSkill, path: string): string {
  return `${skill.folder}/${path}`;
}

function stale(skill: FoundSkill, path: string): TechneError {
  return new TechneError(
    'STALE',
    `"${path}" of the skill "${skill.name}" changed after the skills were loaded`,
    { hint: 'load the skills again' },
  );
}

function missing(skill: FoundSkill, path: string): TechneError {
  return new TechneError('FILE_MISSING', `the skill "${skill.name}" has no file "${path}"`);
}
