// What the index of the site is made with; reading it needs the same.
import type { Options } from 'minisearch';

export interface SearchSection {
  /** The address in the site. */
  readonly id: string;
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  readonly text: string;
}

export const searchOptions: Options<SearchSection> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
  // `disable-model-invocation`, `TAINT_PROMPT` and `skills.disabled` are found whole and by their parts.
  tokenize: (text) => text.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu)?.flatMap(withParts) ?? [],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    tokenize: (text) => text.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? [],
  },
};

function withParts(token: string): string[] {
  const parts = token.split(/[._-]/).filter((part) => part.length > 1);
  return parts.length > 1 ? [token, ...parts] : [token];
}
