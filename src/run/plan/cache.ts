// Compiled plans, by the bytes they were compiled from: a skill that runs often is read once.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { BlobDigest } from '../../ports/blobs.ts';
import type { SkillToRun } from '../../ports/skill-source.ts';
import type { RunStarted } from '../../journal/entry.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { CompiledBundle } from './compile-bundle.ts';
import { compileBundle } from './compile-bundle.ts';
import { bundleFiles, readBundle } from './bundle.ts';
import { bundlePath } from './runs.ts';
import type { HostFilters } from './templates.ts';
import type { PlanOfSkill, PreparedPlan } from './prepare-plan.ts';
import { planOfSkill } from './prepare-plan.ts';

const maxKept = 32;

/** The bytes that were pinned under a path. */
type ReadPinned = (path: string, digest: BlobDigest) => Uint8Array | Promise<Uint8Array>;

export class PlanCache {
  readonly #filters: HostFilters;
  readonly #plans = new Map<string, PlanOfSkill>();
  readonly #bundles = new Map<string, CompiledBundle>();
  readonly #files = new Map<
    string,
    { readonly of: PlanOfSkill; readonly files: ReadonlyMap<string, Uint8Array> }
  >();

  constructor(filters: HostFilters) {
    this.#filters = filters;
  }

  planOf(skill: SkillToRun, parseFull: ParseFull): PlanOfSkill {
    const name = `${skill.digest} ${skill.name} ${skill.folder}`;
    const kept = this.#plans.get(name);
    if (kept !== undefined) return kept;
    return keep(this.#plans, name, planOfSkill(skill, parseFull));
  }

  /** What is pinned of a prepared plan; the same bytes for the same skills. */
  filesOf(
    planned: Extract<PlanOfSkill, { ok: true }>,
    prepared: Extract<PreparedPlan, { ok: true }>,
  ): ReadonlyMap<string, Uint8Array> {
    const { plan, skills, self } = prepared.bundle;
    const name = `${plan.name} ${self.folder} ${Object.values(skills)
      .map(
        ({ name: of, digest, content, folder, trusted }) => `${of} ${digest} ${content} ${folder} ${trusted}`,
      )
      .join('\n')}`;
    const kept = this.#files.get(name);
    if (kept !== undefined && kept.of === planned) return kept.files;
    return keep(this.#files, name, { of: planned, files: bundleFiles(prepared) }).files;
  }

  /**
   * The pinned plan of a run, always compiled from its bytes, so that a start and a resume execute the same. Throws what
   * `read` throws, and JOURNAL_CORRUPT.
   */
  async load(files: RunStarted['files'], read: ReadPinned): Promise<CompiledBundle | null> {
    const text = async (path: string, of: BlobDigest): Promise<string> =>
      decodeUtf8(await read(path, of)).text;
    const digest = files[bundlePath];
    if (digest === undefined) return null;
    // Its templates may have been edited in a fork, and are other files then.
    const name = Object.keys(files)
      .sort()
      .map((path) => `${path} ${files[path]}`)
      .join('\n');
    const kept = this.#bundles.get(name);
    if (kept !== undefined) return kept;
    const bundle = readBundle(await text(bundlePath, digest));
    const outputs = new Map<string, string>();
    const { output } = bundle.plan;
    for (const path of output === null ? [] : [output.path, ...Object.values(output.variants)]) {
      const at = files[path];
      if (at !== undefined) outputs.set(path, await text(path, at));
    }
    return keep(this.#bundles, name, compileBundle(bundle, outputs, this.#filters));
  }
}

function keep<T>(map: Map<string, T>, name: string, value: T): T {
  if (map.size >= maxKept) map.delete(map.keys().next().value as string);
  map.set(name, value);
  return value;
}
