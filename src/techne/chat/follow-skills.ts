// Reloads the skills of a conversation between turns.
//
//   watch -> checked between turns -> changed skills, by name
//
// Skills change only before a message is answered, never during a turn: a turn loads and runs what it was shown. One line reports
// the changes. If a file can no longer be read, the skill stays as it was, which is reported once. If a file has errors or its YAML
// was repaired, the diagnostic is reported, unless the same repair was reported before.
import { unreachable } from '../../base/error.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { SkillWatch, WatchEvent } from '../../registry/watch/watch.ts';

/** Changes since the last check, by name. */
export interface SkillNews {
  readonly snapshot: Snapshot;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Diagnostics of new and changed skills. */
  readonly faulty: readonly { readonly skill: string; readonly reason: string }[];
  /** Why a skill stayed as it was. */
  readonly kept: readonly { readonly skill: string; readonly reason: string }[];
}

type Change = 'added' | 'changed' | 'removed';

export class SkillFollower {
  readonly #watch: SkillWatch;
  readonly #changes = new Map<string, Change>();
  readonly #kept = new Map<string, string>();
  /** The changed skills, as they were at the last check. */
  readonly #before = new Map<string, Skill>();

  /** Hears no more of changes. */
  readonly close: () => void;

  constructor(watch: SkillWatch) {
    this.#watch = watch;
    this.close = watch.on((event) => this.#hear(event));
  }

  /** `null` if nothing changed. Throws the errors of loading. */
  async look(): Promise<SkillNews | null> {
    const snapshot = await this.#watch.refresh();
    if (this.#changes.size + this.#kept.size === 0) return null;
    const named = (wanted: Change): readonly string[] =>
      [...this.#changes].filter(([, change]) => change === wanted).map(([name]) => name);
    const faulty = [...named('added'), ...named('changed')].flatMap((skill) => {
      const [fault] = snapshot.has(skill)
        ? faultsOf(snapshot.get(skill), this.#before.get(skill) ?? null)
        : [];
      return fault === undefined ? [] : [{ skill, reason: fault }];
    });
    this.#before.clear();
    const news = {
      snapshot,
      added: named('added'),
      changed: named('changed'),
      removed: named('removed'),
      faulty,
      kept: [...this.#kept].map(([skill, reason]) => ({ skill, reason })),
    };
    this.#changes.clear();
    this.#kept.clear();
    return news;
  }

  /** The changes could not be applied: the next check reports them again. */
  putBack({ added, changed, removed, kept }: SkillNews): void {
    const since = [...this.#changes];
    this.#changes.clear();
    for (const [change, names] of [
      ['added', added],
      ['changed', changed],
      ['removed', removed],
    ] as const)
      for (const name of names) this.#changes.set(name, change);
    for (const { skill, reason } of kept) if (!this.#kept.has(skill)) this.#kept.set(skill, reason);
    for (const [name, change] of since) this.#note(name, change);
  }

  #hear(event: WatchEvent): void {
    switch (event.type) {
      case 'skill.added':
        return this.#note(event.skill.name, 'added');
      case 'skill.changed':
        if (!this.#before.has(event.skill.name)) this.#before.set(event.skill.name, event.before);
        return this.#note(event.skill.name, 'changed');
      case 'skill.removed':
        return this.#note(event.skill.name, 'removed');
      case 'skill.kept':
        this.#kept.set(event.skill.name, event.faults[0]?.message ?? 'its file cannot be read');
        return;
      case 'snapshot.replaced':
      case 'snapshot.failed':
      case 'watch.degraded':
      case 'watch.restored':
        return;
      default:
        unreachable(event);
    }
  }

  /** Merges several changes of one skill. */
  #note(name: string, change: Change): void {
    const before = this.#changes.get(name);
    this.#kept.delete(name);
    if (before === 'added' && change === 'removed') this.#changes.delete(name);
    else if (before === 'added') this.#changes.set(name, 'added');
    else this.#changes.set(name, before === 'removed' && change === 'added' ? 'changed' : change);
  }
}

/** The diagnostics to report. */
function faultsOf({ diagnostics }: Skill, before: Skill | null): readonly string[] {
  const known = new Set(before?.diagnostics.map(({ message }) => message));
  return diagnostics
    .filter(
      ({ severity, code, message }) =>
        severity === 'error' || (code.startsWith('YAML_') && !known.has(message)),
    )
    .map(({ message }) => message);
}

/** Such as `skills: new rain; changed tides`. */
export function describeNews({ added, changed, removed }: SkillNews): string | null {
  const parts = (
    [
      ['new', added],
      ['changed', changed],
      ['gone', removed],
    ] as const
  )
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${shown(names)}`);
  return parts.length === 0 ? null : `skills: ${parts.join('; ')}`;
}

const mostShown = 5;

function shown(names: readonly string[]): string {
  return names.length <= mostShown
    ? names.join(', ')
    : `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more`;
}
