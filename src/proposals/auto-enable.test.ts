import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../config/merge-config.ts';
import type { AutoEnableFacts, AutoEnablePolicy, ConditionName } from './auto-enable.ts';
import { dangerousCapabilities, judgeAutoEnable } from './auto-enable.ts';
import type { CheckResult, Proposal, ProposalReport } from './proposal.ts';

const defaults = defaultConfig().proposals.autoEnable as AutoEnablePolicy;
const policy: AutoEnablePolicy = {
  ...defaults,
  enabled: true,
  folders: ['/home/me/.techne/skills'],
  capabilities: ['filesystem-write'],
};
const proposal: Proposal = {
  id: 'a1',
  kind: 'create',
  skill: 'tides',
  newName: null,
  base: null,
  candidate: 'sha256:1',
  folder: '/home/me/.techne/skills/tides',
  why: 'asked for',
  origin: { by: 'agent', surface: 'mcp', run: null, conversation: null, model: null },
  madeAt: '2026-11-18T08:00:00.000Z',
  state: 'pending',
};
const check = (name: CheckResult['name'], outcome: CheckResult['outcome']): CheckResult => ({
  name,
  outcome,
  reason: '',
  details: [],
});
const report: ProposalReport = {
  proposal: 'a1',
  checks: [check('parse', 'passed'), check('tests', 'passed')],
  risk: 'low',
  declaredRisk: 'low',
  capabilities: ['filesystem-write'],
  verdict: 'clean',
  unknownSkills: [],
};
const facts: AutoEnableFacts = {
  proposal,
  report,
  frozen: false,
  enabledToday: 0,
  today: '2026-01-01',
  now: '2026-11-18T10:00:00.000Z',
};

/** Each makes one condition fail and no other, except those named. */
type Fault = readonly [ConditionName, (given: AutoEnableFacts) => AutoEnableFacts, Partial<AutoEnablePolicy>];
const faults: readonly Fault[] = [
  ['switched-on', (given) => given, { enabled: false }],
  ['not-frozen', (given) => ({ ...given, frozen: true }), {}],
  ['pending', (given) => ({ ...given, proposal: { ...given.proposal, state: 'stale' } }), {}],
  [
    'from',
    (given) => ({ ...given, proposal: { ...given.proposal, origin: { ...proposal.origin, by: 'curator' } } }),
    { from: ['agent'] },
  ],
  ['kind', (given) => ({ ...given, proposal: { ...given.proposal, kind: 'delete' } }), {}],
  [
    'folder',
    (given) => ({ ...given, proposal: { ...given.proposal, folder: '/work/.techne/skills/tides' } }),
    {},
  ],
  ['checks', (given) => ({ ...given, report: { ...given.report, checks: [check('tests', 'skipped')] } }), {}],
  ['verdict', (given) => ({ ...given, report: { ...given.report, verdict: 'incomplete' } }), {}],
  [
    'risk',
    (given) => ({ ...given, report: { ...given.report, risk: 'medium', declaredRisk: 'medium' } }),
    {},
  ],
  ['declared-risk', (given) => ({ ...given, report: { ...given.report, declaredRisk: null } }), {}],
  ['capabilities', (given) => ({ ...given, report: { ...given.report, capabilities: ['shell'] } }), {}],
  ['per-day', (given) => ({ ...given, enabledToday: 3 }), {}],
  [
    'quarantine',
    (given) => ({ ...given, proposal: { ...given.proposal, madeAt: '2026-11-18T09:30:00.000Z' } }),
    {},
  ],
];
const failing = (rules: AutoEnablePolicy, given: AutoEnableFacts): readonly ConditionName[] =>
  judgeAutoEnable(rules, given)
    .conditions.filter(({ ok }) => !ok)
    .map(({ name }) => name);

describe('judgeAutoEnable', () => {
  it('enables what meets every condition, and records all of them', () => {
    const audit = judgeAutoEnable(policy, facts);
    expect([
      audit.enabled,
      audit.conditions.length,
      audit.conditions.every(({ ok, value, wanted }) => ok && value !== '' && wanted !== ''),
    ]).toEqual([true, 14, true]);
  });

  it('is off by default', () => {
    expect(judgeAutoEnable(defaults, facts).enabled).toBe(false);
  });

  it.each(faults)('does not enable because of %s alone, and says so', (name, fault, rules) => {
    const given = fault(facts);
    expect(judgeAutoEnable({ ...policy, ...rules }, given).enabled).toBe(false);
    expect(failing({ ...policy, ...rules }, given)).toEqual([name]);
  });

  it('decides every set of up to three faults as the conditions say, and names each of them', () => {
    let rows = 0;
    for (let a = 0; a < faults.length; a += 1)
      for (let b = a; b < faults.length; b += 1)
        for (let c = b; c < faults.length; c += 1) {
          const chosen = [...new Set([a, b, c])].map((at) => faults[at] as Fault);
          // Two faults of one field replace each other.
          let given = facts;
          let rules = policy;
          for (const [, fault, change] of chosen) {
            given = fault(given);
            rules = { ...rules, ...change };
          }
          expect([judgeAutoEnable(rules, given).enabled, failing(rules, given)]).toEqual([
            false,
            chosen.map(([name]) => name),
          ]);
          rows += 1;
        }
    expect(rows).toBeGreaterThan(200);
  });

  it('takes sub-skills without risk for high', () => {
    const given = { ...facts, report: { ...report, unknownSkills: ['helper'] } };
    expect(failing(policy, given)).toEqual(['risk', 'sub-skills']);
    expect(failing({ ...policy, maxRisk: 'high' }, given)).toEqual(['sub-skills']);
  });

  it.each([...dangerousCapabilities])('lets %s pass only where it is named', (capability) => {
    const given = { ...facts, report: { ...report, capabilities: [capability] } };
    expect(judgeAutoEnable(policy, given).enabled).toBe(false);
    expect(judgeAutoEnable({ ...policy, capabilities: ['*', 'all'] }, given).enabled).toBe(false);
    expect(judgeAutoEnable({ ...policy, capabilities: [capability] }, given).enabled).toBe(true);
  });

  it.each([
    ['no check at all', { report: { ...report, checks: [] } }, 'checks'],
    [
      'a failed check',
      { report: { ...report, checks: [check('parse', 'passed'), check('guard', 'failed')] } },
      'checks',
    ],
    [
      'a declared risk below the computed one',
      { report: { ...report, risk: 'medium', declaredRisk: 'low' } },
      'declared-risk',
    ],
    [
      'a folder that only begins alike',
      { proposal: { ...proposal, folder: '/home/me/.techne/skills-evil/x' } },
      'folder',
    ],
    ['a folder with ..', { proposal: { ...proposal, folder: '/home/me/.techne/skills/../x' } }, 'folder'],
    ['a time that is none', { proposal: { ...proposal, madeAt: 'yesterday' } }, 'quarantine'],
    ['a time in the future', { proposal: { ...proposal, madeAt: '2026-11-19T00:00:00.000Z' } }, 'quarantine'],
  ] as const)('fails for %s', (_, change, name) => {
    expect(
      failing({ ...policy, maxRisk: 'high' }, { ...facts, ...(change as Partial<AutoEnableFacts>) }),
    ).toContain(name);
  });
});
