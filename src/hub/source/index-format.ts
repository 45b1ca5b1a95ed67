// The index of skills that a web site publishes.
//
//   /.well-known/agent-skills/index.json   v0.2: name, type, description, url, digest
//   /.well-known/skills/index.json         v0.1: name, description, files; no digests
//
// The optional fields are ours and ignored by other readers: versions that stay available, and signatures. A digest is that
// of the raw bytes of the artifact. A signature covers `signedText`, so it stays valid wherever the artifact is served.

/** Compared, never fetched. */
export const indexSchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

export const indexPaths = {
  v2: '.well-known/agent-skills/index.json',
  v1: '.well-known/skills/index.json',
} as const;

export interface IndexSignature {
  readonly algorithm: 'ed25519';
  /** `sha256:` and 64 hex digits of the raw public key. */
  readonly keyId: string;
  /** The public key, 32 bytes in base64. It proves nothing by itself: the person trusts keys by their id. */
  readonly publicKey: string;
  /** 64 bytes in base64, over the UTF-8 of `signedText`. */
  readonly value: string;
}

/** One published version of a skill; its bytes never change. */
export interface IndexVersion {
  readonly version: string;
  readonly url: string;
  readonly digest: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly signature?: IndexSignature;
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
  readonly publishedAt?: string;
  readonly signature?: IndexSignature;
  /** All versions, this one included, newest first. */
  readonly versions?: readonly IndexVersion[];
}

export interface SkillIndex {
  readonly $schema: typeof indexSchema;
  readonly skills: readonly IndexSkill[];
}

/** An entry of v0.1: `files` are at `<name>/<file>` beside the index. */
export interface IndexSkillV1 {
  readonly name: string;
  readonly description: string;
  readonly files: readonly string[];
}

/** What a signature covers. */
export interface SignedContent {
  readonly name: string;
  /** '' for an entry without a version. */
  readonly version: string;
  /** Of the artifact, `sha256:` and 64 hex digits. */
  readonly digest: string;
}

export function signedText({ name, version, digest }: SignedContent): string {
  return `techne-skill-signature 1\n${name}\n${version}\n${digest}\n`;
}
