// The guard of a library: the verdict of a skill when it is read or about to run.
//
//   skill -> the verdict of its whole folder, scanned once -> pass, note or refusal
//
// G1. A verdict is used again only while every file and folder has the signature that it was given for; what changed less than `racyNs`
//     before the scan is scanned again, as with the index cache.
// G2. What is handed out is what was scanned: SKILL.md has the signature of the snapshot, any other file the digest of the scan; else
//     the bytes are scanned in its place.
// G4. Which names are known changes with every skill around, so a verdict is kept with the answers that the names gave; when one of
//     them is another now, the skill is scanned again.
// G3. A scan that fails is no verdict: the read is refused as not scanned, never passed.
import type { Config } from '../../config/types.ts';
import type { KnownNames, NameBook } from '../../guard/detect/name-book.ts';
import { createNameBook } from '../../guard/detect/name-book.ts';
import type { TreeSignature } from '../../guard/read-tree.ts';
import { isSameTree } from '../../guard/read-tree.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { VerdictLog } from '../../node/verdict-log.ts';
import { openVerdictLog } from '../../node/verdict-log.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import { signatureText } from '../../ports/files.ts';
import { racyNs } from '../../registry/cache/head-index.ts';
import { memoryHost } from '../../registry/discover/discover-tree.ts';
import type { ContentGate, Reason, Skill } from '../../registry/types.ts';
import type { CalledName, Verdict } from '../../guard/report.ts';
import { rulesVersion } from '../../guard/version.ts';
import { packageVersion } from '../../node/package-info.ts';
import { acceptedFile, flaggedFile, verdictsFile } from '../paths.ts';
import type { GuardAction, SkillVerdict } from './verdict.ts';
import { actionOf, describeVerdict, isUnscanned, verdictOfReport } from './verdict.ts';

export interface GuardOptions {
  readonly files: Files;
  readonly config: Pick<Config, 'guard' | 'cache'>;
  readonly homeFolder: string;
  /** Whether verdicts are kept for the next process. */
  readonly keeps: boolean;
  /** Whether the skill is local work in a trusted folder. Must not throw. */
  readonly isOwnWork: (skill: Skill) => Promise<boolean>;
  /** Of the skills around: the same object while they are the same. */
  readonly knownNames: () => KnownNames;
  readonly clock: Clock;
}

interface Known {
  readonly signature: TreeSignature;
  readonly shas: { readonly [path: string]: string };
  readonly accepted: string;
  readonly version: string;
  readonly names: readonly CalledName[];
  readonly verdict: SkillVerdict;
}

/** Scans the skills of a library, and knows what its verdicts mean. */
export interface Guard {
  /** Stands between the disk and every reader of a skill. */
  readonly gate: ContentGate;
  /** Finds out which of the skills that were not clean are the person's own work, before `known` is asked about them. */
  lookAt(skills: readonly Skill[]): Promise<void>;
  /** Of the folder as it is now. */
  verdict(skill: Skill): Promise<SkillVerdict>;
  /** What the verdict means for a reader, or a run: GUARD_REFUSED, GUARD_WARNED, or nothing. */
  reasonOn(use: 'onRead' | 'onRun', skill: Skill): Promise<Reason | null>;
  /** Why a skill may not be read, as far as that is known without a scan. */
  known(skill: Skill): Reason | null;
  /** What an earlier scan said, if nothing changed since; `null`: it takes a scan. Built-in skills are not scanned. */
  remembered(skill: Skill): Verdict | null;
}

const lookAgainNs = 1_000_000_000n;
const guardVersion = `${packageVersion()} ${rulesVersion}`;

export function createGuard(options: GuardOptions): Guard {
  const { files, config, homeFolder, keeps, isOwnWork, knownNames, clock } = options;
  let log: VerdictLog | null = null;
  let flaggedLog: VerdictLog | null = null;
  const verdictLog = (): VerdictLog => (log ??= openVerdictLog(verdictsFile(homeFolder)));
  const flagged = (): VerdictLog => (flaggedLog ??= openVerdictLog(flaggedFile(homeFolder)));
  const inMemory = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known>>();
  const notes = new Map<string, string>();
  const ownWork = new Set<string>();
  const accepted = acceptedFile(homeFolder);
  let book: { readonly of: KnownNames; readonly names: NameBook } | null = null;
  const names = (): NameBook => {
    const of = knownNames();
    if (book?.of !== of) book = { of, names: createNameBook(of) };
    return book.names;
  };
  let looked: { readonly atNs: bigint; readonly state: string } | null = null;
  /** Of the file of accepted findings; looked at once a second at most. */
  const acceptedState = (): string => {
    const nowNs = clock.nowNs();
    if (looked === null || nowNs - looked.atNs > lookAgainNs || nowNs < looked.atNs)
      looked = { atNs: nowNs, state: signatureText(files.lstat(accepted)) };
    return looked.state;
  };

  return {
    known(skill) {
      if (isExempt(skill) || config.guard.onRead === 'off' || !keeps || !config.cache.enabled) return null;
      const verdict = flagged().get(skill.realFolder) as Verdict | null;
      if (
        verdict === null ||
        actionOf(verdict, config.guard.onRead, ownWork.has(skill.realFolder)) !== 'refuse'
      )
        return null;
      const known = recall(skill);
      return known?.verdict.verdict === verdict ? guardReason('GUARD_REFUSED', skill, known.verdict) : null;
    },
    remembered(skill) {
      return isExempt(skill) ? null : (recall(skill)?.verdict.verdict ?? null);
    },
    async lookAt(skills) {
      for (const skill of skills)
        if ((flagged().get(skill.realFolder) ?? 'clean') !== 'clean' && (await isOwnWork(skill)))
          ownWork.add(skill.realFolder);
    },
    async verdict(skill) {
      return (await judged(skill)).known.verdict;
    },
    async reasonOn(use, skill) {
      if (isExempt(skill) || config.guard[use] === 'off') return null;
      const {
        known: { verdict },
      } = await judged(skill);
      const action = await decide(skill, verdict, use, use === 'onRun' ? null : fileNameOf(skill));
      if (action === 'pass') return null;
      return guardReason(action === 'refuse' ? 'GUARD_REFUSED' : 'GUARD_WARNED', skill, verdict);
    },
    gate: {
      passesIndex: true,
      noteOf: (skill) => notes.get(skill.realFolder) ?? null,
      async judge({ found: skill, path, bytes }) {
        if (isExempt(skill) || config.guard.onRead === 'off') return null;
        const place = path === 'SKILL.md' ? fileNameOf(skill) : path;
        let known: Known;
        try {
          const found = await judged(skill);
          known = found.known;
          // G2. A kept verdict on SKILL.md was given for the signature that it was just read with.
          const isSure = path === 'SKILL.md' && !found.fresh;
          const isOther = !isSure && shaOf(known, place) !== nodeSha256(bytes);
          // A file that was left out with many others is scanned before them.
          if (isOther || (place !== fileNameOf(skill) && isUnscanned(known.verdict, place)))
            known = await scan(skill, { path: place, bytes });
        } catch (error) {
          // G3
          return `it could not be scanned: ${error instanceof Error ? error.message : String(error)}`;
        }
        const action = await decide(skill, known.verdict, 'onRead', place);
        const says = `${describeVerdict(known.verdict)}; see: techne scan ${skill.name}`;
        if (action === 'warn') notes.set(skill.realFolder, says);
        else notes.delete(skill.realFolder);
        return action === 'refuse' ? says : null;
      },
    },
  };

  async function decide(
    skill: Skill,
    verdict: SkillVerdict,
    on: 'onRead' | 'onRun',
    /** What is to be read; `null`: the skill is to be run. */
    place: string | null,
  ): Promise<GuardAction> {
    const action = actionOf(verdict.verdict, config.guard[on], false, isUnscanned(verdict, place));
    return action === 'refuse' && (await isOwnWork(skill)) ? 'warn' : action;
  }

  async function judged(skill: Skill): Promise<{ readonly known: Known; readonly fresh: boolean }> {
    const known = recall(skill);
    if (known !== null) return { known, fresh: false };
    const key = skill.realFolder;
    let scanning = underWay.get(key);
    if (scanning === undefined) {
      scanning = scan(skill, null).finally(() => underWay.delete(key));
      underWay.set(key, scanning);
    }
    return { known: await scanning, fresh: true };
  }

  /** What an earlier scan said, if nothing changed since. */
  function recall(skill: Skill): Known | null {
    const known = inMemory.get(skill.realFolder) ?? recallKept(skill);
    if (known === null || known.version !== guardVersion || known.accepted !== acceptedState()) return null;
    const listed = { path: fileNameOf(skill), signature: signatureText(skill.signature) };
    if (!isSameTree(filesOf(skill), skill.realFolder, known.signature, listed)) return null;
    // G4
    if (known.names.some(({ name, takenFor }) => names().lookAlike(name) !== takenFor)) return null;
    inMemory.set(skill.realFolder, known);
    return known;
  }

  function recallKept(skill: Skill): Known | null {
    if (!keeps || !config.cache.enabled || skill.root.host === memoryHost) return null;
    const text = verdictLog().get(skill.realFolder);
    return text === null ? null : knownIn(text);
  }

  async function scan(
    skill: Skill,
    other: { readonly path: string; readonly bytes: Uint8Array } | null,
  ): Promise<Known> {
    const { scanTree } = await import('./scan-tree.ts');
    const startNs = clock.nowNs();
    const state = acceptedState();
    const { report, tree } = await scanTree({
      files: filesOf(skill),
      folder: skill.realFolder,
      name: skill.name,
      acceptedFile: accepted,
      names: names(),
      ...(other === null ? {} : { other }),
    });
    const known: Known = {
      signature: tree.signature,
      shas: Object.fromEntries(
        tree.files.flatMap(({ path, bytes }) => (bytes === null ? [] : [[path, nodeSha256(bytes)]])),
      ),
      accepted: state,
      version: guardVersion,
      names: report.names,
      verdict: verdictOfReport(report),
    };
    // G1: what was just written may be written again without a trace.
    if (other !== null || tree.newestNs + racyNs >= startNs) return known;
    inMemory.set(skill.realFolder, known);
    if (keeps && config.cache.enabled && skill.root.host !== memoryHost) {
      verdictLog().put(skill.realFolder, JSON.stringify(known));
      if ((flagged().get(skill.realFolder) ?? 'clean') !== known.verdict.verdict)
        flagged().put(skill.realFolder, known.verdict.verdict);
    }
    return known;
  }

  function filesOf(skill: Skill): Files {
    return 'files' in skill ? (skill.files as Files) : files;
  }
}

/** SKILL.md, perhaps in other letters. */
function fileNameOf({ file }: Skill): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function isExempt({ origin }: Skill): boolean {
  return origin.kind === 'builtin';
}

function guardReason(code: 'GUARD_REFUSED' | 'GUARD_WARNED', skill: Skill, verdict: SkillVerdict): Reason {
  return {
    code,
    message: describeVerdict(verdict),
    hint:
      code === 'GUARD_REFUSED'
        ? `look at the findings: techne scan ${skill.name}; what is harmless can be accepted: techne scan accept`
        : `look at the findings: techne scan ${skill.name}`,
  };
}

function shaOf({ shas }: Known, path: string): string | null {
  return Object.hasOwn(shas, path) ? (shas[path] ?? null) : null;
}

/** `null`: the line is damaged. A file of our own, in the hot path of reads: its keys are not looked at one by one. */
function knownIn(text: string): Known | null {
  try {
    const value: unknown = JSON.parse(text);
    return isKnown(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isKnown(value: unknown): value is Known {
  if (typeof value !== 'object' || value === null) return false;
  const { signature, shas, accepted, version, names, verdict } = value as Partial<Known>;
  return (
    Array.isArray(signature) &&
    typeof shas === 'object' &&
    typeof accepted === 'string' &&
    typeof version === 'string' &&
    Array.isArray(names) &&
    typeof verdict?.verdict === 'string' &&
    Array.isArray(verdict.rules) &&
    Array.isArray(verdict.unread) &&
    typeof verdict.unreadCount === 'number' &&
    Array.isArray(verdict.unscanned)
  );
}
