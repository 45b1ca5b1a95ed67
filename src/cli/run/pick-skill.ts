// `techne run` without a name, at a terminal: shows the skills that can be run, and asks for one.
//
// Only what this user may start, is ready and has a sound program or plan is offered. Enter or "q" picks nothing.
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { CommandContext } from '../context.ts';
import { columnsOf } from '../io.ts';
import { readTyped } from './typed-answer.ts';

/** Null when the person picks nothing. Throws SKILL_UNKNOWN when there is nothing to pick from. */
export async function pickSkill(context: CommandContext, snapshot: Snapshot): Promise<string | null> {
  const skills = snapshot.skills.filter((skill) => {
    const { ready, sound, visibleToUser } = snapshot.facts(skill);
    return skill.card.form !== 'instructions' && ready.ok && sound.ok && visibleToUser.ok;
  });
  if (skills.length === 0)
    throw new TechneError('SKILL_UNKNOWN', 'there is no skill here that can be run', {
      hint: '"techne new NAME --form program" creates one; "techne list --all" shows why others cannot run',
    });
  return askName(context, skills);
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
      { show, prompt: 'Which skill? Type a number or a name; Enter or q runs nothing: ', until: 'line' },
      neverAborted,
    );
    const text = typed?.text.trim() ?? '';
    if (text === '') return null;
    const name = /^\d+$/.test(text) ? names[Number(text) - 1] : names.find((one) => one === text);
    if (name !== undefined) return name;
    if (/^q(?:uit)?$/i.test(text)) return null;
    const meant = nearest(text, names);
    err.line(
      `There is no "${printableLine(text)}" in this list${meant === null ? '' : `; did you mean "${meant}"?`}`,
    );
  }
}
