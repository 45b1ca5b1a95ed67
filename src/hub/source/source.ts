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
      /** A branch, tag or full commit id, with slashes perhaps; `null`: the default branch. */
      readonly ref: string | null;
      /** A folder inside the repository. */
      readonly path: string | null;
      /**
       * What follows `/tree/` in an address: a ref and then perhaps a folder, decoded. Only the refs of the repository tell where
       * one ends. `ref` and `path` are null with it.
       */
      readonly treePath: string | null;
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
      /** A version, a range or a tag; `null`: the tag `latest`. */
      readonly range: string | null;
      readonly skills: readonly string[];
    }
  | {
      readonly kind: 'well-known';
      /** The address of a site, of a folder of it, or of an index itself. */
      readonly url: string;
      readonly skills: readonly string[];
    }
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
      /** The address of the index. */
      readonly index: string;
      /** The address of the artifact; of the folder of the skill for an index of v0.1. */
      readonly url: string;
      /** Of the artifact; of all files for v0.1 (fetch/well-known/). */
      readonly digest: string;
      readonly version: string | null;
      readonly publishedAt: string | null;
      readonly publisher: Publisher | null;
    }
  | {
      readonly kind: 'mcp';
      readonly server: string;
      /** Of the SKILL.md. */
      readonly uri: string;
      /** Of the manifest of its files (skill/resources.ts). */
      readonly digest: string;
    };

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
  /**
   * Files of the folder that are no part of a skill (`isExcluded` of skill/resources.ts), such as `__pycache__`. They are never
   * installed; other installers count them in the hash of the folder. Nothing of `.git` and `node_modules`.
   */
  readonly leftOut: ReadonlyMap<string, FetchedFile>;
  /** Inside its folder; paths as in the source. */
  readonly refused: readonly RefusedEntry[];
}

/** What a plugin brings besides skills: shown, never enabled. */
export interface PluginPart {
  readonly kind: 'hook' | 'mcp-server' | 'command' | 'agent' | 'other';
  readonly path: string;
  readonly summary: string;
}

export interface Fetched {
  /** In the order in which they were found; their names differ. */
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
