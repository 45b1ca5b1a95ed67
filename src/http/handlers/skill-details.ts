// More of skills over HTTP: the inventory, sources, graphs, verdicts, trust, tests, drafts.
//
// Everything that a skill says is data here: it is bounded, given as JSON, and never acted on.
import { decodeUtf8 } from '../../base/utf8.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import { placeOf } from '../../base/span.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { countUses } from '../../measure/health/count-uses.ts';
import { findTests } from '../../measure/testing/find-tests.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Fact, Facts, Skill } from '../../registry/types.ts';
import { completeDraft, hoverDraft } from '../../techne/draft-language.ts';
import { analyseDraft } from '../../techne/draft-skill.ts';
import { describeSkill, shadowsByName } from '../../techne/describe-skill.ts';
import { readUses } from '../../techne/health/read-uses.ts';
import { newSkillFiles } from '../../techne/new-skill.ts';
import { listFacts } from '../../techne/list-facts.ts';
import { displayPath } from '../../techne/paths.ts';
import { planGraph } from '../../techne/plan-graph.ts';
import { planSkill } from '../../techne/plan-skill.ts';
import { Proposals } from '../../techne/proposals/proposals.ts';
import { faultsAbout, resolveSkill } from '../../techne/resolve-skill.ts';
import { skillDemands } from '../../techne/skill-demands.ts';
import type { Excerpt, Standing } from '../../techne/skill-standings.ts';
import { brokenIn, excerptOf, standingsOf, textsOf } from '../../techne/skill-standings.ts';
import { compareVersions, skillVersions } from '../../techne/skill-versions.ts';
import { skillHealth } from '../../techne/skill-health.ts';
import { sourceFields } from '../../techne/skill-source.ts';
import { trustEffects, trustPointless, trustShown } from '../../techne/trust-skill.ts';
import { wholeUntil } from './run-details.ts';
import type { ApiService, Handlers } from '../service.ts';
import { useRuns } from '../service.ts';

type Names =
  | 'inventory'
  | 'skillStanding'
  | 'skillVersions'
  | 'skillChanges'
  | 'skillHealth'
  | 'skillUses'
  | 'skillSource'
  | 'skillFile'
  | 'skillGraph'
  | 'skillTests'
  | 'skillVerdict'
  | 'skillTrust'
  | 'trustSkill'
  | 'untrustSkill'
  | 'analyseDraft'
  | 'scaffoldSkill'
  | 'completeDraft'
  | 'hoverDraft';

type DiagnosticJson = OperationOutput<Operations['checkSkill']>['diagnostics'][number];
type Listed = OperationOutput<Operations['inventory']>['skills'][number];
type GraphJson = OperationOutput<Operations['skillGraph']>['graph'];

const usualLimit = 100;
const usualBytes = 65_536;
const usualDays = 30;
const usualLooks = 20;
const dayMs = 86_400_000;
const mostFiles = 500;
const mostFaults = 100;
const no: Fact = { ok: false, reasons: [] };
/** Of a skill that is not used, whatever its head says; `standing` and `why` say more. */
const factsOfUnused: Facts = { sound: no, ready: no, visibleToUser: no, visibleToModel: no, listed: no };
const mostItems = 500;

export function skillDetailHandlers(service: ApiService): Handlers<Names> {
  const { techne, workspace, homeFolder, lastTests } = service;
  const { library } = techne;
  const shownPath = (path: string): string => displayPath(path, { cwd: workspace, homeFolder });
  const shown = (diagnostic: Diagnostic, text: string | null): DiagnosticJson => ({
    ...(describeDiagnostic(diagnostic, text) as unknown as DiagnosticJson),
    path: shownPath(diagnostic.path),
  });
  const trustOf = async (skill: Skill): Promise<boolean> => library.isTrusted(techne.snapshot, skill);

  return {
    async inventory({ query: { limit = usualLimit, offset = 0 } }) {
      const { snapshot } = techne;
      const all = standingsOf(snapshot);
      const page = all.slice(offset, offset + limit);
      const used = page.flatMap(({ skill, standing }) => (standing === 'used' ? [skill] : []));
      const [factsOf, trusted, guard] = await Promise.all([
        listFacts(library, snapshot, used),
        library.findTrusted(snapshot, used),
        library.openGuard(),
      ]);
      await guard.lookAt(used);
      const shadows = shadowsByName(snapshot.shadowed);
      const broken = offset === 0 ? brokenIn(snapshot).slice(0, mostFiles) : [];
      const texts = await textsOf(library.files, broken);
      return {
        skills: page.map(({ skill, standing, why, winner }): Listed => {
          const isUsed = standing === 'used';
          const facts = isUsed ? factsOf(skill) : factsOfUnused;
          return {
            ...describeSkill(skill, facts, isUsed ? (shadows.get(skill.name) ?? []).map(shownPath) : []),
            path: shownPath(skill.file),
            standing,
            why,
            winner: winner === null ? null : shownPath(winner.file),
            facts: isUsed ? { ...facts, runnable: null } : null,
            trusted: trusted.has(skill),
            guard: isUsed ? (guard.known(skill)?.message ?? null) : null,
            verdict: isUsed ? guard.remembered(skill) : null,
            diagnostics: skill.diagnostics.length,
          };
        }),
        broken: broken.map((one) => shown(one, texts.get(one.path) ?? null)),
        total: all.length,
        next: offset + limit < all.length ? offset + limit : null,
      };
    },

    async skillStanding({ params }) {
      const { snapshot } = techne;
      const copies = standingsOf(snapshot).filter(({ skill }) => skill.name === params.skill);
      const ofCopies = new Set(copies.map(({ skill }) => skill.file));
      const faults = faultsAbout(snapshot, params.skill).filter(({ path }) => !ofCopies.has(path));
      // Says what is near, where there is nothing of that name.
      if (copies.length === 0 && faults.length === 0) resolveSkill(snapshot, params.skill);
      // A refusal is about the file of the skill; what is wrong with a head is with the skill itself.
      const about = ({ skill }: Standing): readonly Diagnostic[] => {
        const refusals = snapshot.diagnostics.filter(({ path }) => path === skill.file);
        return refusals.length > 0 ? refusals : skill.diagnostics;
      };
      const texts = await textsOf(library.files, [...copies.flatMap(about), ...faults]);
      const withExcerpt = (one: Diagnostic) => ({
        ...shown(one, texts.get(one.path) ?? null),
        excerpt: excerptJson(excerptOf(one, texts.get(one.path) ?? null)),
      });
      return {
        copies: copies.map((copy) => ({
          standing: copy.standing,
          path: shownPath(copy.skill.file),
          source: copy.skill.source,
          host: copy.skill.root.host,
          form: copy.skill.card.form,
          description: copy.skill.description,
          why: copy.why,
          hint: copy.hint,
          winner: copy.winner === null ? null : shownPath(copy.winner.file),
          diagnostics: about(copy).slice(0, mostFaults).map(withExcerpt),
        })),
        faults: faults.slice(0, mostFaults).map(withExcerpt),
      };
    },

    skillVersions: ({ params }) =>
      useRuns(service, async (runs) => {
        const { versions, isCut } = await skillVersions(
          { library, snapshot: techne.snapshot, proposals: new Proposals({ library, homeFolder }), runs },
          resolveSkill(techne.snapshot, params.skill),
        );
        return {
          versions: versions.map(({ events, ...version }) => ({
            ...version,
            events: events.map(({ kind, at, id, text }) => ({ kind, at, id, text })),
          })),
          isCut,
        };
      }),

    skillChanges: ({ params, query: { from = '', to = '' } }) =>
      useRuns(service, async (runs) => {
        const { files, isPartial } = await compareVersions(
          { library, snapshot: techne.snapshot, proposals: new Proposals({ library, homeFolder }), runs },
          resolveSkill(techne.snapshot, params.skill),
          from,
          to,
        );
        return {
          files: files.map(({ path, what, lines }) => ({ path, what, lines: lines as readonly Json[] })),
          isPartial,
        };
      }),

    async skillHealth({ query: { limit = usualLooks } }) {
      const { looks, ...counts } = await skillHealth(library, techne.snapshot, limit);
      return { ...counts, looks: looks.map((one) => ({ ...one, path: shownPath(one.path) })) };
    },

    skillUses: ({ query: { days = usualDays, skill }, left }) =>
      useRuns(service, async ({ store, blobs }) => {
        const { events, isCut, recordedSinceMs } = await readUses({
          homeFolder,
          archive: { store, blobs },
          sinceMs: service.nowMs() - days * dayMs,
          signal: left,
        });
        const known = techne.snapshot.skills.map(({ name }) => name);
        const counted = countUses(events, known);
        return {
          skills: counted
            .filter((one) => skill === undefined || one.skill === skill)
            .map((one) => ({ ...one, missed: [...one.missed] })),
          isCut,
          recordedSince: recordedSinceMs,
        };
      }),

    async skillSource({ params }) {
      const skill = resolveSkill(techne.snapshot, params.skill);
      const { text } = await techne.snapshot.readText(skill.name);
      return {
        text,
        fields: sourceFields(text).map(({ key, span, value, meaning }) => ({
          key,
          place: placed(text, span),
          value,
          meaning,
        })),
      };
    },

    async skillFile({ params, query: { path = '', offset = 0, limit = usualBytes } }) {
      const skill = resolveSkill(techne.snapshot, params.skill);
      const bytes = await techne.snapshot.readFile(skill.name, path);
      const isText = !bytes.includes(0) && isUtf8(bytes);
      const start = Math.min(offset, bytes.length);
      const end = wholeUntil(bytes, Math.min(start + limit, bytes.length));
      return {
        path,
        bytes: bytes.length,
        offset: start,
        isText,
        text: isText ? decodeUtf8(bytes.subarray(start, end)).text : null,
        next: isText && end < bytes.length ? end : null,
      };
    },

    async skillGraph({ params }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const { plan, diagnostics, textAt } = await planSkill(library, snapshot, skill);
      const text = textAt(skill.file) ?? '';
      return {
        graph:
          plan === null
            ? null
            : graphOf(
                plan,
                diagnostics.filter(({ path }) => path === skill.file),
                text,
              ),
        diagnostics: diagnostics.map((one) => shown(one, textAt(one.path))),
      };
    },

    async skillTests({ params }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const { tests, diagnostics, texts } = await findTests(library.files, skill.folder);
      const last = lastTests.get(skill.name);
      return {
        tests: tests.map(({ name, path, span }) => ({
          name,
          file: shownPath(path),
          line: placeOf(texts.get(path) ?? '', span.start).line,
        })),
        diagnostics: diagnostics.map((one) => shown(one, texts.get(one.path) ?? null)),
        last:
          last === undefined
            ? null
            : {
                at: last.at,
                isCurrent: last.digest === (await snapshot.manifest(skill.name)).digest,
                passed: last.passed,
                failed: last.failed,
                tests: last.tests,
              },
      };
    },

    async skillVerdict({ params }) {
      const skill = resolveSkill(techne.snapshot, params.skill);
      const guard = await library.openGuard();
      const { verdict, rules, unread, unreadCount } = await guard.verdict(skill);
      const [onRead, onRun] = await Promise.all([
        guard.reasonOn('onRead', skill),
        guard.reasonOn('onRun', skill),
      ]);
      return {
        verdict,
        rules: [...rules],
        unread: [...unread],
        unreadCount,
        onRead: onRead?.message ?? null,
        onRun: onRun?.message ?? null,
      };
    },

    async skillTrust({ params }) {
      const { snapshot } = techne;
      const skill = resolveSkill(snapshot, params.skill);
      const { files, digest, links, excluded } = await snapshot.manifest(skill.name);
      const store = await library.openTrust();
      const isBuiltin = skill.origin.kind === 'builtin';
      const { declares, uses, unread } = await skillDemands(snapshot, skill);
      const { kind } = await store.decide(skill, async () => digest, library.loaded.config.trust.folders);
      return {
        trusted: await trustOf(skill),
        by: isBuiltin ? 'builtin' : kind,
        digest,
        runnable: await library.isRunnable(snapshot, skill.name),
        files: files.slice(0, mostFiles).map(({ path, size, executable }) => ({ path, size, executable })),
        totalFiles: files.length,
        links: links.slice(0, mostFiles).map((link) => ({ ...link })),
        excluded: excluded.slice(0, mostFiles),
        allows: [...trustEffects(skill)],
        declares: {
          tools: declares.tools,
          capabilities: declares.capabilities,
          programs: declares.programs,
          variables: declares.variables,
          risk: declares.risk,
          always: declares.always,
        },
        uses: { ...uses },
        unread: unread.slice(0, mostFiles),
        pointless: trustPointless(skill),
      };
    },

    async trustSkill({ params, body }) {
      const snapshot = await techne.refresh();
      const skill = resolveSkill(snapshot, params.skill);
      await trustShown(library, snapshot, skill, body.digest);
      return { trusted: await trustOf(skill), runnable: await library.isRunnable(snapshot, skill.name) };
    },

    async untrustSkill({ params }) {
      const skill = resolveSkill(techne.snapshot, params.skill);
      const { digests } = await (await library.openTrust()).untrust(skill.name);
      return { removed: digests.length, trusted: await trustOf(skill) };
    },

    async analyseDraft({ body: { strict = false, ...draft } }) {
      const analysed = await analyseDraft(library, techne.snapshot, draft, { homeFolder, strict });
      const main = analysed.textAt('SKILL.md') ?? '';
      return {
        diagnostics: analysed.diagnostics.map((one) => ({
          ...(describeDiagnostic(one, analysed.textAt(one.path)) as unknown as DiagnosticJson),
        })),
        fixes: analysed.fixes.map((fix) => ({ ...fix })),
        graph:
          analysed.plan === null
            ? null
            : graphOf(
                analysed.plan,
                analysed.diagnostics.filter((one) => one.path === 'SKILL.md'),
                main,
              ),
      };
    },

    scaffoldSkill: ({ body: { name, form, description = null } }) => ({
      files: [...newSkillFiles(name, form, description)].map(([path, text]) => ({ path, text })),
      isTaken: techne.snapshot.has(name),
    }),

    async completeDraft({ body: { offset, ...draft } }) {
      const { span, items } = await completeDraft(techne.snapshot, draft, offset);
      return {
        span,
        items: items.slice(0, mostItems).map((item) => ({ ...item })),
        isCut: items.length > mostItems,
      };
    },

    async hoverDraft({ body: { offset, ...draft } }) {
      return { hover: await hoverDraft(techne.snapshot, draft, offset) };
    },
  };
}

function graphOf(plan: Plan, diagnostics: readonly Diagnostic[], text: string): GraphJson {
  const { nodes, edges } = planGraph(plan, diagnostics);
  return {
    nodes: nodes.map(({ start, end, marks, risk, ...node }) => ({
      ...node,
      place: placed(text, { start, end }),
      marks: [...marks],
      risk: [...risk],
    })),
    edges: [...edges],
    risk: plan.risk as unknown as JsonObject,
    needs: plan.needs as unknown as JsonObject,
  };
}

function placed(
  text: string,
  { start, end }: Span,
): { readonly line: number; readonly column: number; readonly endLine: number; readonly endColumn: number } {
  const [from, to] = [placeOf(text, start), placeOf(text, end)];
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

function excerptJson(found: Excerpt | null): { first: number; lines: string[] } | null {
  return found === null ? null : { first: found.first, lines: [...found.lines] };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
