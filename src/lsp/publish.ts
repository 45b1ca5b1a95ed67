// Skills that changed -> their findings, published.
//
// P1. Findings are of one state of all texts: what changes while a skill is checked is checked again.
// P2. A scan waits until nothing was typed for a while; its last findings stay shown until then.
// P3. What is no longer found, or no longer open, is taken back.
import type { Diagnostic as ShownDiagnostic, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { Diagnostic } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import type { Editor } from '../techne/editor/open-editor.ts';
import type { CheckedFolder, ScanFinding } from '../techne/editor/check-folder.ts';
import type { SkillPlace } from '../techne/editor/find-skill.ts';
import type { Documents } from './documents.ts';
import { rangeOf } from './positions.ts';

export interface PublishSettings {
  /** Also what the open standard asks for. */
  strict: boolean;
  scan: boolean;
}

interface PublisherParts {
  readonly editor: Editor;
  readonly documents: Documents;
  readonly settings: PublishSettings;
  readonly send: (params: PublishDiagnosticsParams) => void;
  /** A workspace that cannot be used, or a bug. */
  readonly onFault: (error: unknown) => void;
  /** Default: 10. */
  readonly checkAfterMs?: number;
  /** Default: 700. */
  readonly scanAfterMs?: number;
  /** After which a head that was edited counts for the other skills. Default: 1000. */
  readonly settleAfterMs?: number;
}

interface Unit {
  /** `null`: a program without a skill. */
  readonly skill: SkillPlace | null;
  /** What it is known by: the folder of the skill, or the path of the program. */
  readonly key: string;
}

export class Publisher {
  readonly #parts: Required<PublisherParts>;
  readonly #dirty = new Map<string, Unit>();
  readonly #toScan = new Map<string, Unit>();
  /** Key -> what was published last, by path. */
  readonly #shown = new Map<string, Map<string, readonly ShownDiagnostic[]>>();
  readonly #found = new Map<string, CheckedFolder>();
  /** Path of an open document -> the key of what it belongs to; '' where nothing is checked. */
  readonly #keys = new Map<string, string>();
  readonly #scanned = new Map<string, readonly ScanFinding[]>();
  #checkTimer: NodeJS.Timeout | null = null;
  #scanTimer: NodeJS.Timeout | null = null;
  #settleTimer: NodeJS.Timeout | null = null;
  #isRunning = false;
  #changes = 0;

  constructor(parts: PublisherParts) {
    this.#parts = { checkAfterMs: 10, scanAfterMs: 700, settleAfterMs: 1_000, ...parts };
  }

  /** Something of the skill around this path changed. */
  changed(path: string): void {
    const unit = this.#unitOf(path);
    const before = this.#keys.get(path);
    this.#keys.set(path, unit?.key ?? '');
    // It belongs to another skill now: a SKILL.md came or went.
    if (before !== undefined && before !== unit?.key && this.#openIn(before).length === 0)
      this.#takeBack(before);
    if (unit === null) return;
    this.#changes += 1;
    this.#dirty.set(unit.key, unit);
    if (unit.skill !== null && this.#parts.settings.scan) this.#toScan.set(unit.key, unit);
    this.#schedule();
    if (unit.skill?.inside === 'SKILL.md' && before !== undefined) this.#settle(unit.key);
  }

  /** A document was closed, renamed or deleted. */
  closed(path: string): void {
    const key = this.#keys.get(path);
    this.#keys.delete(path);
    if (key !== undefined && this.#openIn(key).length === 0) this.#takeBack(key);
    // Others of the skill are open: it is on disk for them now.
    else for (const other of key === undefined ? [] : this.#openIn(key).slice(0, 1)) this.changed(other);
  }

  /** Everything that is open is checked again. */
  allChanged(): void {
    for (const path of this.#parts.documents.paths) this.changed(path);
  }

  /** What was found last around a path, with places in the texts that were checked. */
  findingsOf(path: string): readonly Diagnostic[] {
    const unit = this.#unitOf(path);
    return unit === null
      ? []
      : (this.#found.get(unit.key)?.diagnostics ?? []).filter((one) => one.path === path);
  }

  /** `null`: not checked yet. */
  checkedOf(path: string): CheckedFolder | null {
    const unit = this.#unitOf(path);
    return unit === null ? null : (this.#found.get(unit.key) ?? null);
  }

  dispose(): void {
    if (this.#checkTimer !== null) clearTimeout(this.#checkTimer);
    if (this.#scanTimer !== null) clearTimeout(this.#scanTimer);
    if (this.#settleTimer !== null) clearTimeout(this.#settleTimer);
    this.#dirty.clear();
    this.#toScan.clear();
  }

  #unitOf(path: string): Unit | null {
    const skill = this.#parts.editor.findSkill(path);
    if (skill !== null) return { skill, key: skill.folder };
    return path.endsWith('.star') ? { skill: null, key: path } : null;
  }

  /** The open documents of a unit. */
  #openIn(key: string): readonly string[] {
    return this.#parts.documents.paths.filter((path) => this.#keys.get(path) === key);
  }

  #schedule(): void {
    const { checkAfterMs, scanAfterMs } = this.#parts;
    if (this.#checkTimer !== null) clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => {
      this.#checkTimer = null;
      void this.#checkAll();
    }, checkAfterMs);
    if (this.#scanTimer !== null) clearTimeout(this.#scanTimer);
    this.#scanTimer = setTimeout(() => {
      this.#scanTimer = null;
      void this.#scanAll();
    }, scanAfterMs);
  }

  /** What skills say about each other waits for the end of the typing. */
  #settle(edited: string): void {
    if (this.#settleTimer !== null) clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => {
      this.#settleTimer = null;
      this.#parts.editor.forget();
      for (const [path, key] of this.#keys) {
        const unit = key === '' || key === edited ? null : this.#unitOf(path);
        if (unit !== null) this.#dirty.set(unit.key, unit);
      }
      if (this.#dirty.size > 0) void this.#checkAll();
    }, this.#parts.settleAfterMs);
  }

  async #checkAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = first(this.#dirty); next !== null; next = first(this.#dirty)) {
      this.#dirty.delete(next.key);
      if (!this.#isOpen(next)) continue;
      const before = this.#changes;
      try {
        const found = await this.#check(next);
        // P1: what is checked now counts instead.
        if (this.#dirty.has(next.key)) continue;
        this.#found.set(next.key, found);
        this.#publish(next.key);
      } catch (error) {
        // P1: a text changed while it was read; what depends on it is checked again.
        if (error instanceof TechneError && this.#changes !== before) continue;
        if (!(error instanceof TechneError)) this.#found.delete(next.key);
        this.#parts.onFault(error);
      }
    }
    this.#isRunning = false;
  }

  async #check({ skill, key }: Unit): Promise<CheckedFolder> {
    const { editor, settings } = this.#parts;
    return skill === null ? editor.checkAlone(key) : editor.check(skill, settings);
  }

  async #scanAll(): Promise<void> {
    const before = this.#changes;
    for (let next = first(this.#toScan); next?.skill; next = first(this.#toScan)) {
      // Somebody types again; the timer comes back.
      if (this.#changes !== before) return;
      this.#toScan.delete(next.key);
      if (!this.#isOpen(next)) continue;
      try {
        this.#scanned.set(next.key, await this.#parts.editor.scan(next.skill));
        if (!this.#dirty.has(next.key) && this.#changes === before) this.#publish(next.key);
      } catch (error) {
        if (error instanceof TechneError && this.#changes !== before) return;
        this.#parts.onFault(error);
      }
    }
  }

  #isOpen({ key }: Unit): boolean {
    return this.#openIn(key).length > 0;
  }

  #publish(key: string): void {
    const { editor, documents, send } = this.#parts;
    const byPath = new Map<string, ShownDiagnostic[]>();
    const add = (path: string, shown: ShownDiagnostic): void => {
      byPath.set(path, [...(byPath.get(path) ?? []), shown]);
    };
    for (const one of this.#found.get(key)?.diagnostics ?? []) add(one.path, this.show(one));
    for (const one of this.#scanned.get(key) ?? [])
      add(one.path, showScanned(one, editor.texts.read(one.path) ?? ''));
    const before = this.#shown.get(key) ?? new Map<string, readonly ShownDiagnostic[]>();
    // Also what has no findings: a client sees that it was checked.
    for (const path of new Set([...before.keys(), ...byPath.keys(), ...this.#openIn(key)])) {
      const version = documents.versionOf(path);
      send({
        uri: documents.uriOf(path),
        diagnostics: byPath.get(path) ?? [],
        ...(version === null ? {} : { version }),
      });
    }
    this.#shown.set(key, byPath);
  }

  show(one: Diagnostic): ShownDiagnostic {
    const { texts } = this.#parts.editor;
    const span = one.span === null ? null : texts.shown(one.path, one.span);
    return {
      range: rangeOf(span === null ? '' : (texts.read(one.path) ?? ''), span),
      severity: severities[one.severity],
      code: one.code,
      source: 'techne',
      message: one.hint === null ? one.message : `${one.message}\n${one.hint}`,
      data: { hint: one.hint },
    };
  }

  #takeBack(key: string): void {
    const { documents, send } = this.#parts;
    for (const path of this.#shown.get(key)?.keys() ?? [])
      send({ uri: documents.uriOf(path), diagnostics: [] });
    this.#shown.delete(key);
    this.#found.delete(key);
    this.#scanned.delete(key);
    this.#dirty.delete(key);
    this.#toScan.delete(key);
  }
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

const scanSeverities = {
  critical: DiagnosticSeverity.Error,
  high: DiagnosticSeverity.Error,
  medium: DiagnosticSeverity.Warning,
  low: DiagnosticSeverity.Information,
  info: DiagnosticSeverity.Information,
} as const;

function showScanned(
  { line, column, length, rule, severity, message, hint }: ScanFinding,
  text: string,
): ShownDiagnostic {
  const start = { line: line - 1, character: column - 1 };
  const width = (text.split(/\r\n|\n|\r/, line)[line - 1] ?? '').length;
  return {
    range: { start, end: { line: start.line, character: Math.min(width, start.character + length) } },
    severity: scanSeverities[severity],
    code: rule,
    source: 'techne scan',
    message: `${message}\n${hint}`,
  };
}

function first(units: ReadonlyMap<string, Unit>): Unit | null {
  for (const unit of units.values()) return unit;
  return null;
}
