// techne index
import { printable } from '../../base/printable.ts';
import { createUntrustedCheck } from '../../techne/untrusted-check.ts';
import type { PromptBudget } from '../../prompt/budget.ts';
import type { TierCost } from '../../prompt/render-index.ts';
import { tierCosts } from '../../prompt/render-index.ts';
import type { Enrichment } from '../../prompt/skill-provider.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import { charactersPerToken, leastDescription } from '../../prompt/index-layout.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { openMatcher } from '../../techne/open-matcher.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';

const most = 10_000_000;

export async function runIndex(context: CommandContext): Promise<number> {
  const { args, out, err, quiet } = context;
  const tokens = numberOption(args, 'budget', 0, most);
  const characters = numberOption(args, 'characters', 0, most);
  const message = args.value('message');
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const { config, broken } = library.loaded;
  const snapshot = await library.load();
  const budget: PromptBudget =
    tokens === null && characters === null
      ? { tokens: config.index.budgetTokens }
      : { ...(tokens === null ? {} : { tokens }), ...(characters === null ? {} : { characters }) };
  const session = await createSkillSession({
    snapshot,
    matcher:
      message === null
        ? null
        : await openMatcher(snapshot, {
            environment: library.environment,
            onNotice: (text) => err.line(`warning: ${printable(text)}`),
            wordsFile: library.wordsFile('offered'),
          }),
    budget,
    settings: { ...config.prompt, ...(args.flag('eager') ? { disclosure: 'eager' } : {}) },
    isUntrusted: createUntrustedCheck(library),
    holds: false,
    isTrustedToRun: (skill, among) => library.isTrusted(among, skill),
    runs: config.metaskills.enabled && config.execution.policy !== 'off' && broken === null,
    onWarning: (warning) => err.line(`warning: ${printable(warning)}`),
  });
  const turn = message === null ? null : await session.enrich({ message });
  if (context.json) {
    out.json(describe(session, message, turn));
    return 0;
  }
  const parts = [session.prefix, turn?.block ?? ''].filter((part) => part !== '');
  if (parts.length > 0) out.write(`${printable(parts.join('\n\n'))}\n`);
  if (!quiet) err.write(`${parts.length > 0 ? '\n' : ''}${summary(session, turn)}`);
  return 0;
}

function describe(session: SkillSession, message: string | null, turn: Enrichment | null): unknown {
  const { tier, listed, omitted, descriptionLimit, characters, tokens } = session.index;
  const { limit, turn: kept } = session.room;
  const size = (count: number): { readonly characters: number; readonly tokens: number } => ({
    characters: count,
    tokens: tokensIn(count),
  });
  return {
    budget: { ...size(limit), index: size(tier === 'full' ? limit : session.room.index), turn: size(kept) },
    tier,
    listed,
    omitted,
    descriptionLimit,
    characters,
    tokens,
    tiers: costsOf(session),
    preloaded: session.ledger.state().preloaded,
    prefix: session.prefix,
    turn:
      turn === null
        ? null
        : {
            message,
            block: turn.block,
            tokens: turn.tokens,
            told: turn.told,
            given: turn.given,
            left: turn.left,
            matches: turn.match.matches,
            abstained: turn.match.abstained,
            candidates: turn.match.candidates,
          },
  };
}

/** The cost of each tier: exact for the shown one, an upper bound for the others. */
function costsOf(session: SkillSession): readonly TierCost[] {
  const { tier, characters, tokens } = session.index;
  return tierCosts(session.entries, shownLimit(session)).map((cost) =>
    cost.tier === tier && characters > 0 ? { tier, characters, tokens } : cost,
  );
}

/** The description length that the row of the tier `shortened` is computed for. */
function shownLimit({ index: { tier, descriptionLimit } }: SkillSession): number {
  return descriptionLimit ?? (tier === 'full' ? 80 : leastDescription);
}

function tokensIn(characters: number): number {
  return Math.floor(characters / charactersPerToken);
}

function meaningOf(tier: TierCost['tier'], session: SkillSession): string {
  switch (tier) {
    case 'full':
      return 'full descriptions';
    case 'shortened':
      return `at most ${shownLimit(session)} characters of each`;
    case 'names':
      return 'names only';
    case 'omitted':
      return session.index.listed > 0 && session.index.tier === 'omitted'
        ? 'as many names as fit, and a note'
        : 'a note that there are skills';
  }
}

function over({ tier, characters }: TierCost, { limit, index }: SkillSession['room']): string {
  // Below `full`, part of the budget is reserved for the block of the turn; the note about omitted skills may use it.
  const bound = tier === 'full' || tier === 'omitted' ? limit : index;
  return characters <= bound ? '' : `; over ${tokensIn(bound)}`;
}

function summary(session: SkillSession, turn: Enrichment | null): string {
  const { tier, listed, omitted, descriptionLimit, characters, tokens } = session.index;
  if (listed + omitted === 0) return 'No skill is visible to the model, so the prompt has no index.\n';
  const { room } = session;
  const cut = descriptionLimit === null ? '' : `, descriptions of at most ${descriptionLimit} characters`;
  const lines = [
    `tier ${tier}: ${counted(listed, 'skill')} listed${omitted === 0 ? '' : `, ${omitted} not`}${cut}; ${characters} characters, about ${tokens} of ${tokensIn(tier === 'full' ? room.limit : room.index)} tokens`,
    ...(tier === 'full'
      ? []
      : [
          `the budget of ${tokensIn(room.limit)} tokens is too small for all descriptions: the index gets ${tokensIn(room.index)} of them, the block of a turn ${tokensIn(room.turn)}`,
        ]),
    ...(turn === null
      ? []
      : [
          `this message: ${counted(turn.told.length, 'skill')}, about ${turn.tokens} tokens${turn.match.abstained === null ? '' : `; not sure: ${printable(turn.match.abstained)}`}`,
        ]),
  ];
  const rows = costsOf(session).map((cost) => [
    `  ${cost.tier}`,
    `${cost.tokens} tokens`,
    `${meaningOf(cost.tier, session)}${over(cost, room)}`,
  ]);
  return `${lines.join('\n')}\n${renderTable(rows, null)}`;
}
