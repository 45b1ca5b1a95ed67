// The steps of a plan -> their risk, and whether the skill declares it.
//
// Risk follows from what the steps do, not from what the skill declares: a skill without a declaration is high, and so
// is a tool unless it is known to change nothing. Steps that reach only a model or a person (chat, classify, input)
// are low. A declared list of capabilities is a ceiling: a step that is known to need more is reported, because the
// engine will refuse it. Reading the workspace needs no declaration. An unknown name counts as high but is not
// reported here: the name has to be corrected first.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import type { Risk, SkillHead } from '../skill/types.ts';
import type { Capability } from './capabilities.ts';
import {
  capabilityAllows,
  capabilityOf,
  capabilityWords,
  highest,
  isHigher,
  riskOf,
} from './capabilities.ts';
import type { StepDraft } from './draft.ts';
import type { PlanRisk } from './plan.ts';
import { factsOfTool, toolsKnown } from './tool-facts.ts';
import type { PlanWorld } from './world.ts';

interface StepRisk {
  readonly risk: Risk;
  readonly because: string;
  readonly capabilities: readonly Capability[];
  /** The name is unknown, which check-world.ts reports. */
  readonly isMissing?: boolean;
  /** A known name that is close to the unknown one. */
  readonly meant?: string | null;
}

interface DeclaredPlaces {
  readonly risk: Span | null;
  readonly capabilities: Span | null;
}

export function assessRisk(
  head: Pick<SkillHead, 'risk' | 'capabilities' | 'allowedTools' | 'note'>,
  drafts: readonly StepDraft[],
  world: PlanWorld,
  places: DeclaredPlaces,
  report: Report,
): PlanRisk & { readonly ceiling: readonly Capability[] | null } {
  const ceiling = readCeiling(head.capabilities, places, report);
  const found: FoundRisk[] = drafts.map((draft) => ({
    draft,
    ...riskOfStep(draft, head.allowedTools, world),
  }));
  if (head.note !== null) found.push({ draft: null, ...writesNote });
  const computed = highest(found.map(({ risk }) => risk));
  const reasons = computed === 'low' ? [] : found.filter(({ risk }) => risk === computed).map(reasonOf);
  const needed = [...new Set(found.flatMap(({ capabilities }) => capabilities))].sort();

  // Unknown names have to be corrected first.
  const there = found.filter(({ isMissing = false }) => !isMissing);
  const owned = highest(there.map(({ risk }) => risk));
  const { listed, meant } = reasonsFor(there, owned);
  if (head.risk === null) {
    if (owned !== 'low')
      report(
        'RISK_UNDECLARED',
        places.risk,
        `the skill declares no risk; its steps have ${owned} risk: ${listed}`,
        `${meant}write metadata: {techne.risk: ${owned}}`,
      );
  } else if (isHigher(owned, head.risk)) {
    report(
      'RISK_UNDERSTATED',
      places.risk,
      `the skill declares ${head.risk} risk, but its steps have ${owned}: ${listed}`,
      `${meant}write risk: ${owned}`,
    );
  }
  if (ceiling !== null) {
    for (const capability of needed) {
      if (riskOf(capability) === 'low' || capabilityAllows(ceiling, capability)) continue;
      const step = found.find(({ capabilities }) => capabilities.includes(capability));
      report(
        'CAPABILITY_UNDECLARED',
        step?.draft?.step.span ?? places.capabilities,
        `${step === undefined ? 'it' : ownerOf(step)} needs ${capability}, which is not among the declared capabilities`,
        `add ${capability} to capabilities`,
      );
    }
  }
  return { declared: head.risk, computed, reasons, capabilities: needed, ceiling };
}

interface FoundRisk extends StepRisk {
  /** null: what the run does after its last step. */
  readonly draft: StepDraft | null;
}

const writesNote: StepRisk = {
  risk: 'medium',
  because: 'writes a note into the vault',
  capabilities: ['filesystem-write'],
};

function ownerOf({ draft }: FoundRisk): string {
  return draft === null ? 'the note (x_techne_note)' : `step "${printableLine(draft.step.id)}"`;
}

function reasonOf(found: FoundRisk): string {
  return found.draft === null ? `it ${found.because}` : `${ownerOf(found)} ${found.because}`;
}

/** The first two, and the name that may be meant if all of them are unknown. */
function reasonsFor(
  found: readonly FoundRisk[],
  risk: Risk,
): { readonly listed: string; readonly meant: string } {
  const such = found.filter((one) => one.risk === risk);
  const near = such.map(({ meant = null }) => meant);
  const [first = null] = near;
  return {
    listed: `${such.slice(0, 2).map(reasonOf).join('; ')}${such.length > 2 ? ` (and ${such.length - 2} more)` : ''}`,
    meant: first === null || near.includes(null) ? '' : `did you mean "${first}"? If not, `,
  };
}

function readCeiling(
  words: readonly string[] | null,
  places: DeclaredPlaces,
  report: Report,
): readonly Capability[] | null {
  if (words === null) return null;
  return [
    ...new Set(
      words.flatMap((word) => {
        const capability = capabilityOf(word);
        if (capability !== null) return [capability];
        const near = nearest(word, capabilityWords());
        report(
          'CAPABILITY_UNKNOWN',
          places.capabilities,
          `"${printableLine(word).slice(0, 60)}" is not a capability techne knows; it allows nothing`,
          near === null ? 'docs/guide/plans.md lists them' : `did you mean "${near}"?`,
        );
        return [];
      }),
    ),
  ];
}

const low: StepRisk = { risk: 'low', because: '', capabilities: [] };

function riskOfStep({ step }: StepDraft, fence: readonly string[] | null, world: PlanWorld): StepRisk {
  switch (step.kind) {
    case 'chat':
    case 'classify':
    case 'input':
      return low;
    case 'command':
      return { risk: 'high', because: 'runs a command', capabilities: ['shell'] };
    case 'tool':
      return step.tool === null ? low : riskOfTool(step.tool, world);
    case 'agent':
    case 'exec':
    case 'skill': {
      const names = [...new Set([step.skill, ...step.route.map(({ to }) => to)])].filter(
        (name) => name !== null,
      );
      if (names.length === 0) return riskOfAgent(step.tools ?? fence, world);
      const risks = names.map((name) => riskOfSkill(name, step.kind, world));
      const paid: StepRisk[] =
        step.sideEffect === null
          ? []
          : [{ risk: 'high', because: 'spends money', capabilities: ['external-side-effect'] }];
      return worst([...paid, ...risks]);
    }
  }
}

function worst(risks: readonly StepRisk[]): StepRisk {
  const most = highest(risks.map(({ risk }) => risk));
  const such = risks.filter(({ risk }) => risk === most);
  return {
    risk: most,
    because: such[0]?.because ?? '',
    capabilities: risks.flatMap(({ capabilities }) => capabilities),
    isMissing: most !== 'low' && such.every(({ isMissing = false }) => isMissing),
    meant: such.length === 1 ? (such[0]?.meant ?? null) : null,
  };
}

function riskOfTool(name: string, world: PlanWorld): StepRisk {
  const described = world.tool(name);
  const facts = described === null || described === 'unknown' ? factsOfTool(name) : described;
  if (facts === null)
    return {
      risk: 'high',
      because: `calls the tool "${printableLine(name)}", which is unknown`,
      capabilities: [],
      isMissing: described === null,
      meant: nearest(name, [...(world.toolNames?.() ?? []), ...toolsKnown]),
    };
  if (!facts.readOnly)
    return {
      risk: 'high',
      because: `calls the tool "${printableLine(name)}", which can change something`,
      capabilities: facts.capabilities,
    };
  return {
    risk: highest(facts.capabilities.map(riskOf)),
    because: `calls the tool "${printableLine(name)}"`,
    capabilities: facts.capabilities,
  };
}

/** An agent without a skill has the tools that the step declares, otherwise those of the host. */
function riskOfAgent(tools: readonly string[] | null, world: PlanWorld): StepRisk {
  if (tools === null)
    return { risk: 'high', because: 'is an agent with all tools of the host', capabilities: [] };
  return worst([low, ...tools.map((name) => riskOfTool(name.replace(/\(.*$/s, ''), world))]);
}

function riskOfSkill(name: string, kind: string, world: PlanWorld): StepRisk {
  const shown = printableLine(name).slice(0, 60);
  const facts = name.includes('{{') ? null : world.skill(name);
  if (facts === null || facts === 'unknown')
    return {
      risk: 'high',
      because: `runs the skill "${shown}", which is unknown`,
      capabilities: [],
      isMissing: facts === null && !name.includes('{{'),
    };
  const declared = (facts.capabilities ?? []).flatMap((word) => capabilityOf(word) ?? []);
  if (kind === 'exec' && facts.entrypoint === null)
    return {
      risk: 'high',
      because: `executes the skill "${shown}", which has no entry point`,
      capabilities: declared,
    };
  const byCapability = highest(declared.map(riskOf));
  if (facts.risk === null) {
    if (facts.capabilities === null)
      return { risk: 'high', because: `runs the skill "${shown}", which declares no risk`, capabilities: [] };
    return { risk: byCapability, because: `runs the skill "${shown}"`, capabilities: declared };
  }
  const risk = isHigher(byCapability, facts.risk) ? byCapability : facts.risk;
  return { risk, because: `runs the skill "${shown}", which has ${risk} risk`, capabilities: declared };
}
