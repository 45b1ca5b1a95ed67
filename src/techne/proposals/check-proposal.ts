// A proposal -> what the production path makes of it: one report, with each check passed, failed or skipped, and why.
//
//   snapshot without the base, with the candidate -> parser, strict rules, compiler, guard, matcher, engine -> ProposalReport
//
// Nothing here is a second implementation: the candidate goes through what loads, checks, scans, matches and runs every skill.
// A check that could not be made is skipped, never passed. A check that throws has failed.
import { join } from 'node:path';
import { FileFault } from '../../ports/files.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { Report, Verdict } from '../../guard/report.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';
import type { CheckName, CheckResult, Proposal, ProposalReport } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { Risk } from '../../skill/types.ts';
import type { CheckedSkill } from '../check/check-skill.ts';
import { checkSkill } from '../check/check-skill.ts';
import { skillsNamedIn } from '../check/plan-world.ts';
import { acceptedFile } from '../paths.ts';
import { createNameBook } from '../../guard/detect/name-book.ts';
import { scanTree } from '../guard/scan-tree.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { checkNames } from './check-names.ts';
import { checkDryRun, checkTests } from './check-runs.ts';
import { checkOtherTriggers, checkTriggers } from './check-triggers.ts';
import type { Used } from './used-capabilities.ts';
import { understated, usedCapabilities } from './used-capabilities.ts';
import type { Outcome } from './outcome.ts';
import { failed, findingLine, lineOf, passed, skipped } from './outcome.ts';
import { sidesOf } from './install-change.ts';
import type { ProposalQueue } from './queue.ts';

export interface CheckProposalInput {
  readonly library: SkillLibrary;
  readonly queue: ProposalQueue;
  readonly proposal: Proposal;
  readonly homeFolder: string;
}

/** What the checks look at. */
export interface Checked {
  readonly library: SkillLibrary;
  readonly proposal: Proposal;
  /** The name that the skill has afterwards. */
  readonly name: string;
  /** As it is now. */
  readonly current: Snapshot;
  /** As it would be. */
  readonly changed: Snapshot;
  /** The candidate in `changed`; `null` for a deletion, or where it cannot be loaded. */
  readonly skill: Skill | null;
  /** The candidate on the disk, in the queue. */
  readonly folder: string | null;
  readonly tree: CandidateTree | null;
}

export const checkNamesInOrder: readonly CheckName[] = [
  'fresh',
  'parse',
  'strict',
  'plan',
  'risk',
  'guard',
  'guard-difference',
  'names',
  'triggers',
  'other-triggers',
  'dry-run',
  'tests',
];

/** How much of a list a report holds. */
const mostDetails = 40;

/** Throws PROPOSAL_CHANGED where the files in the queue are not those that were proposed. */
export async function checkProposal(input: CheckProposalInput): Promise<ProposalReport> {
  const { library, queue, proposal, homeFolder } = input;
  const tree = await queue.tree(proposal, 'candidate');
  await queue.tree(proposal, 'base');
  const folder = queue.treeFolder(proposal, 'candidate');
  const name = proposal.newName ?? proposal.skill;
  const current = await library.load();
  const without =
    proposal.base === null
      ? current
      : current.without(library.files.realPath(proposal.folder) ?? proposal.folder);
  const results: CheckResult[] = [];
  const add = async (check: CheckName, work: () => Promise<Outcome>): Promise<void> => {
    results.push({ name: check, ...(await guardedCheck(work)) });
  };
  let changed = without;
  let loadFault: string | null = null;
  if (tree !== null)
    try {
      changed = await without.with({
        name,
        files: new Map([...tree].map(([path, { bytes }]) => [path, bytes])),
        origin: { kind: 'local', from: null },
      });
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      loadFault = error.message;
    }
  const skill =
    loadFault === null && tree !== null && changed.has(name) && changed.get(name).root.host === 'memory'
      ? changed.get(name)
      : null;
  const subject: Checked = { library, proposal, name, current, changed, skill, folder, tree };
  const checked = folder === null ? null : await checkCandidate(library, folder, changed);
  const used =
    skill === null || tree === null ? null : usedCapabilities(skill.head, tree, checked?.planRisk ?? null);
  const scanned = folder === null ? null : await scan(library, folder, name, homeFolder);
  const baseFolder = queue.treeFolder(proposal, 'base');
  const before = baseFolder === null ? null : await scan(library, baseFolder, proposal.skill, homeFolder);

  const checkedBase = baseFolder === null ? null : await checkCandidate(library, baseFolder, current);

  await add('fresh', () => checkFresh(queue, proposal));
  await add('parse', async () => checkParse(subject, loadFault));
  await add('strict', async () => checkStrict(checked, checkedBase));
  await add('plan', async () => checkPlan(checked, skill));
  await add('risk', async () => checkRisk(skill, used));
  await add('guard', async () => checkGuard(scanned));
  await add('guard-difference', async () => checkDifference(scanned, before));
  await add('names', async () => checkNames(subject));
  await add('triggers', () => checkTriggers(subject, checked?.triggers ?? null));
  await add('other-triggers', () => checkOtherTriggers(subject));
  await add('dry-run', () => checkDryRun(subject));
  await add('tests', () =>
    checkTests(subject, results.find((one) => one.name === 'triggers') as CheckResult),
  );
  return {
    proposal: proposal.id,
    checks: results.map((one) => ({ ...one, details: one.details.slice(0, mostDetails) })),
    // What is removed can do nothing any more; what cannot be loaded could do anything.
    risk: used?.risk ?? (proposal.kind === 'delete' ? 'low' : 'high'),
    declaredRisk: skill?.head.risk ?? null,
    capabilities: used?.capabilities ?? [],
    verdict: scanned?.verdict ?? 'clean',
    unknownSkills: skill === null ? [] : unknownSkills(skill, changed),
  };
}

async function guardedCheck(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TechneError) && !(error instanceof FileFault)) throw error;
    return failed(`it could not be checked: ${error.message}`);
  }
}

async function checkFresh(queue: ProposalQueue, proposal: Proposal): Promise<Outcome> {
  const { before, after } = sidesOf(proposal);
  const there = await queue.installed(proposal.folder);
  if (before === null)
    return there === null
      ? passed('nothing is in its place')
      : failed(`"${proposal.folder}" exists since the skill was proposed`);
  if (there?.digest !== before.digest)
    return failed(
      there === null ? 'the skill was removed since' : 'the skill was changed since the proposal was made',
      [`proposed from ${before.digest}`, `there is ${there?.digest ?? 'nothing'}`],
    );
  if (after !== null && after.folder !== before.folder && (await queue.installed(after.folder)) !== null)
    return failed(`"${after.folder}" exists`);
  return passed('the skill is as it was when the change was proposed');
}

function checkParse({ changed, skill, name, proposal, folder }: Checked, loadFault: string | null): Outcome {
  if (folder === null) return skipped('the skill would be removed');
  if (loadFault !== null) return failed(loadFault);
  if (skill === null)
    return failed(
      'it cannot be loaded as a skill of this name',
      changed.diagnostics.filter(({ path }) => path.startsWith('/memory/')).map((one) => lineOf(one)),
    );
  const faults = [
    ...skill.diagnostics,
    ...changed.diagnostics.filter(({ path }) => path.startsWith('/memory/')),
  ].filter(({ severity }) => severity === 'error');
  const written = skill.head.frontmatter['name'];
  if (written !== name)
    return failed(
      typeof written === 'string'
        ? `SKILL.md says that its name is "${printableLine(written)}", not "${name}"`
        : 'SKILL.md does not say the name of the skill in its frontmatter',
    );
  const { sound } = changed.facts(skill);
  if (faults.length > 0 || !sound.ok)
    return failed('its SKILL.md has errors', [
      ...faults.map((one) => lineOf(one)),
      ...sound.reasons.map(({ message }) => message),
    ]);
  return passed(
    `it loads as ${proposal.kind === 'create' ? 'a new skill' : 'the skill'} of form ${skill.card.form}`,
  );
}

async function checkCandidate(
  library: SkillLibrary,
  folder: string,
  changed: Snapshot,
): Promise<CheckedSkill> {
  return checkSkill(library.files, join(folder, 'SKILL.md'), {
    strict: true,
    loadSnapshot: async () => changed,
  });
}

const planCodes = /^(?:PLAN_|TAINT_|TEMPLATE_|PROGRAM_|STAR|SYNTAX|RISK_|CAPABILITY_)/;

function isAboutPlan(code: string): boolean {
  return planCodes.test(code);
}

/** What the skill had before is not the fault of the change. */
function checkStrict(checked: CheckedSkill | null, base: CheckedSkill | null): Outcome {
  if (checked === null) return skipped('the skill would be removed');
  const keyOf = ({ code, message }: { readonly code: string; readonly message: string }): string =>
    `${code} ${message}`;
  const known = new Set(base?.diagnostics.map(keyOf));
  const all = checked.diagnostics.filter(({ severity, code }) => severity === 'error' && !isAboutPlan(code));
  const faults = all.filter((one) => !known.has(keyOf(one)));
  if (faults.length > 0)
    return failed(
      `techne check --strict finds ${counted(faults.length, base === null ? 'error' : 'new error')}`,
      faults.map((one) => lineOf(one, checked.text)),
    );
  return passed(
    all.length === 0
      ? 'techne check --strict finds no error'
      : `techne check --strict finds only what it found before (${counted(all.length, 'error')})`,
  );
}

function checkPlan(checked: CheckedSkill | null, skill: Skill | null): Outcome {
  if (checked === null) return skipped('the skill would be removed');
  const faults = checked.diagnostics.filter(
    ({ severity, code }) => isAboutPlan(code) && (severity === 'error' || code.startsWith('TAINT_')),
  );
  if (faults.length > 0)
    return failed(
      `its plan or program has ${counted(faults.length, 'fault')}`,
      faults.map((one) => lineOf(one, checked.text)),
    );
  if (skill === null) return failed('it cannot be loaded, so its plan cannot be looked at');
  if (skill.head.bar !== null) return failed(skill.head.bar.message);
  return passed(
    skill.card.form === 'instructions'
      ? 'it is instructions and executes nothing itself'
      : 'every step and reference is sound',
  );
}

function checkRisk(skill: Skill | null, used: Used | null): Outcome {
  if (skill === null || used === null) return skipped('there is no skill that could do anything');
  const faults = understated(skill.head, used);
  const does = [
    `computed: ${used.risk}, ${used.capabilities.join(', ') || 'no capability'}`,
    ...used.reasons,
  ];
  return faults.length === 0
    ? passed(`what it declares covers what it does: ${used.risk} risk`, does)
    : failed(faults.join('; '), does);
}

async function scan(
  library: SkillLibrary,
  folder: string,
  name: string,
  homeFolder: string,
): Promise<Report> {
  const { report } = await scanTree({
    files: library.files,
    folder,
    name,
    acceptedFile: acceptedFile(homeFolder),
    names: createNameBook(await library.knownNames()),
  });
  return report;
}

function checkGuard(report: Report | null): Outcome {
  if (report === null) return skipped('the skill would be removed');
  const bad: readonly Verdict[] = ['dangerous', 'incomplete'];
  const lines = [
    ...report.findings.map(findingLine),
    ...report.notScanned.map(({ file, message }) => `${printableLine(file)}: ${printableLine(message)}`),
  ];
  return bad.includes(report.verdict)
    ? failed(`the guard says ${report.verdict}`, lines)
    : passed(`the guard says ${report.verdict}`, lines);
}

const counts = new Set(['critical', 'high', 'medium']);

function checkDifference(report: Report | null, before: Report | null): Outcome {
  if (report === null) return skipped('the skill would be removed');
  const known = new Set((before?.findings ?? []).map(({ fingerprint }) => fingerprint));
  const added = report.findings.filter(
    ({ fingerprint, severity }) => counts.has(severity) && !known.has(fingerprint),
  );
  return added.length === 0
    ? passed(before === null ? 'the guard finds nothing of concern' : 'the change brings no new finding')
    : failed(`the change brings ${counted(added.length, 'finding')}`, added.map(findingLine));
}

function unknownSkills(skill: Skill, changed: Snapshot): readonly string[] {
  return [...skillsNamedIn(skill.head)]
    .filter((name) => !changed.has(name) || declaredRisk(changed.get(name)) === null)
    .sort();
}

function declaredRisk({ head, source }: Skill): Risk | null {
  return source === 'builtin' ? (head.risk ?? 'low') : head.risk;
}
