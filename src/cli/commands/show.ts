// techne show
//
// JSON: the skill as in `techne list --json`, and: facts {ready, visibleToUser, visibleToModel, listed, runnable}, each
// {ok, reasons}; version, digest, estimatedTokens, head, sections, inputKeys, references, files, diagnostics.
// A value that cannot be determined is null, and `unavailable` has the reason.
import type { JsonObject } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Fact, Facts, Skill } from '../../registry/types.ts';
import type { SkillHead } from '../../skill/types.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { describeDetails, gatherDetails } from '../../techne/show-skill.ts';
import type { SkillDetails } from '../../techne/show-skill.ts';
import { displayPath } from '../../techne/paths.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import { listFacts } from '../../techne/list-facts.ts';

export async function runShow(context: CommandContext): Promise<number> {
  const { args, out } = context;
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const skill = resolveSkill(snapshot, args.positionals[0] as string);
  if (args.flag('body')) {
    const { text } = await snapshot.readBody(skill.name);
    if (context.json) out.json({ name: skill.name, body: text });
    else out.line(printable(text).replace(/\n$/, ''));
    return 0;
  }
  const details = await gatherDetails(snapshot, skill, () => library.isRunnable(snapshot, skill.name));
  const facts = (await listFacts(library, snapshot, [skill]))(skill);
  if (context.json) out.json(describeDetails(snapshot, skill, facts, details));
  else {
    const { limits } = skill.head;
    writeText(context, snapshot, skill, facts, details, limits === null ? null : await limitsOf(limits));
  }
  return 0;
}

/** What a run may have at most is loaded for a skill that declares limits. */
async function limitsOf(limits: NonNullable<SkillHead['limits']>): Promise<string> {
  const [{ maximumLimits }, { limitWords }] = await Promise.all([
    import('../../run/budget/limits.ts'),
    import('../../techne/trust-skill.ts'),
  ]);
  return limitWords(limits, maximumLimits);
}

function writeText(
  context: CommandContext,
  snapshot: Snapshot,
  skill: Skill,
  facts: Facts,
  details: SkillDetails,
  limits: string | null,
): void {
  const { out, io, colour, quiet } = context;
  const paint = createPaint(colour);
  const shown = (path: string): string => printableLine(displayPath(path, io));
  const { head } = skill;
  const lines = [paint.bold(printableLine(skill.name)), printableLine(skill.description), ''];
  const row = (label: string, value: string | null): void => {
    if (value !== null && value !== '') lines.push(`${paint.dim(label.padEnd(14))} ${value}`);
  };
  row('file', shown(skill.file));
  row('source', `${skill.source} (${skill.root.host})`);
  row('origin', originText(skill));
  for (const { skill: loser, winner, reason } of snapshot.shadowed)
    if (winner.name === skill.name) row('shadows', `${shown(loser.file)}: ${printableLine(reason)}`);
  row(
    'form',
    head.form +
      (head.program === null ? '' : `, ${printableLine(head.program)}`) +
      (skill.card.bar === null ? '' : `: cannot be executed, ${printableLine(skill.card.bar.message)}`),
  );
  for (const [label, fact] of [
    ['ready', facts.ready],
    ['for people', facts.visibleToUser],
    ['for the model', facts.visibleToModel],
    ['listed', facts.listed],
    ['runnable', details.runnable],
  ] as const) {
    if (fact !== null) lines.push(...factLines(paint.dim(label.padEnd(14)), fact, quiet));
  }
  row('limits', limits);
  for (const [label, value] of headRows(head)) row(label, value === null ? null : printableLine(value));
  for (const input of head.inputs ?? details.body?.inputKeys ?? []) {
    row(
      'input',
      `${printableLine(input.key)}${inputKind(input)}${input.description === null ? '' : `: ${printableLine(input.description)}`}`,
    );
  }
  const sections = Object.entries(details.body?.sections ?? {})
    .filter(([, text]) => text !== null)
    .map(([name]) => name);
  row('sections', sections.join(', '));
  for (const file of details.files ?? [])
    row(
      'resource',
      `${printableLine(file.path)}${file.entry === 'file' ? `, ${file.size} bytes` : `, ${file.entry}`}`,
    );
  row('tokens', details.body === null ? null : `about ${details.body.estimatedTokens}`);
  row('version', details.version);
  row('digest', details.manifest?.digest ?? null);
  for (const reason of details.unavailable) row('unknown', printableLine(reason));
  if (skill.diagnostics.length > 0) lines.push('');
  for (const diagnostic of skill.diagnostics)
    lines.push(
      renderDiagnostic(
        { ...diagnostic, path: displayPath(diagnostic.path, io), hint: quiet ? null : diagnostic.hint },
        details.text,
        { colour },
      ),
    );
  out.write(`${lines.join('\n')}\n`);
}

/** ` (required string)`, ` (integer, default 3)`. */
function inputKind({
  required,
  schema = null,
}: {
  readonly required: boolean;
  readonly schema?: JsonObject | null;
}): string {
  const type =
    typeof schema?.['type'] === 'string'
      ? schema['type']
      : Array.isArray(schema?.['enum'])
        ? `one of ${schema['enum'].map((one) => JSON.stringify(one)).join(', ')}`
        : null;
  const words = [...(required ? ['required'] : []), ...(type === null ? [] : [type])].join(' ');
  const given =
    schema?.['default'] === undefined
      ? ''
      : `${words === '' ? '' : ', '}default ${JSON.stringify(schema['default'])}`;
  return words + given === '' ? '' : ` (${printableLine(words + given)})`;
}

function factLines(label: string, fact: Fact, quiet: boolean): readonly string[] {
  const [first, ...more] = fact.reasons.map(
    ({ code, message, hint }) =>
      `${code} ${printableLine(message)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
  );
  const answer = fact.ok ? 'yes' : 'no';
  return [
    `${label} ${answer}${first === undefined ? '' : `: ${first}`}`,
    ...more.map((line) => `${' '.repeat(14)}     ${line}`),
  ];
}

function headRows(head: SkillHead): readonly (readonly [string, string | null])[] {
  const { requires } = head;
  const needs =
    requires === null
      ? []
      : [
          ...requires.bins,
          ...requires.anyBins.map((any) => any.join(' or ')),
          ...requires.env.map((name) => `$${name}`),
          ...requires.anyEnv.map((any) => any.map((name) => `$${name}`).join(' or ')),
          ...requires.config.map((name) => `config ${name}`),
          ...requires.os.map((name) => `os ${name}`),
          ...requires.tools.map((name) => `tool ${name}`),
          ...requires.skills.map((name) => `skill ${name}`),
        ];
  return [
    ['declared name', head.declaredName === head.name ? null : head.declaredName],
    ['when to use', head.whenToUse],
    ['triggers', head.triggers.map(({ phrase }) => `"${phrase}"`).join(', ')],
    ['requires', needs.join(', ')],
    ['allowed tools', head.allowedTools?.join(', ') ?? null],
    ['tools', head.tools?.join(', ') ?? null],
    ['arguments', head.argumentHint],
    ['output', head.output],
    ['risk', head.risk],
    ['capabilities', head.capabilities?.join(', ') ?? null],
    ['node type', head.nodeType],
    ['note', head.note === null ? null : head.note.path],
    ['license', head.license],
    ['compatibility', head.compatibility],
    ['declared version', head.declaredVersion],
    ['dialects', head.dialects.join(', ')],
  ];
}

/** How it came here; `null` for what the source says already. */
function originText({ origin, source, name }: Skill): string | null {
  if (origin.kind !== 'installed') return origin.from === null ? null : `from ${printableLine(origin.from)}`;
  const from = origin.from === null ? '' : ` from ${printableLine(origin.from)}`;
  const folder =
    origin.from !== null && /^\.{1,2}(?:\/|$)/.test(origin.from)
      ? source === 'user'
        ? ', seen from ~/.techne'
        : ', seen from the workspace'
      : '';
  return `installed by techne add${from}${folder}; techne outdated ${printableLine(name)} asks for news`;
}
