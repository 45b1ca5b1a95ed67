// The index of skills that a web site publishes.
//
//   /.well-known/agent-skills/index.json   v0.2: name, type, description, url, digest
//   /.well-known/skills/index.json         v0.1: name, description, files; no digests
//
// The optional fields are ours and ignored by other readers: versions that stay available, a sequence number and one
// signature over the whole index. A digest is that of the raw bytes of the artifact. read-index.ts reads an index,
// hub/sign/verify-index.ts verifies its signature.

/** Compared, never fetched. */
export const indexSchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

export const indexPaths = {
  v2: '.well-known/agent-skills/index.json',
  v1: '.well-known/skills/index.json',
} as const;

/**
 * Over the UTF-8 of `techne-hub-index 1\n` and the canonical JSON of the index without `signature`. It lies in the index, so
 * that no reader sees a new index with an old signature.
 */
export interface IndexSignature {
  readonly algorithm: 'ed25519';
  /** `sha256:` and 64 hex digits of the raw public key. */
  readonly keyId: string;
  /** The public key, 32 bytes in base64. It proves nothing by itself: the person trusts keys by their id. */
  readonly publicKey: string;
  /** 64 bytes in base64. */
  readonly value: string;
}

/** One published version of a skill; its bytes never change. */
export interface IndexVersion {
  readonly version: string;
  readonly url: string;
  readonly digest: string;
  /** Of the manifest of the unpacked files (skill/resources.ts). */
  readonly tree?: string;
  /** Bytes of the artifact. */
  readonly size?: number;
  /** ISO 8601. */
  readonly publishedAt?: string;
}

/** An entry of v0.2. */
export interface IndexSkill {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly description: string;
  /** Relative to the address of the index. */
  readonly url: string;
  readonly digest: string;
  /** The version that `url` is. */
  readonly version?: string;
  readonly tree?: string;
  readonly size?: number;
  readonly publishedAt?: string;
  /** All versions, this one included, newest first. */
  readonly versions?: readonly IndexVersion[];
  /** The page for people, relative to the address of the index. */
  readonly page?: string;
  readonly license?: string;
  /** For search. */
  readonly triggers?: readonly string[];
}

export interface SkillIndex {
  readonly $schema: typeof indexSchema;
  /** The name of the hub, for people. */
  readonly title?: string;
  /** The address that it is meant to be served from. */
  readonly base?: string;
  /** Grows with every change, so that a signed index that is older than one seen before is recognised. */
  readonly sequence?: number;
  readonly skills: readonly IndexSkill[];
  readonly signature?: IndexSignature;
}

/** An entry of v0.1: `files` are at `<name>/<file>` beside the index. */
export interface IndexSkillV1 {
  readonly name: string;
  readonly description: string;
  readonly files: readonly string[];
}
