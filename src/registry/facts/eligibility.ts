// Whether what a skill requires is there.
//
//   Requires + environment + configuration -> Reason[]
//
// Each missing thing is one reason that names it, with the author's install hints if there are any. `allowed-tools` is a
// permission, not a requirement, and does not count here. Tools are checked only against a host that lists its tools.
import type { Config } from '../../config/types.ts';
import type { Environment } from '../../ports/environment.ts';
import type { Requires } from '../../skill/types.ts';
import type { Reason, ReasonCode } from '../types.ts';

export class Eligibility {
  readonly #environment: Environment;
  readonly #tools: ReadonlySet<string> | null;
  readonly #configured: ReadonlySet<string>;
  readonly #programs = new Map<string, boolean>();

  constructor(environment: Environment, config: Pick<Config, 'skills'>) {
    this.#environment = environment;
    this.#tools = config.skills.tools === null ? null : new Set(config.skills.tools);
    this.#configured = new Set(config.skills.config);
  }

  /** What is missing on this machine; skills that it builds on are the snapshot's to judge. */
  missing(requires: Requires | null): readonly Reason[] {
    if (requires === null) return [];
    const reasons: Reason[] = [];
    const install = requires.installHints.length === 0 ? null : requires.installHints.join('; ');
    const miss = (code: ReasonCode, message: string, hint: string | null): void => {
      reasons.push({ code, message, hint });
    };

    if (requires.os.length > 0 && !requires.os.includes(this.#environment.platform)) {
      miss('OS', `runs on ${list(requires.os, 'or')}; this machine is ${this.#environment.platform}`, null);
    }
    for (const bin of requires.bins) {
      if (!this.#hasProgram(bin))
        miss('BIN_MISSING', `the program "${bin}" is not on PATH`, install ?? `install ${bin}`);
    }
    for (const bins of requires.anyBins) {
      if (bins.length > 0 && !bins.some((bin) => this.#hasProgram(bin))) {
        miss(
          'BIN_MISSING',
          `none of the programs ${list(bins.map(quoted), 'or')} is on PATH`,
          install ?? `install one of ${list(bins, 'or')}`,
        );
      }
    }
    for (const name of requires.env) {
      if (!this.#hasVariable(name))
        miss('ENV_MISSING', `the environment variable ${name} is not set`, `set ${name}`);
    }
    for (const names of requires.anyEnv) {
      if (names.length > 0 && !names.some((name) => this.#hasVariable(name))) {
        miss(
          'ENV_MISSING',
          `none of the environment variables ${list(names, 'or')} is set`,
          `set one of ${list(names, 'or')}`,
        );
      }
    }
    for (const key of requires.config) {
      if (!this.#configured.has(key))
        miss('CONFIG_MISSING', `"${key}" is not configured`, `add "${key}" to skills.config once it is`);
    }
    for (const tool of requires.tools) {
      if (this.#tools?.has(tool) === false) miss('TOOL_MISSING', `this host has no tool "${tool}"`, null);
    }
    return reasons;
  }

  #hasProgram(name: string): boolean {
    let has = this.#programs.get(name);
    if (has === undefined) {
      has = this.#environment.findProgram(name) !== null;
      this.#programs.set(name, has);
    }
    return has;
  }

  /** Set to nothing counts as not set. */
  #hasVariable(name: string): boolean {
    return (this.#environment.variables[name] ?? '') !== '';
  }
}

function quoted(word: string): string {
  return `"${word}"`;
}

function list(words: readonly string[], conjunction: string): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
