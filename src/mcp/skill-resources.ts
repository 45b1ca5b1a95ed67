// The skills of a snapshot, as the Skills extension of MCP serves them (SEP-2640).
//
//   skill://NAME/SKILL.md   skill://NAME/references/guide.md
//
// S1. Only skills that the model may load are served; the others are not there.
// S2. Each file comes with its digest and size, and what is read is compared with them: a client never gets other bytes
//     than were listed.
// S3. Every skill that is served is in both lists, and what is listed can be read. What the extension does not take of a
//     frontmatter is put in other words in its entry (entry-frontmatter.ts), while the file stays as it is. Only a name
//     outside its rules keeps a skill out of `skills/list`, and too many or too large files leave an entry without digests
//     ("dynamic").
// S4. Digests take reading every file, so they are made page by page and kept while the snapshot lasts.
// S5. A link is described by what is read through it; one that leads nowhere, or out of the skill, is not there.
// S6. Of a stranger's skill both lists show its name and one short line (prompt/skill-session.ts, S6); whoever reads the file reads
//     all of it.
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

/** What is said of a skill before it is read. */
export interface ServedSkill {
  readonly description: string;
  readonly isUntrusted: boolean;
}

export interface ServedSkills {
  readonly snapshot: SkillReads;
  /** By name, in order (S1). What is said of them holds for this snapshot. */
  readonly skills: ReadonlyMap<string, ServedSkill>;
}

export interface SkillResourcesOptions {
  readonly served: () => Promise<ServedSkills>;
  readonly onWarning: (message: string) => void;
  readonly onBug: OnBug;
}

const maxDescriptionUnits = 1_024;
/** Entries take reading every file; what `resources/list` says is known already. */
const pageSize = { skills: 100, resources: 500 };

export interface ServedResources {
  /** Before it is connected. */
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
      // The extension's own list of resources has no pages.
      mcp.server.setRequestHandler('resources/list', ({ params }) => source.resourcePage(params?.cursor));
    },
  };
}

interface Described {
  /** `null` where the extension has no room for its name (S3). */
  readonly entry: SkillEntry | null;
  /** `null`: none are promised. */
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
      // What a digest is promised for is all there is, unless none is.
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

  /** S3: nothing is read for it. */
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

  /** S6. `undefined` for what is not served, or has none. */
  async #entry({ snapshot, skills }: ServedSkills, name: string): Promise<SkillEntry | undefined> {
    const skill = skills.get(name);
    const entry = skill === undefined ? null : ((await this.#describe(snapshot, name))?.entry ?? null);
    if (skill === undefined || entry === null) return undefined;
    return skill.isUntrusted
      ? { ...entry, frontmatter: untrustedFrontmatter({ name, description: skill.description }) }
      : entry;
  }

  /** S3, S4. `null` for what cannot be read. */
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

  /** `null` where there is too much to be described (S3). */
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

/** Codes of what is no file of the skill: whoever asks for it learns nothing else. */
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
    // No address at all, or a broken escape in one.
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
  if (!text.startsWith('after:')) throw new TechneError('USAGE', 'the cursor is none that this server gave');
  return text.slice('after:'.length);
}

/** Only what can be given back byte by byte is text. */
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
