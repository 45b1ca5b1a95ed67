// A step with its rendered values -> the effect it asks for, or why it cannot.
//
//   agent -> ask     chat -> chat     classify -> classify     input -> input     tool -> tool
//   command, exec -> command          skill -> skill, or ask for a skill that is instructions
//
// A request follows from the plan and from the outputs of earlier steps; it contains nothing of this machine.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { toolsWithin } from '../../skill/tools/tool-scope.ts';
import type { CompiledBundle, CompiledStep } from './compile-bundle.ts';
import { inputRequest } from '../clarify/request.ts';
import type { EffectRequest } from '../effect/effect.ts';
import { commandOfEntrypoint } from './entrypoint-request.ts';
import { argvFault } from '../program/host-arguments.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { PlanSkill } from './bundle.ts';
import { stepAnswerText, classifyPrompt, defaultSystem, shownText, skillPrompt, taskOf } from './prompts.ts';
import type { Evaluated, EvaluationParts } from './templates.ts';
import { renderText } from './templates.ts';
import { schemaFaults } from '../../base/schema/schema.ts';

/** An effect without its key. */
export type StepEffect = Omit<EffectRequest, 'key'>;

interface RequestParts {
  readonly compiled: CompiledBundle;
  readonly step: CompiledStep;
  /** Rendered. */
  readonly values: JsonObject;
  /** Of an agent, exec or skill step, after route. */
  readonly skill: string | null;
  readonly evaluation: EvaluationParts;
  readonly limits: RunLimits;
  readonly inputs: JsonObject;
  /** Outputs of steps before, in the order of the document. */
  readonly upstream: readonly { readonly step: string; readonly text: string }[];
  /** In a chain: what the step before gave. */
  readonly previous: Json | undefined;
}

export function stepEffect(parts: RequestParts): Evaluated<StepEffect> {
  const { step } = parts.step;
  const [schemaFault] = step.outputSchema === null ? [] : schemaFaults(step.outputSchema);
  if (schemaFault !== undefined) return fault('STEP_INVALID', `output_schema: ${schemaFault}`);
  switch (step.kind) {
    case 'chat':
      return chatEffect(parts);
    case 'classify':
      return effect(
        'classify',
        {
          prompt: classifyPrompt(parts.values, step.choices ?? []),
          choices: step.choices ?? [],
          ...asked(parts, 1, null),
        },
        parts,
      );
    case 'agent':
      return agentEffect(parts);
    case 'input':
      return inputEffect(parts);
    case 'tool':
      return effect(
        'tool',
        {
          tool: step.tool as string,
          args: parts.values,
          timeout_ms: timeoutOf(parts, parts.limits.commandTimeoutMaxMs),
        },
        parts,
      );
    case 'command':
      return commandEffect(parts);
    case 'exec':
      return execEffect(parts);
    case 'skill':
      return skillEffect(parts);
  }
}

function fault(code: string, message: string): Evaluated<never> {
  return { ok: false, fault: { code, message } };
}

function effect(
  kind: EffectRequest['kind'],
  request: JsonObject,
  { step: { step } }: RequestParts,
): Evaluated<StepEffect> {
  return { ok: true, value: { kind, request, repeatable: step.idempotent, timeoutMs: step.timeoutMs } };
}

/** An attempt takes no longer than the step declares. The run stops it when its own time is over; that is not part of what is asked
 *  for, so that a fork with more time keeps what was done. */
function timeoutOf({ step: { step } }: RequestParts, usual: number): number {
  return step.timeoutMs ?? usual;
}

/** What every question to a model has besides its prompt. */
function asked(
  { step: { step }, values }: RequestParts,
  maxTurns: number,
  skill: PlanSkill | null,
): JsonObject {
  const model = step.model ?? skill?.model ?? null;
  const { purpose } = values;
  return {
    max_turns: maxTurns,
    purpose: typeof purpose === 'string' && purpose !== '' ? purpose : step.id,
    ...(model === null ? {} : { model }),
    ...(step.outputSchema === null || step.kind === 'classify' ? {} : { schema: step.outputSchema }),
  };
}

function chatEffect(parts: RequestParts): Evaluated<StepEffect> {
  const task = taskOf(parts.values);
  if (task === null)
    return fault('STEP_INVALID', 'there is nothing to ask: with.task, with.prompt and with.text are empty');
  const { system = null } = parts.values;
  return effect(
    'chat',
    {
      prompt: task,
      system: system === null || system === '' ? defaultSystem : shownText(system),
      ...asked(parts, 1, null),
    },
    parts,
  );
}

function agentEffect(parts: RequestParts): Evaluated<StepEffect> {
  const {
    step: { step },
    values,
    limits,
  } = parts;
  const skill = parts.skill === null ? null : skillNamed(parts, parts.skill);
  if (parts.skill !== null && skill === null) return missing(parts.skill);
  const prompt = skill === null ? taskOf(values) : skillPrompt(skill, values);
  if (prompt === null) return fault('STEP_INVALID', 'there is nothing to ask: params.prompt is empty');
  const given =
    Array.isArray(values['tools']) && skill === null
      ? (values['tools'] as readonly Json[]).filter((one) => typeof one === 'string')
      : null;
  const tools = toolsWithin(step.tools ?? given, skill?.scopes ?? []);
  const { system = null, max_turns: turns = null } = skill === null ? values : {};
  const maxTurns = Math.min(
    Math.max(1, step.maxTurns ?? (typeof turns === 'number' ? Math.floor(turns) : limits.turnsPerAsk)),
    limits.turnsPerAsk,
  );
  return effect(
    'ask',
    {
      prompt,
      ...(system === null || system === '' ? {} : { system: shownText(system) }),
      ...asked(parts, maxTurns, skill),
      ...(tools === null ? {} : { tools }),
      ...disallowedBy(skill),
    },
    parts,
  );
}

/** What the skill of an agent takes away from it. */
function disallowedBy(skill: PlanSkill | null): JsonObject {
  const disallowed = skill?.scopes.flatMap((scope) => scope.disallowed) ?? [];
  return disallowed.length === 0 ? {} : { disallowed_tools: disallowed };
}

function inputEffect({
  step: { step, intro },
  evaluation,
  upstream,
  inputs,
}: RequestParts): Evaluated<StepEffect> {
  const { clarify } = step;
  if (clarify === null || intro === null) return fault('STEP_INVALID', 'the form is missing');
  const language = inputs['user_language'] === 'zh' ? 'zh' : inputs['user_language'] === 'en' ? 'en' : null;
  const rendered = renderText(intro, evaluation);
  if (!rendered.ok) return rendered;
  const own = language === null ? null : clarify.intros[language];
  return {
    ok: true,
    value: {
      kind: 'input',
      request: inputRequest({
        step: step.id,
        clarify,
        intro: own ?? rendered.value,
        upstream,
        language,
        message: inputs['user_message'] ?? '',
      }),
      repeatable: true,
      timeoutMs: null,
    },
  };
}

function commandEffect(parts: RequestParts): Evaluated<StepEffect> {
  const { argv = null, cwd = null, stdin = null, env = null, timeout = null } = parts.values;
  const words = Array.isArray(argv) ? (argv as readonly Json[]).map(shownText) : argv;
  const wrong = argvFault(words);
  if (wrong !== null) return fault('STEP_INVALID', wrong);
  const usual =
    typeof timeout === 'number' && timeout > 0 ? Math.round(timeout * 1000) : parts.limits.commandTimeoutMs;
  const request: { [key: string]: Json } = { argv: words, timeout_ms: timeoutOf(parts, usual) };
  if (cwd !== null && cwd !== '') request['cwd'] = shownText(cwd);
  if (stdin !== null) request['stdin'] = shownText(stdin);
  if (isJsonObject(env) && Object.keys(env).length > 0)
    request['env'] = Object.fromEntries(Object.keys(env).map((name) => [name, shownText(env[name] as Json)]));
  return effect('command', request, parts);
}

function execEffect(parts: RequestParts): Evaluated<StepEffect> {
  const {
    compiled,
    evaluation,
    step: { step },
  } = parts;
  const skill = parts.skill === null ? null : skillNamed(parts, parts.skill);
  if (skill === null) return missing(parts.skill ?? '');
  const { name, digest, content, trusted, entrypoint, env } = skill;
  if (entrypoint === null) return fault('STEP_INVALID', `the skill "${name}" has no entry point`);
  const folder = skill.folder ?? '.';
  const within: EvaluationParts = {
    ...evaluation,
    variables: (reads) => ({
      ...evaluation.variables(reads),
      with: parts.values,
      baseDir: folder,
      base_dir: folder,
    }),
  };
  let failed: Evaluated<never> | null = null;
  const render = (source: string): string => {
    const rendered = failed ?? renderText(compiled.text(source), within);
    if (rendered.ok) return rendered.value;
    failed ??= fault(rendered.fault.code, `the skill "${name}": ${rendered.fault.message}`);
    return ' ';
  };
  const made = commandOfEntrypoint({
    entrypoint,
    skill: { name, digest, folder, trusted, content },
    declaredEnv: env,
    render,
  });
  if (failed !== null) return failed;
  if (!made.ok) return fault('STEP_INVALID', made.message);
  const { timeout_ms: timeoutMs, base } = made.request;
  return effect(
    'command',
    {
      ...made.request,
      timeout_ms: Math.min(step.timeoutMs ?? (timeoutMs as number), timeoutMs as number),
      // What it is held to (capability-ceiling.ts).
      base: {
        ...(base as JsonObject),
        ...(skill.capabilities === null ? {} : { capabilities: skill.capabilities }),
        ...(skill.scopes.length === 0 ? {} : { scopes: skill.scopes.map((scope) => ({ ...scope })) }),
      },
    },
    parts,
  );
}

function skillEffect(parts: RequestParts): Evaluated<StepEffect> {
  const { step, values, inputs, previous, compiled } = parts;
  let name = parts.skill ?? '';
  if (step.skillName !== null) {
    const rendered = renderText(step.skillName, parts.evaluation);
    if (!rendered.ok) return rendered;
    name = rendered.value.trim();
  }
  const skill = skillNamed(parts, name);
  if (skill === null && step.skillName === null) return missing(name);
  const { skill: _skill, name: _name, input, ...rest } = values;
  const given =
    compiled.plan.form === 'workflow'
      ? isJsonObject(input) && Object.keys(rest).length === 0
        ? input
        : input === undefined
          ? rest
          : { ...rest, input }
      : values;
  const handed = Object.keys(given).length > 0 ? given : handedOn(inputs, previous, skill?.takes ?? null);
  if (skill?.form === 'instructions') {
    const { limits } = parts;
    const tools = toolsWithin(step.step.tools, skill.scopes);
    return effect(
      'ask',
      {
        prompt: skillPrompt(skill, handed),
        ...asked(parts, Math.min(step.step.maxTurns ?? limits.turnsPerAsk, limits.turnsPerAsk), skill),
        ...(tools === null ? {} : { tools }),
        ...disallowedBy(skill),
      },
      parts,
    );
  }
  // Entered again it finds the run that it started, so nothing is done twice.
  return {
    ok: true,
    value: {
      kind: 'skill',
      request: { skill: name, input: handed },
      repeatable: true,
      timeoutMs: step.step.timeoutMs,
    },
  };
}

/** A step without inputs gets those of the run and the output of the step before, as far as its skill takes them. */
function handedOn(
  inputs: JsonObject,
  previous: Json | undefined,
  takes: readonly string[] | null,
): JsonObject {
  const handed =
    previous === undefined ? inputs : { ...inputs, input: previous, user_message: stepAnswerText(previous) };
  return takes === null
    ? handed
    : Object.fromEntries(Object.entries(handed).filter(([key]) => takes.includes(key)));
}

function skillNamed({ compiled }: RequestParts, name: string): PlanSkill | null {
  const { skills } = compiled.bundle;
  return Object.hasOwn(skills, name) ? (skills[name] as PlanSkill) : null;
}

function missing(name: string): Evaluated<never> {
  return fault('SKILL_UNKNOWN', `the skill "${name}" was not there when the run was started`);
}
