// techne index
import { printable } from '../../base/printable.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import type { PromptBudget } from '../../prompt/budget.ts';
import { charactersIn } from '../../prompt/budget.ts';
import type { TierCost } from '../../prompt/render-index.ts';
import { tierCosts } from '../../prompt/render-index.ts';
import type { Enrichment } from '../../prompt/skill-provider.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';
import { openMatcher } from '../open-matcher.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../render-table.ts';
import { reportConfig } from '../report-config.ts';

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
  const budget: PromptBudget = tokens === null && characters === null ? { tokens: config.index.budgetTokens } : { ...(tokens === null ? {} : { tokens }), ...(characters === null ? {} : { characters }) };
  const session = await createSkillSession({
    snapshot,
    decodeUtf8: nodeDecodeUtf8,
    matcher: message === null ? null : await openMatcher(snapshot),
    budget,
    settings: { ...config.prompt, ...(args.flag('eager') ? { disclosure: 'eager' } : {}) },
    runs: config.metaskills.enabled && config.execution.policy !== 'off' && broken === null,
    onWarning: (warning) => err.line(`warning: ${printable(warning)}`),
  });
  const turn = message === null ? null : await session.enrich({ message });
  if (context.json) {
    out.json(describe(session, budget, message, turn));
    return 0;
  }
  const parts = [session.prefix, turn?.block ?? ''].filter((part) => part !== '');
  if (parts.length > 0) out.write(`${printable(parts.join('\n\n'))}\n`);
  if (!quiet) err.write(`${parts.length > 0 ? '\n' : ''}${summary(session, budget, turn)}`);
  return 0;
}

function describe(session: SkillSession, budget: PromptBudget, message: string | null, turn: Enrichment | null): unknown {
  const { tier, listed, omitted, descriptionLimit, characters, tokens } = session.index;
  const limit = charactersIn(budget);
  return {
    budget: { characters: limit, tokens: Math.floor(limit / 4) },
    tier, listed, omitted, descriptionLimit, characters, tokens,
    tiers: tierCosts(session.entries),
    preloaded: session.ledger.state().preloaded,
    prefix: session.prefix,
    turn: turn === null ? null : { message, block: turn.block, tokens: turn.tokens, told: turn.told, given: turn.given, left: turn.left, matches: turn.match.matches, abstained: turn.match.abstained, candidates: turn.match.candidates },
  };
}

const meanings: { readonly [tier in TierCost['tier']]: string } = {
  full: 'whole descriptions',
  shortened: 'at most 80 characters of each',
  names: 'names alone',
  omitted: 'a note that there are skills',
};

function summary(session: SkillSession, budget: PromptBudget, turn: Enrichment | null): string {
  const { tier, listed, omitted, descriptionLimit, characters, tokens } = session.index;
  if (listed + omitted === 0) return 'There are no skills that a model may see, so the prompt says nothing about them.\n';
  const limit = charactersIn(budget);
  const cut = descriptionLimit === null ? '' : `, descriptions of at most ${descriptionLimit} characters`;
  const lines = [
    `tier ${tier}: ${counted(listed, 'skill')} listed${omitted === 0 ? '' : `, ${omitted} not`}${cut}; ${characters} characters, about ${tokens} of ${Math.floor(limit / 4)} tokens`,
    ...(turn === null ? [] : [`this message: ${counted(turn.told.length, 'skill')}, about ${turn.tokens} tokens${turn.match.abstained === null ? '' : `; not sure: ${printable(turn.match.abstained)}`}`]),
  ];
  const rows = tierCosts(session.entries).map((cost) => [`  ${cost.tier}`, `${cost.tokens} tokens`, meanings[cost.tier]]);
  return `${lines.join('\n')}\n${renderTable(rows, null)}`;
}
