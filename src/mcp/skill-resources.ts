// The skills of a snapshot, as the Skills extension of MCP serves them (SEP-2640).
//
//   skill://NAME/SKILL.md   skill://NAME/references/guide.md
//
// S1. Only skills that the model may load are served; the others are not there.
// S2. Each file comes with its digest and size, and what is read is compared with them: a client never gets other bytes
//     than were listed.
// S3. A skill that the extension cannot describe (a name, a frontmatter or a size outside its rules) is left out of the
//     list, with a warning; the tools give it all the same.
// S4. Digests take reading every file, so they are made page by page and kept while the snapshot lasts.
import { SKILL_LIMITS, SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Skill as SkillEntry, SkillReadResult } from '@modelcontextprotocol/server/ext/skills';
import type { Resource } from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { nodeSha256 } from '../host/node-environment.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { SkillShelf } from './skill-shelf.ts';
import type { OnBug } from './translate-error.ts';
import { protocolError } from './translate-error.ts';

export interface SkillResourcesOptions {
  readonly shelf: SkillShelf;
  /** Names of the skills that are served, in order (S1). */
  readonly names: () => Promise<readonly string[]>;
  readonly onWarning: (message: string) => void;
  readonly onBug: OnBug;
}

const pageSize = 100;
/** `resources/list` has no pages here; the extension's own list has. */
const maxListed = 1_000;
const nameRule = /^[\da-z]+(?:-[\da-z]+)*$/;

export function createSkillResources(options: SkillResourcesOptions): SkillsExtension {
  return new SkillsExtension({ source: new SkillResources(options), onWarning: ({ path, message }) => options.onWarning(`${path}: ${message}`) });
}

interface Described {
  readonly entry: SkillEntry;
  readonly digests: ReadonlyMap<string, string>;
}

class SkillResources {
  readonly #options: SkillResourcesOptions;
  readonly #described = new WeakMap<Snapshot, Map<string, Promise<Described | null>>>();

  constructor(options: SkillResourcesOptions) {
    this.#options = options;
  }

  list({ cursor }: { cursor?: string }): Promise<{ skills: SkillEntry[]; nextCursor?: string }> {
    return this.#told(async () => {
      const names = await this.#options.names();
      const after = cursor === undefined ? '' : readCursor(cursor);
      const left = names.filter((name) => name > after);
      const page = left.slice(0, pageSize);
      const skills: SkillEntry[] = [];
      for (const name of page) {
        const described = await this.#describe(name);
        if (described !== null) skills.push(described.entry);
      }
      const last = page.at(-1);
      return last === undefined || left.length <= page.length ? { skills } : { skills, nextCursor: Buffer.from(`after:${last}`).toString('base64url') };
    });
  }

  get(uri: string): Promise<SkillEntry | undefined> {
    return this.#told(async () => {
      const place = placeOf(uri);
      if (place === null || place.path !== 'SKILL.md' || !(await this.#isServed(place.name))) return undefined;
      return (await this.#describe(place.name))?.entry;
    });
  }

  read(uri: string): Promise<SkillReadResult | undefined> {
    return this.#told(async () => {
      const place = placeOf(uri);
      if (place === null || !(await this.#isServed(place.name))) return undefined;
      const { name, path } = place;
      const digest = (await this.#describe(name))?.digests.get(path);
      if (digest === undefined) return undefined;
      const bytes = await this.#options.shelf.state.snapshot.readFile(name, path);
      if (`sha256:${nodeSha256(bytes)}` !== digest) throw new TechneError('STALE', `"${path}" of the skill "${name}" has changed since it was listed`, { hint: 'list the skills again' });
      const mimeType = mimeTypeOf(path);
      const text = decoded(bytes);
      return text === null ? { bytes, mimeType } : { text, mimeType };
    });
  }

  listResources(): Promise<Resource[]> {
    return this.#told(async () => {
      const { snapshot } = this.#options.shelf.state;
      const names = (await this.#options.names()).filter((name) => nameRule.test(name) && name.length <= 64);
      return names.slice(0, maxListed).map((name) => ({ uri: uriOf(name, 'SKILL.md'), name, description: printableLine(snapshot.get(name).description).slice(0, 1_024), mimeType: 'text/markdown' }));
    });
  }

  async #isServed(name: string): Promise<boolean> {
    return (await this.#options.names()).includes(name);
  }

  /** S3, S4. */
  #describe(name: string): Promise<Described | null> {
    const { snapshot } = this.#options.shelf.state;
    const known = this.#described.get(snapshot) ?? new Map<string, Promise<Described | null>>();
    this.#described.set(snapshot, known);
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = this.#make(snapshot, name).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      this.#options.onWarning(`the skill "${printableLine(name)}" is not served as a resource: ${printableLine(error.message)}`);
      return null;
    });
    known.set(name, made);
    return made;
  }

  async #make(snapshot: Snapshot, name: string): Promise<Described> {
    const { files } = await snapshot.manifest(name);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (files.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes) throw new Error(`it has ${files.length} files and ${bytes} bytes, over ${SKILL_LIMITS.files} or ${SKILL_LIMITS.bytes}`);
    const { frontmatter } = await skillEntry(name, { 'SKILL.md': await snapshot.readFile(name, 'SKILL.md') });
    const resources = files.map(({ path, size, sha256 }) => ({ uri: uriOf(name, path), digest: `sha256:${sha256}`, size }));
    return { entry: { uri: uriOf(name, 'SKILL.md'), frontmatter, resources }, digests: new Map(files.map(({ path, sha256 }) => [path, `sha256:${sha256}`])) };
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, this.#options.onBug);
    }
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
    if (segments.some((segment) => segment === '' || segment === '.' || segment === '..' || segment.includes('/') || segment.includes('\0'))) return null;
    return { name: decodeURIComponent(host), path: segments.join('/') };
  } catch (error) {
    // No address at all, or a broken escape in one.
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  }
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
  md: 'text/markdown', txt: 'text/plain', json: 'application/json', yaml: 'application/yaml', yml: 'application/yaml', py: 'text/x-python', sh: 'application/x-sh', star: 'text/x-starlark',
  js: 'text/javascript', mjs: 'text/javascript', ts: 'text/typescript', html: 'text/html', css: 'text/css', csv: 'text/csv', xml: 'application/xml', svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', pdf: 'application/pdf',
};

function mimeTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mimeTypes, extension) ? (mimeTypes[extension] as string) : 'application/octet-stream';
}
