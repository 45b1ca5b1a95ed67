// The result of matching: which skills a message asks for, with a confidence and a reason each.
//
//   message + skills -> explicit mentions -> trigger phrases -> lexical (+ semantic) ranking -> abstain? -> MatchResult
//
// A match only suggests and never activates or executes a skill. The same message and skills give the same result in
// the same order. Every match and every abstention has a reason that a person can read.

/** How it was found: named, by a trigger phrase, or by ranking. */
export type MatchMode = 'explicit' | 'trigger' | 'lexical' | 'semantic' | 'fused';

/** A skill that a message asks for. */
export interface Match {
  readonly skill: string;
  readonly mode: MatchMode;
  /** How sure it is, 0 to 1: comparable between messages, and between modes. */
  readonly confidence: number;
  /** What a trigger phrase extracted, by variable. */
  readonly variables: { readonly [name: string]: string };
  /** A trigger of it is in the message, and may not be meant: it is suggested for its words. */
  readonly demoted?: true;
  /** Such as `matches the trigger "review {pr}"`. */
  readonly reason: string;
  /** Only where `explains` was asked for. @internal */
  readonly signs?: MatchSigns;
}

/** What in a message speaks for a skill, or against it: for people who look closely. */
export interface MatchSigns {
  /** By place; of a message that is read in part only, none. */
  readonly spans: readonly MatchSpan[];
  readonly trigger: string | null;
  /** What holds or demotes that trigger. */
  readonly guard: {
    readonly kind: string;
    readonly outcome: 'held' | 'demoted';
    readonly reason: string;
  } | null;
  /** Words of the message that the skill has, the most telling first. */
  readonly words: readonly SharedSign[];
}

/** A stretch of the message, by code units: a name that calls, the words of a trigger, the value of a variable. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
  readonly what: 'name' | 'trigger' | 'variable';
  /** Of a variable. */
  readonly name: string | null;
}

export interface SharedSign {
  readonly word: string;
  /** What the skill has in its stead. */
  readonly synonym: string | null;
  readonly place: 'name' | 'triggers' | 'description' | 'body';
  /** Why the word asks for nothing, such as `"do not" refuses it`; null where it counts. */
  readonly kept: string | null;
}

/** A message calls a skill that is not there, and this one was most likely meant. */
export interface Misspelt {
  readonly written: string;
  readonly meant: string;
}

/** Which skills a message asks for, or why none. */
export interface MatchResult {
  /** Best first. */
  readonly matches: readonly Match[];
  /** Why nothing is suggested, although something ranks; null when something is, or nothing does. */
  readonly abstained: string | null;
  /** Skills below the threshold, best first: for `--explain` and other displays of candidates. */
  readonly candidates: readonly Match[];
  /** Only where no skill is called by name and one was meant to be. */
  readonly misspelt?: Misspelt;
  /** A skill that is called by name, is there, and cannot be used. */
  readonly unready?: { readonly skill: string; readonly reason: string };
}

/** A skill as matching sees it. */
export interface MatchDocument {
  readonly name: string;
  readonly description: string;
  readonly triggers: readonly string[];
  /** Titles of sections with their text; '' is what comes before the first. */
  readonly sections: readonly { readonly title: string; readonly text: string }[];
  /** Larger goes first among equals (`meta_priority`). */
  readonly priority: number;
  /** Who may start it. Default: both. What the model may not is never suggested and competes with nothing: it is only called by name. */
  readonly invocation?: { readonly user: boolean; readonly model: boolean };
}

/** Finds the skills that a message asks for, among those of one snapshot. */
export interface Matcher {
  /** `offers`: the skills that take part, as if there were no others; the same function each time. Default: all. */
  match(
    message: string,
    options: {
      readonly limit: number;
      readonly offers?: (name: string) => boolean;
      /** Whether matches and candidates have `signs`. Default: false. */
      readonly explains?: boolean;
    },
  ): MatchResult | Promise<MatchResult>;
}
