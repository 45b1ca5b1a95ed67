// Bodies that come with a message: those of the best matches (eager), and of skills that the person named.
//
// A body is given whole, with the output template that its head names, or not at all: one that does not fit the budget
// of the message or the ledger stays a description. A body that the model already has is not given again. A skill that
// a person named is given whatever it costs; one called with arguments is given each time, since these make it another
// text.
import { TechneError } from '../base/error.ts';
import type { Match } from '../match/match.ts';
import { estimateTokens } from '../skill/code-points.ts';
import type { ReadSkill } from './read-skill.ts';
import { guardNote, skillSection } from './read-skill.ts';
import { withTemplate } from '../skill/body/output-template.ts';
import type { SessionState } from './session-state.ts';
import { activate, skillOn, tryRead } from './session-state.ts';
import type { SlashArguments } from './substitute.ts';
import { substitute } from './substitute.ts';

interface GivenBodies {
  /** In the order of the matches. */
  readonly sections: readonly string[];
  readonly given: readonly string[];
  /** Why a body that was wanted is not there. */
  readonly left: readonly { readonly skill: string; readonly reason: string }[];
}

interface BodyWishes {
  /** Matches whose skill a person named in the message. */
  readonly mentioned: readonly Match[];
  /** The one of these that the message calls as `/name arguments`. */
  readonly called: { readonly skill: string; readonly arguments: SlashArguments } | null;
  /** Further matches, best first; empty unless disclosure is eager. */
  readonly suggested: readonly Match[];
}

export async function giveBodies(
  state: SessionState,
  { mentioned, called, suggested }: BodyWishes,
): Promise<GivenBodies> {
  const { ledger, settings } = state;
  const sections: string[] = [];
  const names: string[] = [];
  const left: { skill: string; reason: string }[] = [];
  let room = settings.eagerTokens;
  const wishes = [
    ...mentioned.map((match) => ({ match, kind: 'person' as const })),
    ...suggested.slice(0, settings.eagerSkills).map((match) => ({ match, kind: 'suggested' as const })),
  ];
  for (const { match, kind } of wishes) {
    const skill = skillOn(state, kind === 'person' ? 'mention' : 'eager', match.skill);
    if (skill === null || names.includes(skill.name)) continue;
    const read = await tryRead(state, skill);
    if (read instanceof TechneError) {
      left.push({ skill: skill.name, reason: read.message });
      continue;
    }
    const given = called?.skill === skill.name ? called.arguments : null;
    if (
      (given === null || given.text === '') &&
      (ledger.isPreloaded(skill.name) || ledger.isLoaded(skill.name, read.version))
    )
      continue;
    const section = await sectionOf(read, given);
    const tokens = estimateTokens(section);
    const against =
      kind === 'person'
        ? null
        : tokens > room
          ? `its body has about ${tokens} tokens, and ${room} are left for this message`
          : ledger.refusal(skill.name, tokens, kind);
    if (against !== null) {
      left.push({ skill: skill.name, reason: against });
      continue;
    }
    if (kind === 'suggested') room -= tokens;
    activate(state, read, section, {
      kind,
      reason: kind === 'person' ? 'on_demand' : 'auto_suggested',
      toolUseId: null,
      tokens,
    });
    sections.push(section);
    names.push(skill.name);
  }
  return { sections, given: names, left };
}

async function sectionOf(
  { skill, text, raw, template, note }: ReadSkill,
  given: SlashArguments | null,
): Promise<string> {
  if (given === null) return skillSection(skill.name, text);
  const { argumentNames } = skill.head;
  const own = await substitute(raw, {
    arguments: given,
    argumentNames,
    baseFolder: skill.folder,
    origin: skill.origin,
  });
  return skillSection(skill.name, guardNote({ note }) + withTemplate(own, template));
}
