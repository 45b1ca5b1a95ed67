// Every skill that the server found, as rows of a list: all pages of the inventory, one after the other, without waiting for the last.
//
// A row keeps what the list shows and filters by, not the whole answer: 10,000 of them are small. When skills change they are read again,
// and what is shown stays until then.
import { untrack } from 'svelte';
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';
import { live } from '../../lib/live.svelte.ts';
import type { Fault } from '../../lib/load.svelte.ts';
import { faultOf } from '../../lib/load.svelte.ts';
import { call } from '../../lib/session.svelte.ts';
import { hrefOfSkill, nameOfBroken } from '../../lib/skill-links.ts';

type Page = OperationOutput<Operations['inventory']>;
type Listed = Page['skills'][number];
type Broken = Page['broken'][number];

export type State = 'ready' | 'hidden' | 'not_ready' | 'unsound' | 'shadowed' | 'refused' | 'broken' | 'no_skill';

export interface SkillRow {
  /** Its path: names are not unique here. */
  readonly key: string;
  readonly name: string;
  readonly href: string;
  readonly description: string;
  readonly state: State;
  /** Why it is not used, or what keeps it from being; empty: nothing does. */
  readonly why: string;
  readonly form: string;
  readonly source: string;
  /** Of a file that gave no skill: `path:line:column`. */
  readonly place: string;
  readonly isUsed: boolean;
  readonly isReady: boolean;
  readonly isExecutable: boolean;
  readonly isTrusted: boolean;
  readonly verdict: string;
  readonly faults: number;
  /** What words are looked for in. */
  readonly words: string;
}

export class Inventory {
  rows = $state.raw<readonly SkillRow[]>([]);
  /** Of skills; files that gave none come to it. */
  total = $state(0);
  isLoading = $state(true);
  fault = $state.raw<Fault | null>(null);
  #asked = 0;

  /** To be called while a component is made. */
  constructor() {
    $effect(() => {
      void [live.skills, live.resets];
      untrack(() => void this.#read());
    });
    $effect(() => () => (this.#asked += 1));
  }

  reload(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    const isFirst = this.rows.length === 0;
    this.isLoading = true;
    const rows: SkillRow[] = [];
    try {
      for (let offset: number | null = 0; offset !== null;) {
        const page: Page = await call('inventory', { query: { limit: 500, offset } });
        if (number !== this.#asked) return;
        for (const one of page.skills) rows.push(rowOf(one));
        if (offset === 0) rows.push(...brokenRows(page.broken));
        this.total = page.total;
        if (isFirst) this.rows = sorted(rows);
        offset = page.next;
      }
      [this.rows, this.fault, this.isLoading] = [sorted(rows), null, false];
    } catch (error) {
      if (number === this.#asked) [this.fault, this.isLoading] = [faultOf(error), false];
    }
  }
}

function sorted(rows: readonly SkillRow[]): readonly SkillRow[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.key < b.key ? -1 : 1));
}

export function rowOf(one: Listed): SkillRow {
  const { facts, standing } = one;
  const failed =
    facts === null
      ? undefined
      : [facts.sound, facts.ready, facts.visibleToModel, facts.visibleToUser, facts.listed].find((fact) => !fact.ok);
  const state: State =
    standing !== 'used'
      ? standing
      : facts?.ready.ok === false
        ? 'not_ready'
        : facts?.sound.ok === false
          ? 'unsound'
          : one.visible.model || one.visible.user
            ? 'ready'
            : 'hidden';
  const isUsed = standing === 'used';
  const why = isUsed
    ? (one.guard ?? (failed === undefined ? '' : failed.reasons.map(({ message }) => message).join('; ')))
    : [one.why, one.winner === null ? null : `used instead: ${one.winner}`].filter((text) => text !== null).join('; ');
  return {
    key: one.path,
    name: one.name,
    href: hrefOfSkill(one.name, isUsed ? null : one.path),
    description: one.description,
    state,
    why,
    form: one.form,
    source: one.source,
    place: one.path,
    isUsed,
    isReady: one.ready,
    isExecutable: one.executable,
    isTrusted: one.trusted,
    verdict: one.verdict ?? '',
    faults: one.diagnostics,
    words: `${one.name} ${one.description}`.toLowerCase(),
  };
}

/** One row for each file or folder, with the worst of its faults. */
export function brokenRows(broken: readonly Broken[]): readonly SkillRow[] {
  const byPath = new Map<string, Broken[]>();
  for (const one of broken) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  return [...byPath].map(([path, faults]) => {
    const worst = faults.find(({ severity }) => severity === 'error') ?? faults.find(({ severity }) => severity === 'warning') ?? (faults[0] as Broken);
    const name = nameOfBroken(path);
    const place = worst.line === null ? path : `${path}:${worst.line}:${worst.column ?? 1}`;
    return {
      key: path,
      name,
      href: hrefOfSkill(name, path),
      description: '',
      state: worst.severity === 'info' ? 'no_skill' : 'broken',
      why: `${worst.message} (${place})`,
      form: '',
      source: '',
      place,
      isUsed: false,
      isReady: false,
      isExecutable: false,
      isTrusted: false,
      verdict: '',
      faults: faults.length,
      words: `${name} ${path}`.toLowerCase(),
    };
  });
}
