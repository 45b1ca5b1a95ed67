// What would be installed, before anybody agreed: everything that a person must see to decide.
//
//   StagedSkill + scan + lock -> ProposedSkill;   ProposedSkill + how it was asked for -> Decision
//
// The digests, the report and the lists are all of the private copy that is moved into place afterwards.
import { unreachable } from '../../base/error.ts';
import type { ErrorCode } from '../../base/error.ts';
import type { Report } from '../../guard/report.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { PluginPart, RefusedEntry } from '../source/source.ts';
import type { Stage } from '../stage/stage.ts';
import type { TreeFile } from '../stage/tree.ts';
import type { Declared, Used } from './declared.ts';
import type { HubPlace } from './place.ts';
import { acceptCommand, shellWord } from './refusals.ts';
import type { Change } from './transaction.ts';

/** A skill of the same name elsewhere. */
export interface ShadowOf {
  readonly folder: string;
  /** `builtin`, `plugin`, `user` or `workspace`. */
  readonly source: string;
  /** Whether the new one will be used instead of it, or it instead of the new one. */
  readonly isHidden: boolean;
}

/** A skill that would be installed, with everything that a person must see to decide. */
export interface ProposedSkill {
  readonly name: string;
  readonly target: string;
  /** `same`: nothing of it changes. `back`: what is installed differs from the lock, and is put back. */
  readonly change: 'new' | 'changed' | 'same' | 'back';
  readonly before: LockEntry | null;
  readonly after: LockEntry;
  readonly files: readonly TreeFile[];
  /** What is installed now; `null`: nothing. */
  readonly filesNow: readonly TreeFile[] | null;
  readonly report: Report;
  readonly declared: Declared;
  readonly declaredNow: Declared | null;
  readonly used: Used;
  readonly shadows: readonly ShadowOf[];
  /** Entries of its folder in the source that are not taken. */
  readonly refused: readonly RefusedEntry[];
  readonly leftOut: readonly string[];
  /** The source names this very content: a commit or a digest. */
  readonly isPinned: boolean;
  /** A person on this machine agreed to this very content before. */
  readonly wasAgreed: boolean;
  /** The name is that of a skill that is part of techne, whether or not the configuration loads those. */
  readonly isShipped: boolean;
  /** The lock names a source that is not where the bytes come from. */
  readonly hasOtherSource: boolean;
  readonly expects: Change['expects'];
}

/** A skill of the source that is not part of the proposal. */
export interface NotProposed {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
}

/** What would be installed. Ends with `install` or `discard`. */
export interface Proposal {
  readonly place: HubPlace;
  readonly skills: readonly ProposedSkill[];
  readonly notProposed: readonly NotProposed[];
  /** Skills of which it is known, without a copy of them, that nothing changes. */
  readonly unchanged: readonly string[];
  /** What a plugin brings besides: shown, never enabled. */
  readonly pluginParts: readonly PluginPart[];
  /** What else of the source was passed over. */
  readonly refused: readonly RefusedEntry[];
  /** The private copies. @internal */
  readonly stage: Stage | null;
}

/** Who can be asked, and what was said. */
export interface ConsentGiven {
  /** A person can be asked. */
  readonly terminal: boolean;
  /** `--yes`. */
  readonly yes: boolean;
  /** `--allow-incomplete`. */
  readonly allowIncomplete: boolean;
  /** `hub.install`. */
  readonly policy: 'ask' | 'pinned' | 'off';
}

/** What may be done with a proposed skill. */
export type Decision =
  | { readonly kind: 'allowed' }
  /** `explicitly`: not everything could be scanned, and the question says so. */
  | { readonly kind: 'ask'; readonly explicitly: boolean }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

export function decide(skill: ProposedSkill, given: ConsentGiven): Decision {
  const { name, report } = skill;
  const refused = (code: ErrorCode, message: string, hint: string): Decision => ({
    kind: 'refused',
    code,
    message,
    hint,
  });
  if (given.policy === 'off')
    return refused(
      'INSTALL_REFUSED',
      'installing skills is switched off (hub.install)',
      'set "hub": { "install": "ask" } in ~/.techne/config.json',
    );
  if (skill.isShipped)
    return refused(
      'INSTALL_REFUSED',
      `"${name}" is the name of a skill that is part of techne`,
      'names of shipped skills are reserved; ask the author to rename it',
    );
  switch (report.verdict) {
    case 'dangerous':
      return refused(
        'INSTALL_REFUSED',
        `"${name}" is dangerous: ${dangerOf(report)}`,
        `read the findings above, and ask its author to change it. If they are wrong about this content${wrongHint(skill)}, and add it again`,
      );
    case 'incomplete':
      if (skill.wasAgreed) return { kind: 'allowed' };
      if (given.terminal && !given.allowIncomplete) return { kind: 'ask', explicitly: true };
      if (!given.allowIncomplete)
        return refused(
          'CONSENT_NEEDED',
          `not everything in "${name}" could be scanned`,
          'run it in a terminal and look, or add --allow-incomplete',
        );
      break;
    case 'caution':
    case 'clean':
      break;
    default:
      return unreachable(report.verdict);
  }
  if (skill.wasAgreed) return { kind: 'allowed' };
  if (given.terminal) return given.yes ? { kind: 'allowed' } : { kind: 'ask', explicitly: false };
  if (!skill.isPinned)
    return refused(
      'CONSENT_NEEDED',
      `"${name}" needs consent, there is no terminal to ask on, and its source can change`,
      skill.change === 'back'
        ? `run it in a terminal; or, if you looked at it: techne add ${shellWord(skill.after.source)} --skill ${name} --expect ${skill.after.digest} --yes`
        : nameHint(skill.after),
    );
  if (given.yes || given.policy === 'pinned') return { kind: 'allowed' };
  return refused(
    'CONSENT_NEEDED',
    `"${name}" needs consent, and there is no terminal to ask on`,
    'add --yes if you looked at it, or set "hub": { "install": "pinned" } in ~/.techne/config.json',
  );
}

function dangerOf({ findings }: Report): string {
  const [first] = findings;
  if (first === undefined) return 'the scan says so';
  const more = findings.length - 1;
  return `${first.file}:${first.line} ${first.rule}${more === 0 ? '' : ` and ${more} more`}`;
}

/** A folder of this machine is scanned where it is; anything else is first brought into one. */
function wrongHint({ report, after }: ProposedSkill): string {
  const { resolved } = after;
  const folder =
    resolved.kind === 'folder' ? [resolved.path, after.path].filter((part) => part !== '').join('/') : null;
  const fetch = folder === null ? ', fetch it into a FOLDER and look' : '';
  return `${fetch}: ${acceptCommand(report.findings, folder)}`;
}

/** "Pin" is a command of its own, for what is installed already. */
function nameHint({ source, resolved, digest }: LockEntry): string {
  const base = shellWord(source.replace(/#.*$/s, ''));
  const exact =
    resolved.kind === 'git'
      ? `name the commit: ${base}#${resolved.commit}; or `
      : resolved.kind === 'archive'
        ? `name the digest: ${base}#${resolved.digest}; or `
        : '';
  return `${exact}name its content with --expect ${digest}; and add --yes. Or run it in a terminal`;
}
