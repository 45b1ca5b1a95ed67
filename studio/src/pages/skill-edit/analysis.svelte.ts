// What the engine says of a draft, a moment after the last change: an analysis that is not needed any more is given up.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';
import { applyFixes } from '../../../../src/base/fix.ts';
import { faultOf } from '../../lib/load.svelte.ts';
import type { Fault } from '../../lib/load.svelte.ts';
import { call } from '../../lib/session.svelte.ts';
import type { Draft } from './draft.svelte.ts';

type Answer = OperationOutput<Operations['analyseDraft']>;
export type DraftDiagnostic = Answer['diagnostics'][number];
export type DraftGraph = NonNullable<Answer['graph']>;

export interface Problem extends DraftDiagnostic {
  /** In the text that was analysed. */
  readonly from: number;
  readonly to: number;
  readonly fixes: Answer['fixes'];
}

const quietMs = 250;

export class Analysis {
  problems = $state.raw<readonly Problem[]>([]);
  fixes = $state.raw<Answer['fixes']>([]);
  /** The last plan that could be drawn. */
  graph = $state.raw<DraftGraph | null>(null);
  /** The last text has a plan. */
  hasGraph = $state(false);
  isBusy = $state(false);
  fault = $state.raw<Fault | null>(null);
  /** By path: the texts that `problems` are about. */
  #texts = new Map<string, string>();

  /** To be called while a component is made. */
  constructor(skill: () => string, draft: Draft, isReady: () => boolean) {
    $effect(() => {
      const name = skill();
      const text = draft.textOf('SKILL.md') ?? '';
      const files = draft.othersThan('SKILL.md');
      if (!isReady()) return;
      const stale = new AbortController();
      const timer = setTimeout(() => void this.#ask(name, text, files, draft, stale.signal), quietMs);
      return () => {
        clearTimeout(timer);
        stale.abort();
      };
    });
  }

  async #ask(
    skill: string,
    text: string,
    files: { path: string; text: string | null }[],
    draft: Draft,
    signal: AbortSignal,
  ): Promise<void> {
    this.isBusy = true;
    try {
      const found = await call('analyseDraft', { body: { skill, path: 'SKILL.md', text, files }, signal });
      if (signal.aborted) return;
      this.#texts = new Map(draft.paths.map((path) => [path, draft.textOf(path) ?? '']));
      this.problems = found.diagnostics
        .map((one): Problem => {
          const at = this.#texts.get(one.path) ?? '';
          const from = offsetOf(at, one.line, one.column);
          const to = Math.max(from, offsetOf(at, one.endLine ?? one.line, one.endColumn ?? one.column));
          return {
            ...one,
            from,
            to,
            fixes:
              one.line === null
                ? []
                : found.fixes.filter((fix) => fix.path === one.path && fix.at >= from && fix.at <= to),
          };
        })
        .toSorted((a, b) => weight(a) - weight(b));
      this.fixes = found.fixes;
      this.hasGraph = found.graph !== null;
      if (found.graph !== null) this.graph = found.graph;
      else if (this.problems.every(({ severity }) => severity !== 'error')) this.graph = null;
      this.fault = null;
    } catch (error) {
      if (!signal.aborted) this.fault = faultOf(error);
    } finally {
      if (!signal.aborted) this.isBusy = false;
    }
  }

  /** Inserts what belongs together. Nothing happens where the text has changed since it was analysed. */
  fix(draft: Draft, fixes: Answer['fixes']): boolean {
    const whys = new Set(fixes.map(({ why }) => why));
    const all = this.fixes.filter(({ why }) => whys.has(why));
    let isDone = false;
    for (const path of new Set(all.map((one) => one.path))) {
      const text = draft.textOf(path);
      if (text === null || text !== this.#texts.get(path)) continue;
      draft.write(
        path,
        applyFixes(
          text,
          all.filter((one) => one.path === path),
        ),
      );
      isDone = true;
    }
    return isDone;
  }
}

const weights = { error: 0, warning: 1, info: 2 } as const;
const weight = ({ severity }: DraftDiagnostic): number => weights[severity];

/** Lines and columns count from 1, columns in UTF-16 code units. */
export function offsetOf(text: string, line: number | null, column: number | null): number {
  if (line === null) return 0;
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  return Math.min(text.length, start + (column ?? 1) - 1);
}
