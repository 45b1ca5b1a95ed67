import { describe, expect, it } from 'vitest';
import type { CompiledText } from '../../test/support/plan-texts.ts';
import { compileSkill, composition, skillWith } from '../../test/support/plan-texts.ts';
import type { PlanWorld } from './world.ts';

const heading: PlanWorld['skill'] = (name) =>
  name === 'heading' || name === 'flow'
    ? {
        form: name === 'heading' ? 'program' : 'workflow',
        entrypoint: null,
        risk: 'low',
        capabilities: [],
        builtin: false,
        inputs: [
          { key: 'task', required: true, description: null, schema: null },
          { key: 'level', required: false, description: null, schema: null },
        ],
      }
    : null;
const world: Partial<PlanWorld> = {
  skill: heading,
  tool: (name) =>
    name === 'read_file'
      ? {
          readOnly: true,
          capabilities: [],
          schema: {
            type: 'object',
            properties: { path: {}, limit: {} },
            required: ['path'],
            additionalProperties: false,
          },
        }
      : 'unknown',
  toolNames: () => ['read_file', 'list_files'],
};
const shown = ({ diagnostics }: CompiledText): readonly string[] =>
  diagnostics
    .filter(({ code }) => code.startsWith('PLAN_'))
    .map(({ code, message, hint }) => `${code}: ${message} (${hint})`);
const chain = (step: string): readonly string[] =>
  shown(
    compileSkill(
      skillWith(`inputs: ["task|required"]\nmetadata: {techne: {risk: low}}\nchain:\n  - ${step}\n`),
      world,
    ),
  );
const tool = (args: string, name = 'read_file'): readonly string[] =>
  shown(compileSkill(composition(`- {id: a, kind: tool_call, tool: ${name}, tool_args: ${args}}`), world));

describe('what a step gives to a skill', () => {
  it('is compared with what the skill declares', () => {
    expect(chain('{skill: heading, inputs: {tsk: x}}')).toEqual([
      'PLAN_INPUT_MISSING: step "heading": the skill "heading" needs "task", which the step does not give (add task to its inputs)',
      'PLAN_INPUT_UNKNOWN: step "heading": the skill "heading" has no input "tsk" (did you mean "task"?)',
    ]);
    expect(chain('{skill: heading, inputs: {task: x, colour: y}}')).toEqual([
      'PLAN_INPUT_UNKNOWN: step "heading": the skill "heading" has no input "colour" (its inputs are task, level)',
    ]);
    expect(chain('{skill: heading, inputs: {task: x, level: 2}}')).toEqual([]);
  });

  it('is what the run has, where it says nothing', () => {
    expect(chain('heading')).toEqual([]);
    expect(
      shown(compileSkill(skillWith('metadata: {techne: {risk: low}}\nchain: [heading]\n'), world)),
    ).toEqual([
      'PLAN_INPUT_MISSING: step "heading": the skill "heading" needs "task", which the step does not give (add task to its inputs)',
    ]);
  });

  it('may be more than a plan declares, and less: it asks for what it lacks', () => {
    expect(chain('{skill: flow, inputs: {colour: y}}')).toEqual([]);
    expect(chain('{skill: flow, inputs: {levl: y}}')).toEqual([
      'PLAN_INPUT_UNKNOWN: step "flow": the skill "flow" has no input "levl" (did you mean "level"?)',
    ]);
  });

  it('is read from the params of a workflow, too', () => {
    const steps = (params: string): readonly string[] =>
      shown(
        compileSkill(
          skillWith(`metadata: {techne: {risk: low}}\nsteps:\n  - {id: a, tool: skill, params: ${params}}\n`),
          world,
        ),
      );
    expect(steps('{skill: heading, task: x}')).toEqual([]);
    expect(steps('{skill: heading, input: {task: x}}')).toEqual([]);
    expect(steps('{skill: heading, input: {tasc: x, task: y}}')).toEqual([
      'PLAN_INPUT_UNKNOWN: step "a": the skill "heading" has no input "tasc" (did you mean "task"?)',
    ]);
  });
});

describe('what a step gives to a tool', () => {
  it('is compared with what the tool takes', () => {
    expect(tool('{pth: x}')).toEqual([
      'PLAN_STEP_FAILS: step "a": the tool "read_file" needs "path", which the step does not give (add path to its arguments)',
      'PLAN_STEP_FAILS: step "a": the tool "read_file" has no argument "pth" (did you mean "path"?)',
    ]);
    expect(tool('{path: x, limit: 3}')).toEqual([]);
    expect(tool('{anything: x}', 'server__lookup')).toEqual([]);
  });
});

describe('an unknown tool', () => {
  it('is reported when it looks like one of ours', () => {
    expect(tool('{path: x}', 'read_fil')).toEqual([
      'PLAN_TOOL_MISSING: step "a": techne has no tool "read_fil", so a server must offer it (did you mean "read_file"?)',
    ]);
    expect(tool('{path: x}', 'frobnicate')).toEqual([]);
    // The tools of other hosts are known by name.
    expect(tool('{path: x}', 'list_dir')).toEqual([]);
    expect(
      shown(
        compileSkill(
          skillWith(
            'metadata: {techne: {risk: high}}\nsteps:\n  - {id: a, tool: comand, params: {argv: [ls]}}\n',
          ),
          world,
        ),
      ),
    ).toEqual([
      'PLAN_TOOL_MISSING: step "a": techne has no tool "comand", so a server must offer it (did you mean "command"?)',
    ]);
  });
});
