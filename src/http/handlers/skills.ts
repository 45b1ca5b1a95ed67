// Skills over HTTP, by name only: a path of the machine is neither taken nor, outside of the workspace and the home, shown.
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { placeOf } from '../../base/span.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { describeOutcome } from '../../measure/testing/describe-outcome.ts';
import { findTests } from '../../measure/testing/find-tests.ts';
import type { SkillTest } from '../../measure/testing/skill-test.ts';
import { testSkills } from '../../measure/testing/test-skills.ts';
import { renderPlanMermaid } from '../../plan/render-mermaid.ts';
import { renderPlanSvg } from '../../plan/render-svg.ts';
import { renderPlanText } from '../../plan/render-text.ts';
import type { Files } from '../../ports/files.ts';
import type { Match } from '../../match/match.ts';
import { gatherFindings } from '../../techne/check/gather-findings.ts';
import { describeSkill, shadowsByName } from '../../techne/describe-skill.ts';
import { dryRun } from '../../techne/dry-run.ts';
import { listFacts } from '../../techne/list-facts.ts';
import { displayPath } from '../../techne/paths.ts';
import { planSkill } from '../../techne/plan-skill.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import { scanTargets } from '../../techne/scan-skills.ts';
import { describeDetails, gatherDetails } from '../../techne/show-skill.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names =
  | 'listSkills'
  | 'showSkill'
  | 'skillFacts'
  | 'skillPlan'
  | 'checkSkill'
  | 'testSkill'
  | 'dryRunSkill'
  | 'scanSkill'
  | 'matchSkills'
  | 'indexSkills';

type DiagnosticJson = OperationOutput<Operations['checkSkill']>['diagnostics'][number];
type MatchJson = OperationOutput<Operations['matchSkills']>['matches'][number];
type ShownSkill = OperationOutput<Operations['showSkill']>;

const usualLimit = 100;
const mostTested = 500;
const drawings = { text: renderPlanText, mermaid: renderPlanMermaid, svg: renderPlanSvg } as const;

export function skillHandlers({
  techne,
  workspace,
  homeFolder,
  lastTests,
  suggestions,
  nowMs,
}: ApiService): Handlers<Names> {
  const { library } = techne;
  const shownPath = (path: string): string => displayPath(path, { cwd: workspace, homeFolder });
  const shown = (diagnostic: Diagnostic, text: string | null): DiagnosticJson => ({
    ...(describeDiagnostic(diagnostic, text) as unknown as DiagnosticJson),
    path: shownPath(diagnostic.path),
  });

  return {
    async listSkills({ query: { limit = usualLimit, cursor } }) {
      const { snapshot } = techne;
      const shadows = shadowsByName(snapshot.shadowed);
      const byName = snapshot.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const rest = cursor === undefined ? byName : byName.filter(({ name }) => name > cursor);
      const page = rest.slice(0, limit);
      const factsOf = await listFacts(library, snapshot, page);
      return {
        skills: page.map((skill) => {
          const described = describeSkill(skill, factsOf(skill), shadows.get(skill.name) ?? []);
          return {
            ...described,
            path: shownPath(described.path),
            shadows: described.shadows.map(shownPath),
          };
        }),
        total: snapshot.skills.length,
        cursor: rest.length > limit ? (page.at(-1)?.name ?? null) : null,
      };
    },

    async showSkill({ params, query }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const details = await gatherDetails(snapshot, skill, () => library.isRunnable(snapshot, skill.name));
      const facts = (await listFacts(library, snapshot, [skill]))(skill);
      const {
        folder: _folder,
        origin: _origin,
        references: _references,
        sections: _sections,
        ...described
      } = describeDetails(snapshot, skill, facts, details);
      const withBody = query.body === true && details.body !== null ? { body: details.body.text } : {};
      return {
        ...(described as unknown as ShownSkill),
        path: shownPath(described.path),
        shadows: described.shadows.map(shownPath),
        diagnostics: skill.diagnostics.map((diagnostic) => shown(diagnostic, details.text)),
        ...withBody,
      };
    },

    async skillFacts({ params }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const facts = (await listFacts(library, snapshot, [skill]))(skill);
      return { ...facts, runnable: await library.isRunnable(snapshot, skill.name) };
    },

    async skillPlan({ params, query: { drawing } }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const { plan, diagnostics, textAt } = await planSkill(library, snapshot, skill);
      return {
        plan: plan as unknown as JsonObject | null,
        drawing: plan === null || drawing === undefined ? null : drawings[drawing](plan),
        diagnostics: diagnostics.map((one) => shown(one, textAt(one.path))),
      };
    },

    async checkSkill({ params, query: { strict = false } }) {
      const { folder } = resolveSkill(techne.snapshot, params.skill);
      const found = await gatherFindings(
        { paths: [folder], cwd: workspace, homeFolder, strict, all: false },
        library,
        () => ({ step: () => undefined, end: () => undefined }),
      );
      const count = { error: 0, warning: 0, info: 0 };
      for (const { severity } of found.diagnostics) count[severity] += 1;
      return {
        errors: count.error,
        warnings: count.warning,
        notes: count.info,
        diagnostics: found.diagnostics
          .toSorted(compareDiagnostics)
          .map((one) => shown(one, found.texts.get(one.path) ?? null)),
      };
    },

    async testSkill({ params, query: { only } }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const wanted = only === undefined ? null : await testAt(library.files, skill.folder, only, shownPath);
      const tested = await testSkills({
        snapshot,
        files: library.files,
        skills: [skill],
        ...(wanted === null
          ? {}
          : { filter: ({ path, span }) => path === wanted.path && span.start === wanted.span.start }),
      });
      const tests = tested.flatMap((one) => one.outcomes.map((outcome) => describeOutcome(one, outcome)));
      const diagnostics = tested.flatMap((one) =>
        one.diagnostics.map((diagnostic) => shown(diagnostic, one.texts.get(diagnostic.path) ?? null)),
      );
      const failed = tests.filter(({ ok }) => !ok).length;
      const results = tests.map((test) => ({
        ...test,
        file: shownPath(test.file),
        faults: test.faults as unknown as readonly JsonObject[],
      }));
      const counts = { passed: tests.length - failed, failed };
      const { digest } = await snapshot.manifest(skill.name);
      const before = lastTests.get(skill.name);
      // One test takes the place of its last result, as long as the skill is the same.
      const others =
        wanted === null || before?.digest !== digest
          ? []
          : before.tests.filter(
              ({ file, line }) => !results.some((one) => one.file === file && one.line === line),
            );
      const all = [...others, ...results];
      const passed = all.filter((one) => one['ok'] === true).length;
      // The oldest goes first, so that the map stays small.
      lastTests.delete(skill.name);
      if (lastTests.size >= mostTested) lastTests.delete(lastTests.keys().next().value as string);
      lastTests.set(skill.name, { at: nowMs(), digest, passed, failed: all.length - passed, tests: all });
      return { ok: failed === 0 && diagnostics.length === 0, ...counts, tests: results, diagnostics };
    },

    async dryRunSkill({ params, body }) {
      const { input = null } = (body as typeof body | null) ?? {};
      const { calls, stopped } = await dryRun(techne.snapshot, params.skill, input);
      return { calls: [...calls], stopped };
    },

    async scanSkill({ params, left }) {
      const { name, folder, realFolder } = resolveSkill(techne.snapshot, params.skill);
      const target = { name, folder, real: realFolder };
      const [scanned] = await scanTargets([target], library, homeFolder, async () => {
        // Other requests are answered between two files.
        await new Promise(setImmediate);
        if (left.aborted) throw new TechneError('OVERLOADED', 'the client has left');
      });
      if (scanned === undefined) throw new Error('one target gives one report');
      const { report } = scanned;
      return { skill: name, verdict: report.verdict, report: report as unknown as JsonObject };
    },

    async matchSkills({ body }) {
      const { message, limit = 5, explain = false } = body;
      const kept = explain ? await suggestions() : null;
      const found = await (kept === null
        ? techne.match(message, { limit })
        : kept.match(message, limit, true));
      const notOffered = kept === null ? null : await kept.notOffered(message, limit, true);
      return {
        matches: found.matches.map(matchJson),
        abstained: found.abstained,
        candidates: found.candidates.map(matchJson),
        unready: found.unready ?? null,
        misspelt: found.misspelt ?? null,
        leastConfidence: techne.snapshot.config.match.leastConfidence / 100,
        ...(notOffered === null
          ? {}
          : { notOffered: notOffered.map((one) => ({ ...matchJson(one), because: one.because })) }),
      };
    },

    async indexSkills({ query: { tokens } }) {
      const index = await techne.index(tokens === undefined ? undefined : { tokens });
      const { text, tier, listed, omitted, characters, tokens: used } = index;
      return { text, tier, listed, omitted, characters, tokens: used };
    },
  };
}

async function testAt(
  files: Files,
  folder: string,
  only: string,
  shownPath: (path: string) => string,
): Promise<SkillTest> {
  const { tests, texts } = await findTests(files, folder);
  const found = tests.find(
    ({ path, span }) => `${shownPath(path)}:${placeOf(texts.get(path) ?? '', span.start).line}` === only,
  );
  if (found === undefined)
    throw new TechneError('REQUEST_INVALID', `there is no test at "${only}"`, {
      hint: 'the list of tests has the file and line of each; it may have changed since',
    });
  return found;
}

function matchJson({ skill, mode, confidence, variables, demoted, reason, signs }: Match): MatchJson {
  return {
    skill,
    mode,
    confidence,
    variables: { ...variables },
    demoted: demoted === true,
    reason,
    ...(signs === undefined ? {} : { signs }),
  };
}
