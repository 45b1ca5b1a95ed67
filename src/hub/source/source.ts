// Where skills come from, and what was brought from there.
//
//   text of a person -> Source -> fetch -> Fetched { resolved, files in memory } -> SkillPackage[]
//
// Nothing of a source touches the disk outside a private temporary folder before it was scanned and consented to: a fetched
// tree is held in memory, bounded. A `Resolved` names content that cannot change: a commit, an integrity, a digest.

/** What a person wrote, understood. Nothing is fetched yet. */
export type Source =
  | { readonly kind: 'folder'; readonly path: string; readonly skills: readonly string[] }
  | {
      readonly kind: 'git';
      readonly url: string;
      /** A branch, tag or full commit id; `null`: the default branch. */
      readonly ref: string | null;
      /** A folder inside the repository. */
      readonly path: string | null;
      /** `owner/repo@skill`: only these skills. */
      readonly skills: readonly string[];
    }
  | {
      readonly kind: 'archive';
      /** An absolute path, or an https address. */
      readonly location: string;
      /** `sha256:…` that the bytes must have, where the person gave one. */
      readonly digest: string | null;
      readonly skills: readonly string[];
    }
  | {
      readonly kind: 'npm';
      readonly name: string;
      readonly range: string | null;
      readonly skills: readonly string[];
    }
  | { readonly kind: 'well-known'; readonly url: string; readonly skills: readonly string[] }
  | {
      readonly kind: 'mcp';
      /** The name of a configured server, or an https address. */
      readonly server: string;
      readonly skills: readonly string[];
    };

/** The content that a source had: asking for it again gives the same bytes, or fails. */
export type Resolved =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'git';
      readonly url: string;
      readonly ref: string | null;
      readonly commit: string;
      readonly path: string | null;
      readonly committedAt: string | null;
    }
  | { readonly kind: 'archive'; readonly location: string; readonly digest: string }
  | {
      readonly kind: 'npm';
      readonly name: string;
      readonly version: string;
      readonly integrity: string;
      readonly tarball: string;
      readonly publishedAt: string | null;
    }
  | {
      readonly kind: 'well-known';
      readonly url: string;
      readonly digest: string;
      readonly version: string | null;
      readonly publisher: Publisher | null;
    }
  | { readonly kind: 'mcp'; readonly server: string; readonly uri: string; readonly digest: string };

/** Who signed an index, as verified against a key. */
export interface Publisher {
  readonly keyId: string;
  /** The name the person gave the key when they trusted it; `null`: the key is not trusted. */
  readonly trustedAs: string | null;
}

export interface FetchedFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Something of the source that is not taken, and why: a link, a special file, a name that collides. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

/** A skill folder of a source, before anything was judged. */
export interface SkillPackage {
  /** The name it would be installed by. */
  readonly name: string;
  readonly resolved: Resolved;
  /** Path of its folder inside the source, '' for the root. */
  readonly path: string;
  /** Relative to the skill folder, with `/`. */
  readonly files: ReadonlyMap<string, FetchedFile>;
  readonly refused: readonly RefusedEntry[];
}

/** What a plugin brings besides skills: shown, never enabled. */
export interface PluginPart {
  readonly kind: 'hook' | 'mcp-server' | 'command' | 'agent' | 'other';
  readonly path: string;
  readonly summary: string;
}

export interface Fetched {
  readonly packages: readonly SkillPackage[];
  readonly pluginParts: readonly PluginPart[];
  /** What is not a skill but was looked at and passed over, with the reason. */
  readonly refused: readonly RefusedEntry[];
}

/** Told while something is fetched. */
export interface Progress {
  readonly phase: 'resolve' | 'download' | 'unpack' | 'scan' | 'install';
  readonly what: string;
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
}
