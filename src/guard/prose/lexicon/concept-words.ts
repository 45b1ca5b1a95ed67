// The words of one concept.

export interface ConceptWords {
  /** Base forms; the other forms are made from them. */
  readonly verbs?: string;
  /** As they stand, plural forms included by `s` where they are written with `(s)`. */
  readonly words?: string;
  /** Han texts, found without word boundaries. */
  readonly han?: string;
}

/** Entries are separated by `|`; an entry of several words is a phrase. */
export type Concepts = { readonly [concept: string]: ConceptWords };
