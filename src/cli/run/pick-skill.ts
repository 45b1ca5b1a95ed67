// `techne run` without a name, at a terminal: shows the skills that can be run, asks for one, then for the inputs it requires.
//
// Only what this user may start, is ready and has a sound program or plan is offered. Nothing typed ends it.
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { emptyObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { CommandContext } from '../context.ts';
import { columnsOf } from '../io.ts';
import { takesText } from './read-input.ts';
import { readTyped } from './typed-answer.ts';

export interface PickedSkill {
  readonly name: string;
  /** The required inputs as they were typed; null where the skill requires none. */
  readonly input: JsonObject | null;
}

/** Null when the person picks nothing. Throws SKILL_UNKNOWN when there is nothing to pick from. */
export async function pickSkill(context: CommandContext, snapshot: Snapshot): Promise<PickedSkill | null> {
  const skills = snapshot.skills.filter((skill) => {
    const { ready, sound, visibleToUser } = snapshot.facts(skill);
    return skill.card.form !== 'instructions' && ready.ok && sound.ok && visibleToUser.ok;
  });
  if (skills.length === 0)
    throw new TechneError('SKILL_UNKNOWN', 'there is no skill here that can be run', {
      hint: '"techne new NAME --form program" creates one; "techne list --all" shows why others cannot run',
    });
  const name = await askName(context, skills);
  return name === null ? null : { name, input: await askInputs(context, snapshot, name) };
}

async function askName(context: CommandContext, skills: readonly Skill[]): Promise<string | null> {
  const { err, io } = context;
  const names = skills.map(({ name }) => name);
  let isShown = false;
  const show = (): void => {
    if (isShown) return;
    isShown = true;
    err.write(
      renderTable(
        skills.map(({ name, description }, at) => [
          String(at + 1).padStart(3),
          printableLine(name),
          printableLine(description),
        ]),
        columnsOf(io.stderr),
      ),
    );
  };
  for (;;) {
    const typed = await readTyped(
      context,
      { show, prompt: 'Run which skill? Number or name, Enter for none: ', until: 'line' },
      neverAborted,
    );
    const text = typed?.text.trim() ?? '';
    if (text === '') return null;
    const name = /^\d+$/.test(text) ? names[Number(text) - 1] : names.find((one) => one === text);
    if (name !== undefined) return name;
    const meant = nearest(text, names);
    err.line(
      `There is no "${printableLine(text)}" in this list${meant === null ? '' : `; did you mean "${meant}"?`}`,
    );
  }
}

async function askInputs(
  context: CommandContext,
  snapshot: Snapshot,
  name: string,
): Promise<JsonObject | null> {
  const { head } = snapshot.get(name);
  const keys = head.inputs ?? (await snapshot.readBody(name)).inputKeys;
  const input = emptyObject();
  for (const { key, required, description, schema } of keys) {
    if (!required || !takesText(schema)) continue;
    const typed = await readTyped(
      context,
      {
        show: () => {
          if (description !== null) context.err.line(printableLine(description));
        },
        prompt: `${printableLine(key)}: `,
        until: 'line',
      },
      neverAborted,
    );
    if (typed !== null && typed.text !== '') input[key] = typed.text;
  }
  return Object.keys(input).length === 0 ? null : input;
}
