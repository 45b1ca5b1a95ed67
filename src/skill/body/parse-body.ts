// SKILL.md text -> SkillBody: the Markdown after the frontmatter, its sections, input keys and references.
//
// The body starts after the closing fence, without leading line ends (S2), so that its version does not depend on blank
// lines there. Without frontmatter the whole text is the body. The text is verbatim, whatever its line ends are.
import { estimateTokens } from './estimate-tokens.ts';
import { findReferences } from './find-references.ts';
import { parseInputKeys } from './input-keys.ts';
import { withLineFeeds } from '../frontmatter/line-ends.ts';
import { parseSections } from './sections.ts';
import { splitFrontmatter } from '../frontmatter/split-frontmatter.ts';
import type { SkillBody } from '../types.ts';
import type { Sha256 } from '../../ports/environment.ts';

/** The offset at which the body of a whole SKILL.md starts. */
export function bodyStartOf(source: string): number {
  const text = withLineFeeds(source);
  const parts = splitFrontmatter(text, () => undefined, { complete: true });
  let at =
    typeof parts === 'object' && parts !== null ? parts.bodyStart : text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length && (text[at] === '\n' || text[at] === '\r')) at += 1;
  return at;
}

export function parseBody(text: string): SkillBody {
  const verbatim = text.slice(bodyStartOf(text));
  const body = withLineFeeds(text).slice(text.length - verbatim.length);
  return {
    text: verbatim,
    sections: parseSections(body),
    inputKeys: parseInputKeys(body),
    estimatedTokens: estimateTokens(body),
    references: [...new Set(findReferences(body).map((reference) => reference.path))],
  };
}

/** The first 16 hex digits of the SHA-256 of `body`. */
export function bodyVersion(body: string, sha256: Sha256): string {
  return sha256(body).slice(0, 16);
}
