// One requirement as its author wrote it -> what it demands.
//
//   "git"                       -> git
//   "node >= 18", "jq (1.6+)"   -> node, jq; the version is not checked
//   "rg or grep"                -> one of them
//   "TOKEN (optional)"          -> nothing
//   "~/.config/tides"           -> that file or folder (settings only)
//   "a recent browser"          -> not clear, so it demands nothing
//
// What is not clear never hides a skill: the reader reports it. Versions are not checked, because that would mean to run
// the program of a skill that is not trusted yet.

/** `setting`: a key of the configuration, or the path of a file that keeps it. */
export type RequirementKind = 'program' | 'variable' | 'setting';

interface Demand {
  /** Any one of them satisfies it; none: it demands nothing. */
  readonly oneOf: readonly string[];
  /** What is demanded besides, and not checked. */
  readonly version: string | null;
}

const names: Record<RequirementKind, RegExp> = {
  program: /^[A-Za-z0-9_][\w.+-]*$/,
  variable: /^[A-Za-z_]\w*$/,
  setting: /^[A-Za-z0-9_][\w-]*(?:[.:/][\w-]+)*$/,
};
const path = /^(?:~|\$HOME|\$\{HOME\})?\/[^*?<>|"\0]+$/;
const optional = /(?<!\bnot )(?<!\bnon-)\boptional(?:ly)?\b/i;
const remark = /\s*[([](?:required|mandatory|must be set)[)\]]\s*$/i;
const bound = String.raw`(?:>=|<=|==|~=|=|\^|~|>|<|@|≥)?\s*v?\d[\w.*-]{0,40}\+?`;
const versioned = new RegExp(
  String.raw`^([A-Za-z0-9_][\w.+-]*?)\s*[( ]?\s*((?:version\s+)?${bound}(?:\s*,?\s*[<>=~^]{1,2}\s*v?\d[\w.*-]{0,40}){0,3}(?:\s+(?:or|and)\s+(?:later|newer|higher|above|greater|up))?)\)?$`,
  'i',
);
/** What people call a program, by its names on PATH. */
const spoken: ReadonlyMap<string, readonly string[]> = new Map([
  ['python', ['python3', 'python']],
  ['node.js', ['node']],
  ['nodejs', ['node', 'nodejs']],
  ['golang', ['go']],
]);
const longestRequirement = 200;
const nothing: Demand = { oneOf: [], version: null };

/** `null` when it is not clear what is demanded. */
export function readDemand(kind: RequirementKind, written: string): Demand | null {
  if (written.length > longestRequirement) return null;
  const text = written.replace(remark, '').trim();
  if (names[kind].test(text)) return { oneOf: [text], version: null };
  if (optional.test(text)) return nothing;
  if (kind === 'setting' && path.test(text) && !text.split('/').includes('..'))
    return { oneOf: [text.replace(/^\$(?:HOME|\{HOME\})/, '~')], version: null };
  if (kind === 'variable') {
    const [, name] = /^\$(?:\{(\w+)\}|\w+)$/.exec(text) ?? [];
    const variable = name ?? text.slice(1);
    if (text.startsWith('$') && names.variable.test(variable)) return { oneOf: [variable], version: null };
  }
  if (kind === 'program') {
    const [, name, version] = versioned.exec(text) ?? [];
    if (name !== undefined && version !== undefined) {
      const lower = name.toLowerCase();
      return { oneOf: spoken.get(lower) ?? [lower], version: version.trim() };
    }
  }
  const parts = text.split(/\s+or\s+|\s*\|\s*/i);
  return parts.length > 1 && parts.every((part) => names[kind].test(part))
    ? { oneOf: parts, version: null }
    : null;
}

/** Whether a requirement says of itself that it is none. */
export function isOptional(written: string): boolean {
  return /\s/.test(written) && optional.test(written);
}
