// What one message adds to the prompt: a block that lists the skills it asks for, and the bodies that come with it.
//
//   message, matched + SessionPrefix -> TurnText
//
// Bodies of skills that a person named or called are given; those of other matches where disclosure is eager
// (eager-bodies.ts). Where the index holds every description, the block repeats only certain matches.
import type { MatchResult } from '../match/match.ts';
import { countCodePoints } from '../skill/code-points.ts';
import { giveBodies } from './eager-bodies.ts';
import type { IndexEntry } from './render-index.ts';
import { tokensOf } from './render-index.ts';
import type { SessionState } from './session-state.ts';
import { mayUse } from './session-state.ts';
import type { SessionPrefix } from './session-prefix.ts';
import type { Enrichment } from './skill-provider.ts';
import type { SlashCommand } from './slash-command.ts';
import { renderTurnBlock } from './turn-block.ts';
import { renderValues } from './turn-values.ts';

type TurnText = Pick<Enrichment, 'block' | 'tokens' | 'told' | 'given' | 'left'>;

/** A mention is activated from here on. */
const mentionConfidence = 0.5;

/** `command`: how the message begins; `null` where naming a skill gives nothing. */
export async function enrichTurn(
  state: SessionState,
  prefix: SessionPrefix,
  match: MatchResult,
  command: SlashCommand | null,
): Promise<TurnText> {
  const mentioned =
    command === null
      ? []
      : match.matches.filter(
          ({ mode, confidence }) => mode === 'explicit' && confidence >= mentionConfidence,
        );
  const suggested =
    state.settings.disclosure === 'eager' ? match.matches.filter((each) => !mentioned.includes(each)) : [];
  const called = command?.kind === 'skill' ? command : null;
  const { sections, given, left } = await giveBodies(state, { mentioned, called, suggested });
  const shown = prefix.isWhole ? match.matches : [...match.matches, ...match.candidates];
  const entries = shown
    .slice(0, prefix.toldSkills)
    .flatMap(({ skill }) => entryOf(state, prefix, skill, given));
  const block = renderTurnBlock(
    entries,
    match.matches.length > 0 ? 'sure' : 'unsure',
    prefix.turnRoom,
    renderValues(state.values),
  );
  const note =
    sections.length === 0
      ? []
      : [
          'These bodies are given here. Follow them as far as they serve the message; do not load them again.',
        ];
  const text = [block.text, ...note, ...sections.map((section) => section.trimEnd())]
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    block: text,
    tokens: tokensOf(countCodePoints(text)),
    told: [...block.described, ...block.named],
    given,
    left,
  };
}

function entryOf(
  state: SessionState,
  prefix: SessionPrefix,
  name: string,
  given: readonly string[],
): readonly IndexEntry[] {
  const known = prefix.entries.get(name) ?? hiddenEntry(state, prefix, name);
  if (known === null) return [];
  const isLoaded =
    given.includes(name) || (state.ledger.isActive(name) && !prefix.preloading.names.has(name));
  if (!isLoaded) return [known];
  const label = `${known.label} [loaded]`;
  return [{ ...known, label, size: { ...known.size, name: known.size.name + ' [loaded]'.length } }];
}

/** A skill that only people start, and one has. */
function hiddenEntry(state: SessionState, prefix: SessionPrefix, name: string): IndexEntry | null {
  if (!state.snapshot.has(name)) return null;
  const skill = state.snapshot.get(name);
  return mayUse(state, 'load', skill) ? prefix.entryFor(skill) : null;
}
