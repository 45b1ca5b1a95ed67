// The skills of a snapshot as resources of the Skills extension of MCP (SEP-2640).
//
//   skill://NAME/SKILL.md   skill://NAME/references/guide.md
//
// Only skills that the model may load are served. Each file has its digest and size, and a read is compared with them, so that a
// client never gets other bytes than were listed. Every served skill is in both lists and can be read. Frontmatter that the
// extension does not accept is converted in its entry (entry-frontmatter.ts), but not in the file. Only an invalid name keeps a
// skill out of `skills/list`; too many or too large files give an entry without digests ("dynamic"). Digests need reading every
// file, so they are computed page by page and kept with the snapshot. A link is described by its target; a broken link, or one that
// leaves the skill, is omitted. The lists show only the name and one short line of an untrusted skill (prompt/skill-session.ts); its
// file has everything.
import { SKILL_LIMITS, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { Skill as SkillEntry, SkillReadResult } from '@modelcontextprotocol/server/ext/skills';
import type { McpServer, Resource } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../base/error.ts';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { SkillReads } from '../prompt/read-skill.ts';
import { cutText } from '../base/cut-text.ts';
import { entryFrontmatter, isEntryName, untrustedFrontmatter } from './entry-frontmatter.ts';
import type { OnBug } from './translate-error.ts';
import { protocolError } from './translate-error.ts';

/** The listed properties of a skill. */
interface ServedSkill {
  readonly description: string;
  readonly isUntrusted: boolean;
}

interface ServedSkills {
  readonly snapshot: SkillReads;
  /** The served skills by name, in order, for this snapshot. */
  readonly skills: ReadonlyMap<string, ServedSkill>;
}

interface SkillResourcesOptions {
  readonly served: () => Promise<ServedSkills>;
  readonly onWarning: (message: string) => void;
  readonly onBug: OnBug;
}

const maxDescriptionUnits = 1_024;
/** Entries need reading every file; `resources/list` does not. */
const pageSize = { skills: 100, resources: 500 };

export interface ServedResources {
  /** Must be called before the server is connected. */
  attach(mcp: McpServer): void;
}

export function createSkillResources(options: SkillResourcesOptions): ServedResources {
  const source = new SkillResources(options);
  const extension = new SkillsExtension({
    source,
    onWarning: ({ path, message }) => options.onWarning(`${path}: ${message}`),
  });
  return {
    attach(mcp) {
      extension.attach(mcp);
      // The resource list of the extension has no pages.
      mcp.server.setRequestHandler('resources/list', ({ params }) => source.resourcePage(params?.cursor));
    },
  };
}

interface Described {
  /** `null` if the extension does not accept its name. */
  readonly entry: SkillEntry | null;
  /** `null`: the entry has no digests. */
  readonly digests: ReadonlyMap<string, string> | null;
}

class SkillResources {
  readonly #options: SkillResourcesOptions;
  readonly #described = new WeakMap<SkillReads, Map<string, Promise<Described | null>>>();

  constructor(options: SkillResourcesOptions) {
    this.#options = options;
  }

  list({ cursor }: { cursor?: string }): Promise<{ skills: SkillEntry[]; nextCursor?: string }> {
    return this.#told(async () => {
      const served = await this.#options.served();
      const { page, ...next } = pageOf([...served.skills.keys()], cursor, pageSize.skills);
      const skills: SkillEntry[] = [];
      for (const name of page) {
        const entry = await this.#entry(served, name);
        if (entry !== undefined) skills.push(entry);
      }
      return { skills, ...next };
    });
  }

  get(uri: string): Promise<SkillEntry | undefined> {
    return this.#told(async () => {
      const place = placeOf(uri);
      if (place === null || place.path !== 'SKILL.md') return undefined;
      return this.#entry(await this.#options.served(), place.name);
    });
  }

  read(uri: string): Promise<SkillReadResult | undefined> {
    return this.#told(async () => {
      const place = placeOf(uri);
      if (place === null) return undefined;
      const { name, path } = place;
      const { snapshot, skills } = await this.#options.served();
      if (!skills.has(name)) return undefined;
      const digests = (await this.#describe(snapshot, name))?.digests ?? null;
      const digest = digests?.get(path);
      // With digests, only the listed files can be read.
      if (digests !== null && digest === undefined) return undefined;
      const bytes = await readIfThere(snapshot, name, path);
      if (bytes === null) return undefined;
      if (digest !== undefined && `sha256:${nodeSha256(bytes)}` !== digest)
        throw new TechneError('STALE', `"${path}" of the skill "${name}" has changed since it was listed`, {
          hint: 'list the skills again',
        });
      const mimeType = mimeTypeOf(path);
      const text = decoded(bytes);
      return text === null ? { bytes, mimeType } : { text, mimeType };
    });
  }

  /** The entry without digests; reads no file. */
  resourcePage(cursor: string | undefined): Promise<{ resources: Resource[]; nextCursor?: string }> {
    return this.#told(async () => {
      const { skills } = await this.#options.served();
      const { page, ...next } = pageOf([...skills.keys()], cursor, pageSize.resources);
      return {
        resources: page.map((name) => ({
          uri: uriOf(name, 'SKILL.md'),
          name,
          description: cutText(printableLine(skills.get(name)?.description ?? ''), maxDescriptionUnits).text,
          mimeType: 'text/markdown',
        })),
        ...next,
      };
    });
  }

  /** `undefined` if it is not served, or has none. */
  async #entry({ snapshot, skills }: ServedSkills, name: string): Promise<SkillEntry | undefined> {
    const skill = skills.get(name);
    const entry = skill === undefined ? null : ((await this.#describe(snapshot, name))?.entry ?? null);
    if (skill === undefined || entry === null) return undefined;
    return skill.isUntrusted
      ? { ...entry, frontmatter: untrustedFrontmatter({ name, description: skill.description }) }
      : entry;
  }

  /** The entry with digests; `null` if it cannot be read. */
  #describe(snapshot: SkillReads, name: string): Promise<Described | null> {
    const known = this.#described.get(snapshot) ?? new Map<string, Promise<Described | null>>();
    this.#described.set(snapshot, known);
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = this.#make(snapshot, name).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      this.#options.onWarning(
        `the skill "${printableLine(name)}" is not served as a resource: ${printableLine(error.message)}`,
      );
      return null;
    });
    known.set(name, made);
    return made;
  }

  async #make(snapshot: SkillReads, name: string): Promise<Described> {
    const text = await snapshot.readFile(name, 'SKILL.md');
    const digests = await this.#digests(snapshot, name);
    if (!isEntryName(name)) return { entry: null, digests: digests?.digests ?? null };
    return {
      entry: {
        uri: uriOf(name, 'SKILL.md'),
        frontmatter: await entryFrontmatter(snapshot.get(name), text),
        resources: digests?.resources ?? 'dynamic',
      },
      digests: digests?.digests ?? null,
    };
  }

  /** `null` if there are too many or too large files. */
  async #digests(
    snapshot: SkillReads,
    name: string,
  ): Promise<{
    readonly digests: ReadonlyMap<string, string>;
    readonly resources: { uri: string; digest: string; size: number }[];
  } | null> {
    try {
      const { files: all, links } = await snapshot.manifest(name);
      if (all.length > SKILL_LIMITS.files) return null;
      const files: { readonly path: string; readonly size: number; readonly sha256: string }[] = [];
      for (const file of all) {
        if (!links.some(({ path }) => path === file.path)) files.push(file);
        else {
          const bytes = await readIfThere(snapshot, name, file.path);
          if (bytes !== null) files.push({ path: file.path, size: bytes.length, sha256: nodeSha256(bytes) });
        }
      }
      if (files.reduce((sum, { size }) => sum + size, 0) > SKILL_LIMITS.bytes) return null;
      return {
        digests: new Map(files.map(({ path, sha256 }) => [path, `sha256:${sha256}`])),
        resources: files.map(({ path, size, sha256 }) => ({
          uri: uriOf(name, path),
          digest: `sha256:${sha256}`,
          size,
        })),
      };
    } catch (error) {
      if (error instanceof TechneError && (error.code === 'DIGEST_LIMIT' || error.code === 'FILE_DENIED'))
        return null;
      throw error;
    }
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, this.#options.onBug);
    }
  }
}

/** Codes for paths that are not files of the skill; the client learns only that. */
const absent: ReadonlySet<ErrorCode> = new Set(['FILE_MISSING', 'FILE_DENIED', 'PATH_UNSAFE']);

async function readIfThere(snapshot: SkillReads, name: string, path: string): Promise<Uint8Array | null> {
  try {
    return await snapshot.readFile(name, path);
  } catch (error) {
    if (error instanceof TechneError && absent.has(error.code)) return null;
    throw error;
  }
}

function uriOf(name: string, path: string): string {
  return `skill://${encodeURIComponent(name)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function placeOf(uri: string): { readonly name: string; readonly path: string } | null {
  try {
    const { protocol, host, pathname, search } = new URL(uri);
    if (protocol !== 'skill:' || search !== '') return null;
    const segments = pathname.slice(1).split('/').map(decodeURIComponent);
    if (
      segments.some(
        (segment) =>
          segment === '' ||
          segment === '.' ||
          segment === '..' ||
          segment.includes('/') ||
          segment.includes('\0'),
      )
    )
      return null;
    return { name: decodeURIComponent(host), path: segments.join('/') };
  } catch (error) {
    // Not a URI, or a broken escape in it.
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  }
}

function pageOf(
  names: readonly string[],
  cursor: string | undefined,
  size: number,
): { readonly page: readonly string[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const left = names.filter((name) => name > after);
  const page = left.slice(0, size);
  const last = page.at(-1);
  return last === undefined || left.length <= page.length
    ? { page }
    : { page, nextCursor: Buffer.from(`after:${last}`).toString('base64url') };
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith('after:')) throw new TechneError('USAGE', 'the cursor is not from this server');
  return text.slice('after:'.length);
}

/** A file is text only if it round-trips byte for byte. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const mimeTypes: { readonly [extension: string]: string } = {
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  py: 'text/x-python',
  sh: 'application/x-sh',
  star: 'text/x-starlark',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/typescript',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

function mimeTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mimeTypes, extension) ? (mimeTypes[extension] as string) : 'application/octet-stream';
}
