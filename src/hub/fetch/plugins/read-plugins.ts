// The manifests of plugins and marketplaces in a source -> where their skills are, and what else they bring.
//
//   .claude-plugin/marketplace.json   .agents/plugins/marketplace.json   -> folders of plugins
//   plugin.json   .codex-plugin/ .claude-plugin/ .cursor-plugin/plugin.json   gemini-extension.json -> one plugin
//
// Only skills are taken. Hooks, servers, commands and agents are listed as parts for the person to see, and never enabled. A
// plugin that lies elsewhere is listed with how to add it, and not fetched. Paths that leave the source are refused.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { isSafeRelativePath } from '../../../skill/resources.ts';
import { show } from '../../source/git-words.ts';
import type { PluginPart, RefusedEntry } from '../../source/source.ts';
import { joined } from '../find-skills.ts';
import { textField, untrustedJson } from '../read-json.ts';
import { partsOfFiles, partsOfManifest } from './plugin-parts.ts';

export interface FoundPlugins {
  /** Of skills, or of folders of skills; as the manifests name them. */
  readonly folders: readonly string[];
  readonly parts: readonly PluginPart[];
  readonly refused: readonly RefusedEntry[];
}

const marketplaces = ['.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json'] as const;
/** The first that is there counts, as for Codex. */
const manifests = [
  'plugin.json',
  '.codex-plugin/plugin.json',
  '.claude-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'gemini-extension.json',
] as const;
const maxPlugins = 500;
const maxParts = 1_000;

type ReadText = (path: string) => Promise<string | null>;

export async function readPlugins(
  paths: Iterable<string>,
  root: string,
  readText: ReadText,
): Promise<FoundPlugins> {
  const all = new Set(paths);
  const reader = new PluginReader(all, root, readText);
  for (const name of marketplaces) await reader.marketplace(joined(root, name));
  await reader.plugin(root, null);
  return reader.found();
}

class PluginReader {
  readonly #folders = new Set<string>();
  readonly #parts: PluginPart[] = [];
  readonly #refused: RefusedEntry[] = [];
  readonly #read = new Set<string>();
  readonly #paths: ReadonlySet<string>;
  readonly #root: string;
  readonly #readText: ReadText;

  constructor(paths: ReadonlySet<string>, root: string, readText: ReadText) {
    this.#paths = paths;
    this.#root = root;
    this.#readText = readText;
  }

  found(): FoundPlugins {
    return { folders: [...this.#folders], parts: this.#parts.slice(0, maxParts), refused: this.#refused };
  }

  async marketplace(path: string): Promise<void> {
    const manifest = await this.#manifest(path);
    if (manifest === null) return;
    const { plugins } = manifest;
    if (!Array.isArray(plugins)) {
      this.#refuse(path, 'it has no list of plugins');
      return;
    }
    if (plugins.length > maxPlugins)
      this.#refuse(path, `it lists more than ${maxPlugins} plugins; the others are passed over`);
    const base = isJsonObject(manifest['metadata'])
      ? (textField(manifest['metadata'], 'pluginRoot') ?? '')
      : '';
    for (const plugin of (plugins as readonly Json[]).slice(0, maxPlugins)) {
      if (!isJsonObject(plugin)) this.#refuse(path, 'one of its plugins is not an object');
      else await this.#listed(path, base, plugin);
    }
  }

  async #listed(path: string, base: string, plugin: JsonObject): Promise<void> {
    const source = sourceOf(plugin['source']);
    const name = textField(plugin, 'name') ?? '?';
    if (source.kind === 'elsewhere') {
      this.#parts.push({
        kind: 'other',
        path,
        summary: `the plugin "${show(name)}" lies elsewhere: ${source.summary}`,
      });
      return;
    }
    const folder = this.#inside(this.#root, `${base}/${source.path}`);
    if (folder === null)
      this.#refuse(
        path,
        `the plugin "${show(name)}" has the path "${show(source.path)}", which leaves the source`,
      );
    else await this.plugin(folder, { entry: plugin, path });
  }

  /** `listed`: the entry of a marketplace, which is a manifest too. */
  async plugin(
    folder: string,
    listed: { readonly entry: JsonObject; readonly path: string } | null,
  ): Promise<void> {
    if (listed !== null) {
      this.#skillsOf(folder, listed.entry, listed.path);
      this.#parts.push(...partsOfManifest(listed.entry, listed.path));
    }
    const place = manifests.map((name) => joined(folder, name)).find((path) => this.#paths.has(path));
    if (this.#read.has(folder) || (place === undefined && listed === null)) return;
    this.#read.add(folder);
    const manifest = place === undefined ? null : await this.#manifest(place);
    // Other programs have a plugin.json too.
    if (listed === null && (manifest === null || textField(manifest, 'name') === null)) return;
    this.#folders.add(joined(folder, 'skills'));
    if (manifest !== null && place !== undefined) {
      // The format of Agent Plugins has one place for skills; a key "skills" means nothing there.
      if (!isAgentPlugin(manifest)) this.#skillsOf(folder, manifest, place);
      this.#parts.push(...partsOfManifest(manifest, place));
    }
    const texts = (path: string): Promise<string | null> => this.#readText(path);
    this.#parts.push(...(await partsOfFiles(this.#paths, folder, texts)));
  }

  #skillsOf(folder: string, manifest: JsonObject, path: string): void {
    const { skills } = manifest;
    const named =
      typeof skills === 'string' ? [skills] : Array.isArray(skills) ? (skills as readonly Json[]) : [];
    for (const each of named.slice(0, maxParts)) {
      const place = typeof each === 'string' ? this.#inside(folder, each) : null;
      if (place === null)
        this.#refuse(path, `"skills" names ${show(JSON.stringify(each))}, which is no folder of the plugin`);
      else this.#folders.add(place);
    }
  }

  async #manifest(path: string): Promise<JsonObject | null> {
    if (!this.#paths.has(path)) return null;
    const text = await this.#readText(path);
    const value = text === null ? undefined : untrustedJson(text);
    if (value !== undefined && isJsonObject(value)) return value;
    this.#refuse(path, text === null ? 'it is too large to be a manifest' : 'it is not a JSON object');
    return null;
  }

  /** The folder `path` of `folder`; `null` when it leaves the source. */
  #inside(folder: string, path: string): string | null {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    const plain = parts.join('/');
    if (path.startsWith('/') && parts.length > 0 && !path.startsWith('/.')) return null;
    return plain === '' || isSafeRelativePath(plain) ? joined(folder, plain) : null;
  }

  #refuse(path: string, reason: string): void {
    this.#refused.push({ path, reason });
  }
}

function isAgentPlugin(manifest: JsonObject): boolean {
  return /agent-?plugins/i.test(textField(manifest, '$schema') ?? '');
}

type PluginSource =
  | { readonly kind: 'here'; readonly path: string }
  | { readonly kind: 'elsewhere'; readonly summary: string };

function sourceOf(source: Json | undefined): PluginSource {
  if (source === undefined || source === null) return { kind: 'here', path: '' };
  if (typeof source === 'string') return { kind: 'here', path: source };
  const object = isJsonObject(source) ? source : {};
  const text = (key: string): string => show(textField(object, key) ?? '');
  const pin = text('sha') === '' ? text('ref') : text('sha');
  const ref = pin === '' ? '' : `#${pin}`;
  switch (text('source')) {
    case 'local':
      return { kind: 'here', path: textField(object, 'path') ?? '' };
    case 'github':
      return { kind: 'elsewhere', summary: `add it with "techne add ${text('repo')}${ref}"` };
    case 'npm':
      return {
        kind: 'elsewhere',
        summary: `add it with "techne add npm:${text('package')}${text('version') === '' ? '' : `@${text('version')}`}"`,
      };
    case 'url':
    case 'git-subdir':
      return { kind: 'elsewhere', summary: `add it with "techne add ${text('url')}${ref}"` };
    default:
      return { kind: 'elsewhere', summary: 'its source is of a kind that is not known' };
  }
}
