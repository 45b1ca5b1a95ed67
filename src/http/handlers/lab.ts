// What a model is shown for a message, and how well triggers find their skills, over HTTP.
import { resolve } from 'node:path';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import type { JsonObject } from '../../base/json.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { loadCases } from '../../measure/eval/load-cases.ts';
import type { JudgedCase } from '../../measure/eval/score-cases.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { evalTriggers } from '../../techne/eval-triggers.ts';
import { displayPath } from '../../techne/paths.ts';
import { problemResponse } from '../problem.ts';
import type { ApiService, Handlers } from '../service.ts';

type Report = OperationOutput<Operations['evalTriggers']>;

const mostFailures = 500;
const usualFrames = 3;

export function labHandlers({
  techne,
  workspace,
  homeFolder,
  suggestions,
}: ApiService): Handlers<'showPrompt' | 'evalTriggers'> {
  const { library } = techne;
  const shownPath = (path: string): string => displayPath(path, { cwd: workspace, homeFolder });

  return {
    async showPrompt({ body: { message, tokens: budget } }) {
      // No event says that a skill was loaded: it is only looked at.
      const session = await techne.openSession({
        holds: false,
        onLoaded: () => undefined,
        ...(budget === undefined ? {} : { budget: { tokens: budget } }),
      });
      const { block, tokens, told, given, left } = await session.enrich({ message });
      const { tier, listed, omitted, tokens: used } = session.index;
      return {
        prefix: session.prefix,
        budget: budget ?? library.loaded.config.index.budgetTokens,
        tier,
        listed,
        omitted,
        tokens: used,
        turn: { block, tokens, told, given, left },
      };
    },

    async evalTriggers({ body: { skills, frames = usualFrames, seed = 1, all = false }, left }) {
      const { snapshot } = techne;
      const diagnostics: Report['diagnostics'][number][] = [];
      const noCases: string[] = [];
      const cases = await loadCases(
        {
          files: library.files,
          parseFull: nodeParseFull,
          resolvePath: (file) => resolve(workspace, file),
          showPath: shownPath,
          faults: {
            get any() {
              return diagnostics.length > 0;
            },
            add: (diagnostic, text) =>
              void diagnostics.push({
                ...(describeDiagnostic(diagnostic, text) as unknown as Report['diagnostics'][number]),
                path: shownPath(diagnostic.path),
              }),
            addMessage: (where, text, hint = null) =>
              void diagnostics.push({
                code: 'SCRIPT_VALUE',
                severity: 'error',
                path: where ?? '',
                line: null,
                column: null,
                message: text,
                hint,
              }),
          },
        },
        snapshot,
        {
          files: [],
          skills: [...new Set(skills)],
          framesFor: () => frames,
          seed,
          onNoCases: (skill) => void noCases.push(skill),
        },
      );
      try {
        const judged: JudgedCase[] = [];
        const report = await evalTriggers(cases, await suggestions(), left, (one) => {
          if (all) judged.push(one);
        });
        return {
          ...report,
          kinds: report.kinds as unknown as readonly JsonObject[],
          failures: report.failures.slice(0, mostFailures) as unknown as readonly JsonObject[],
          unreachable: report.unreachable as unknown as readonly JsonObject[],
          ...(all ? { judged } : {}),
          noCases,
          diagnostics,
        };
      } catch (error) {
        if (!left.aborted) throw error;
        return problemResponse({
          status: 503,
          code: 'OVERLOADED',
          detail: 'the client has left',
          hint: null,
        });
      }
    },
  };
}
