// The bodies that a session has loaded, and how much more it may load.
//
//   preloaded       part of the prompt: free
//   on demand       at most `activations` different skills, and within `capTokens`
//   auto-suggested  given by the host: within `capTokens`, not among the activations
//   by a person     `/name`, or a mention: always given, and counted in the tokens
//
// Each skill counts once: a body that was lost to compaction is given again without counting again. A refusal counts
// nothing and names what is spent, on what, and what can be done. A pointer to a body is right only while the same
// version of it is in the conversation. A session is warned once, when its bodies reach `warnTokens`.

interface LedgerLimits {
  /** Default: 3. */
  readonly activations: number;
  /** Default: 10,000. */
  readonly warnTokens: number;
  /** Default: 30,000. */
  readonly capTokens: number;
}

export const defaultLedgerLimits: LedgerLimits = { activations: 3, warnTokens: 10_000, capTokens: 30_000 };

/** `explicit`: the model asked for it. */
export type ActivationKind = 'explicit' | 'suggested' | 'person';

interface Activation {
  kind: ActivationKind;
  version: string;
  tokens: number;
  inContext: boolean;
}

interface LedgerState {
  readonly preloaded: readonly string[];
  /** In the order of loading. */
  readonly activated: readonly {
    readonly name: string;
    readonly kind: ActivationKind;
    readonly tokens: number;
    readonly inContext: boolean;
  }[];
  readonly explicit: number;
  readonly tokens: number;
}

/** Which bodies are before the model of a session, and what they cost. */
export class ActivationLedger {
  readonly limits: LedgerLimits;
  readonly #preloaded = new Map<string, string>();
  readonly #activated = new Map<string, Activation>();
  readonly #onWarning: (message: string) => void;
  #warned = false;

  constructor(limits: Partial<LedgerLimits> = {}, onWarning: (message: string) => void = () => {}) {
    this.limits = { ...defaultLedgerLimits, ...limits };
    this.#onWarning = onWarning;
  }

  /** Whether this body is new: it is reported once. */
  preload(name: string, version: string): boolean {
    const isNew = this.#preloaded.get(name) !== version;
    this.#preloaded.set(name, version);
    return isNew;
  }

  /** Others than these are no longer in the prompt. */
  keepPreloaded(names: ReadonlySet<string>): void {
    for (const name of this.#preloaded.keys()) if (!names.has(name)) this.#preloaded.delete(name);
  }

  isPreloaded(name: string): boolean {
    return this.#preloaded.has(name);
  }

  /** Whether this body was loaded and not forgotten since. */
  isLoaded(name: string, version: string): boolean {
    const known = this.#activated.get(name);
    return known !== undefined && known.inContext && known.version === version;
  }

  /** Whether a body of the skill has been before the model in this session, also one that is gone by now. */
  wasGiven(name: string): boolean {
    return this.#preloaded.has(name) || this.#activated.has(name);
  }

  /** Whether some body of the skill is before the model. */
  isActive(name: string): boolean {
    return this.#preloaded.has(name) || this.#activated.get(name)?.inContext === true;
  }

  /** Why the body cannot be loaded, or `null`. */
  refusal(name: string, tokens: number, kind: ActivationKind): string | null {
    if (kind === 'person') return null;
    const { activations, capTokens } = this.limits;
    const known = this.#activated.get(name);
    const { explicit, tokens: spent } = this.state();
    if (kind === 'explicit' && known === undefined && explicit + 1 > activations) {
      return `the activation budget is spent: ${explicit} of ${activations} skills are loaded in this session (${this.#names('explicit')}). Work with those, or read single files with skill_read.`;
    }
    const total = spent - (known?.tokens ?? 0) + tokens;
    if (total <= capTokens) return null;
    return `the activation budget is spent: ${quotedName(name)} has about ${tokens} tokens, which would bring the loaded skills to ${total} of ${capTokens} (${this.#names()}). Read the parts you need with skill_read.`;
  }

  /** `refusal` was asked before. */
  record(name: string, version: string, tokens: number, kind: ActivationKind): void {
    const known = this.#activated.get(name);
    this.#activated.set(name, { kind: known?.kind ?? kind, version, tokens, inContext: true });
    const { tokens: spent } = this.state();
    if (this.#warned || spent < this.limits.warnTokens) return;
    this.#warned = true;
    this.#onWarning(
      `the skills loaded in this session have about ${spent} tokens; from ${this.limits.capTokens} on no further skill is loaded`,
    );
  }

  /** The body is no longer before the model: it can be loaded again. */
  forget(name: string): void {
    const known = this.#activated.get(name);
    if (known !== undefined) known.inContext = false;
  }

  forgetAll(): void {
    for (const name of this.#activated.keys()) this.forget(name);
  }

  state(): LedgerState {
    const activated = [...this.#activated].map(([name, { kind, tokens, inContext }]) => ({
      name,
      kind,
      tokens,
      inContext,
    }));
    return {
      preloaded: [...this.#preloaded.keys()],
      activated,
      explicit: activated.filter(({ kind }) => kind === 'explicit').length,
      tokens: activated.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  /** Those that the figure before them counts: of one kind, or all. */
  #names(kind: ActivationKind | null = null): string {
    const names = [...this.#activated]
      .filter(([, activation]) => kind === null || activation.kind === kind)
      .map(([name]) => name);
    return names.length === 0 ? 'none yet' : `loaded: ${names.join(', ')}`;
  }
}

function quotedName(name: string): string {
  return JSON.stringify(name);
}
