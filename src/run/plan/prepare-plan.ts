// A skill with a plan -> the bundle that its run is started with, or every reason why it cannot start.
//
//   SKILL.md -> compilePlan -> skills, tools and models that its steps need -> PlanBundle | one report
//
// Before anything is written or spent, everything that is missing is reported together, each cause once, in the order
// of the steps. Skills are taken with the bytes that were judged. A step that provides for its own failure
// (on_failure, continue_on_error) may lack what it needs: it then fails, and the run continues as its author declared.
// Plans of nested runs are prepared in the same way, as deep as runs may nest. Each is prepared once, so that a plan
// that includes itself ends here; the limits of the run bound its execution.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, describeFaults } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { SkillSource, SkillToRun, StepSkill } from '../../ports/skill-source.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import { compilePlan } from '../../plan/compile-plan.ts';
import { entrypointOf } from '../../plan/entrypoint.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import { emptyWorld } from '../../plan/world.ts';
import type { ToolScope } from '../../ports/tool.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import { scopesOf } from '../../skill/tools/tool-scope.ts';
import { parseWholeFrontmatter } from '../../skill/frontmatter/read-frontmatter.ts';
import { headOfFrontmatter, parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { maximumLimits } from '../budget/limits.ts';
import { missingTools } from '../effect/missing-tools.ts';
import type { PlanBundle, PlanSelf, PlanSkill } from './bundle.ts';
import type { TakenKeys } from './input-keys.ts';
import { isHandedOn, keysOfSkill, takenKeys } from './input-keys.ts';
import { templateLines } from './template-lines.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { ceilingFault } from '../effect/capability-ceiling.ts';

export interface PreparationParts {
  readonly skills: SkillSource;
  readonly tools: ToolHost;
  readonly answerer: Answerer;
  readonly parseFull: ParseFull;
  /** As `planOfSkill`, from what was compiled before. Default: it is compiled. */
  readonly planOf?: (skill: SkillToRun) => PlanOfSkill;
  /** The tools that outer runs are held to. Default: any. */
  readonly scopes?: readonly ToolScope[];
}

export type PlanOfSkill =
  | {
      readonly ok: true;
      readonly plan: Plan;
      readonly self: PlanSelf;
      readonly head: SkillHead;
      readonly text: string;
      readonly taken: TakenKeys;
      /** Why a step is certain to fail. */
      readonly failing: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export type PreparedPlan =
  | { readonly ok: true; readonly bundle: PlanBundle; readonly files: ReadonlyMap<string, Uint8Array> }
  | ({ readonly ok: false } & Obstacles);

export interface Obstacles {
  readonly problems: readonly string[];
  /** Possible causes: servers that cannot be used. */
  readonly notes: readonly string[];
}

/** The plan of the bytes of a skill. */
export function planOfSkill(
  { name, folder, files }: Pick<SkillToRun, 'name' | 'folder' | 'files'>,
  parseFull: ParseFull,
): PlanOfSkill {
  const bytes = files.get('SKILL.md');
  if (bytes === undefined) return { ok: false, message: 'SKILL.md is missing' };
  const { text } = decodeUtf8(bytes);
  const frontmatter = parseWholeFrontmatter(text, parseFull);
  const head = headOfFrontmatter(
    frontmatter,
    { folderName: name, entries: [], fileBytes: bytes.length },
    () => undefined,
  );
  const body = parseBody(text);
  const diagnostics: Diagnostic[] = [];
  const readText = (path: string): string | null => {
    const file = files.get(path);
    return file === undefined ? null : decodeUtf8(file).text;
  };
  const world = { ...emptyWorld, file: readText, paths: () => [...files.keys()] };
  const { plan, failing } = compilePlan(
    { head, frontmatter, world, bodyInputs: body.inputKeys },
    collectInto(diagnostics, 'SKILL.md'),
    (path) => collectInto(diagnostics, path),
  );
  if (plan === null)
    return { ok: false, message: describeFaults(diagnostics, text) || `it is not a ${head.form}` };
  const { guidelines, qualityChecklist } = body.sections;
  const taken = takenKeys(
    plan,
    head.triggers,
    [...files.values()].map((file) => decodeUtf8(file).text),
  );
  return {
    ok: true,
    plan,
    head,
    text,
    taken,
    failing,
    self: {
      folder,
      guidelines,
      checklist: qualityChecklist,
      nodeType: head.nodeType,
      suggestedEdges: head.suggestedEdges,
      lines: templateLines(plan, frontmatter),
    },
  };
}

/** `looked` are the plans that were prepared already, each with its depth. */
export async function preparePlan(
  parts: PreparationParts,
  { plan, self, head, failing }: Extract<PlanOfSkill, { ok: true }>,
  looked = new Map<string, number>([[plan.name, 0]]),
  depth = 0,
): Promise<PreparedPlan> {
  const problems: { readonly at: number; readonly text: string }[] = [];
  const notes = new Set<string>();
  const put = (text: string, steps: readonly PlanStep[]): void =>
    void problems.push({ at: Math.min(...steps.map((step) => plan.steps.indexOf(step))), text });
  const addFault = (text: string, steps: readonly PlanStep[]): void =>
    put(`${text} (${stepNames(steps)})`, steps);
  const skills: { [name: string]: PlanSkill } = Object.create(null) as { [name: string]: PlanSkill };
  const files = new Map<string, Uint8Array>();
  for (const name of plan.needs.skills) {
    const steps = plan.steps.filter(
      ({ skill, route }) => skill === name || route.some(({ to }) => to === name),
    );
    const found = await findSkill(parts.skills, name);
    const faults = found === null ? [missingSkill(name, parts.skills)] : skillFaults(plan, found, steps);
    if (faults.length === 0 && found !== null) {
      skills[name] = {
        ...skillOf(found),
        ...(steps.some(isHandedOn) ? { takes: takenBy(parts, found) } : {}),
      };
      if (found.file !== null) files.set(`skills/${name}/SKILL.md`, found.file);
      const inside = isRunAsPlan(found, steps)
        ? await obstaclesInside(
            { ...parts, scopes: [...(parts.scopes ?? []), ...scopesOf(head)] },
            name,
            looked,
            depth + 1,
          )
        : none;
      for (const problem of inside.problems)
        put(`the skill "${shown(name)}" (${stepNames(steps)}) cannot run here: ${problem}`, steps);
      for (const note of inside.notes) notes.add(note);
    } else if (!steps.every(providesForFailure)) faults.forEach((fault) => addFault(fault, steps));
  }
  const wanted = plan.needs.tools
    .map((name) => ({ name, steps: plan.steps.filter(({ tool }) => tool === name) }))
    .filter(({ steps }) => !steps.every(providesForFailure));
  const { missing, notes: suspects } = await missingTools(
    parts.tools,
    wanted.map(({ name }) => name),
  );
  for (const note of suspects) notes.add(note);
  for (const { name, steps } of wanted) {
    const fault = missing.get(name);
    if (fault !== undefined) addFault(fault, steps);
  }
  for (const { step, why } of await wrongArguments(plan, parts.tools))
    if (!providesForFailure(step)) addFault(why, [step]);
  for (const { step, why } of await deniedSteps(plan, skills, parts.tools))
    if (!providesForFailure(step)) addFault(why, [step]);
  const { answerer } = parts;
  const scopes = [...(parts.scopes ?? []), ...scopesOf(head)];
  if (answerer.hasModel !== undefined) {
    for (const name of plan.needs.models)
      if (!name.includes('{{') && !answerer.hasModel(name))
        addFault(
          `the answerer "${answerer.name}" has no model "${shown(name)}"`,
          plan.steps.filter(({ model }) => model === name),
        );
  }
  if (!answerer.fenced) {
    const fenced = plan.steps.filter(
      ({ kind, tools, skill }) =>
        isAgent(kind, skill === null ? null : (skills[skill] ?? null)) &&
        (tools !== null || scopes.length > 0 || (skill !== null && (skills[skill]?.scopes.length ?? 0) > 0)),
    );
    if (fenced.length > 0)
      addFault(
        `the answerer "${answerer.name}" cannot limit agents to their tools; run it with another answerer`,
        fenced,
      );
  }
  for (const text of failing) problems.push({ at: plan.steps.length, text });
  if (problems.length === 0) return { ok: true, bundle: { plan, self, skills }, files };
  return {
    ok: false,
    problems: problems.sort((a, b) => a.at - b.at).map(({ text }) => text),
    notes: [...notes],
  };
}

/** Whether a step starts an agent; a skill that is instructions is followed by one. */
function isAgent(kind: PlanStep['kind'], skill: PlanSkill | null): boolean {
  return kind === 'agent' || (kind === 'skill' && skill?.form === 'instructions');
}

const none: Obstacles = { problems: [], notes: [] };

/** Whether a step that does not provide for its failure runs the plan of this skill. */
function isRunAsPlan({ form }: StepSkill, steps: readonly PlanStep[]): boolean {
  return (
    form !== 'instructions' &&
    form !== 'program' &&
    steps.some((step) => step.kind === 'skill' && !providesForFailure(step))
  );
}

/** What a nested plan lacks; each plan is prepared once. */
async function obstaclesInside(
  parts: PreparationParts,
  name: string,
  looked: Map<string, number>,
  depth: number,
): Promise<Obstacles> {
  if (depth > maximumLimits.depth || (looked.get(name) ?? Infinity) <= depth) return none;
  looked.set(name, depth);
  const skill = await parts.skills.find(name);
  if (skill === null) return none;
  const planned = parts.planOf?.(skill) ?? planOfSkill(skill, parts.parseFull);
  if (!planned.ok) return { problems: [`its plan has errors: ${planned.message}`], notes: [] };
  const prepared = await preparePlan(parts, planned, looked, depth);
  return prepared.ok ? none : prepared;
}

/** One report for people. */
export function obstaclesText({ problems, notes }: Obstacles): string {
  const report =
    problems.length === 1
      ? (problems[0] as string)
      : `${problems.length} things are missing:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
  return [report, ...notes].join('\n');
}

/** Sources that know only what can be run itself do for tests and small hosts. */
async function findSkill(skills: SkillSource, name: string): Promise<StepSkill | null> {
  if (skills.findForStep !== undefined) return skills.findForStep(name);
  const found = await skills.find(name);
  if (found === null) return null;
  const { form, digest, folder, runnable, instructions, scopes, model, files } = found;
  return {
    name,
    form,
    digest,
    content: null,
    folder,
    ready: { ok: true, reasons: [] },
    runnable,
    instructions,
    scopes,
    model,
    entrypoint: null,
    capabilities: null,
    env: [],
    file: files.get('SKILL.md') ?? null,
  };
}

function skillFaults(
  plan: Plan,
  { name, form, ready, runnable, entrypoint }: StepSkill,
  steps: readonly PlanStep[],
): readonly string[] {
  const faults: string[] = [];
  const say = (reasons: StepSkill['ready']['reasons']): string =>
    reasons.map(({ message, hint }) => (hint === null ? message : `${message}; ${hint}`)).join('; ');
  if (plan.form === 'composition' && form === 'composition')
    faults.push(`"${shown(name)}" is a composition, and a composition cannot contain another`);
  if (!ready.ok) faults.push(`the skill "${shown(name)}" is not ready: ${say(ready.reasons)}`);
  const lacksEntry =
    entrypointOf(entrypoint ?? undefined) === null && steps.some(({ kind }) => kind === 'exec');
  if (lacksEntry) faults.push(`the skill "${shown(name)}" has no entry point that could be executed`);
  // Without an entry point it may not be executed either: that is one fault.
  const executed = steps.some(
    ({ kind }) => (kind === 'exec' && !lacksEntry) || (kind === 'skill' && form !== 'instructions'),
  );
  if (ready.ok && executed && !runnable.ok)
    faults.push(`the skill "${shown(name)}" may not be executed: ${say(runnable.reasons)}`);
  return faults;
}

function providesForFailure({ onFailure, continueOnError }: PlanStep): boolean {
  return onFailure !== null || continueOnError;
}

function skillOf({
  name,
  form,
  digest,
  content,
  folder,
  runnable,
  instructions,
  scopes,
  model,
  entrypoint,
  capabilities,
  env,
}: StepSkill): PlanSkill {
  const trusted =
    runnable.ok &&
    (runnable.reasons.length === 0 || runnable.reasons.some(({ code }) => code.startsWith('TRUSTED_')));
  return {
    name,
    form,
    digest,
    content,
    folder,
    trusted,
    instructions,
    scopes,
    model,
    entrypoint: entrypointOf(entrypoint ?? undefined),
    capabilities,
    env,
  };
}

function takenBy({ parseFull }: PreparationParts, { name, file }: StepSkill): readonly string[] | null {
  if (file === null) return null;
  const { text } = decodeUtf8(file);
  const head = parseHead(
    text,
    { folderName: name, entries: [], complete: true, fileBytes: file.length, parseFull },
    () => undefined,
  );
  return head === 'more' ? null : keysOfSkill(head, text);
}

function missingSkill(name: string, skills: SkillSource): string {
  const close = nearest(name, skills.names());
  return `there is no skill "${shown(name)}"${close === null ? '' : `; did you mean "${close}"?`}`;
}

function stepNames(steps: readonly PlanStep[]): string {
  return `${steps.length === 1 ? 'step' : 'steps'} ${steps
    .slice(0, 8)
    .map(({ id }) => shown(id))
    .join(', ')}${steps.length > 8 ? ' …' : ''}`;
}

function shown(name: string): string {
  return printableLine(name).slice(0, 60);
}

/** The steps that give their tool an argument that it refuses; those with a condition are left to the run. */
async function wrongArguments(
  { steps }: Plan,
  tools: Pick<ToolHost, 'find'>,
): Promise<readonly DeniedStep[]> {
  const wrong: DeniedStep[] = [];
  for (const step of steps) {
    if (step.tool === null || step.when !== null || step.substituteOf !== null || step.forEach !== null)
      continue;
    const fact = await tools.find(step.tool).catch(() => null);
    const { properties, additionalProperties } = fact?.parameters ?? {};
    if (additionalProperties !== false || !isJsonObject(properties)) continue;
    const strange = Object.keys(step.values).find((key) => !Object.hasOwn(properties, key));
    if (strange !== undefined)
      wrong.push({ step, why: `the tool "${shown(step.tool)}" has no argument "${shown(strange)}"` });
  }
  return wrong;
}

interface DeniedStep {
  readonly step: PlanStep;
  readonly why: string;
}

/**
 * The steps that are certain to be denied by the ceiling of their plan: without a condition, not a substitute, and whose tool
 * exists or whose skill declares what it does. Other steps are checked when they begin.
 */
async function deniedSteps(
  { steps, capabilities }: Plan,
  skills: { readonly [name: string]: PlanSkill },
  tools: Pick<ToolHost, 'find'>,
): Promise<readonly DeniedStep[]> {
  if (capabilities === null) return [];
  const denied: DeniedStep[] = [];
  for (const step of steps) {
    const effect = step.when === null && step.substituteOf === null ? effectOf(step, skills) : null;
    if (effect === null) continue;
    const fact = step.tool === null ? null : await tools.find(step.tool).catch(() => null);
    const fault =
      effect.kind === 'tool' && fact === null
        ? null
        : ceilingFault([capabilities], effect.kind, effect.request, fact?.readOnly === true);
    if (fault !== null) denied.push({ step, why: fault });
  }
  return denied;
}

function effectOf(
  { kind, tool, skill, route }: PlanStep,
  skills: { readonly [name: string]: PlanSkill },
): { readonly kind: string; readonly request: JsonObject } | null {
  if (kind === 'tool' && tool !== null) return { kind, request: { tool } };
  if (kind === 'command') return { kind, request: {} };
  const declared =
    kind === 'exec' && route.length === 0 && skill !== null ? (skills[skill]?.capabilities ?? null) : null;
  return declared === null ? null : { kind: 'command', request: { base: { capabilities: declared } } };
}
