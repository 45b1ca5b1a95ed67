// One mapping of a plan -> its values, each of the type it must have.
//
// A wrong type or value is an error at its place, because it would change what runs. An unknown key that looks like a
// known one is an error (`depend_on` would run a step too early), any other unknown key a warning; keys that begin
// with `x_` or `x-` are ignored. A key of another dialect is read as ours, with a diagnostic; if both are given, ours
// counts. A key without a value counts as not given.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import { changesStartOf } from '../base/start-variables.ts';
import { isExtensionKey } from '../skill/fields/field-table.ts';
import { describeValue, isNull, quoteHint, yamlText } from '../skill/fields/read-value.ts';
import type { YamlEntry, YamlMap, YamlNode, YamlScalar, YamlSeq } from '../skill/yaml/node.ts';

export class Fields {
  /** What the mapping is, as in `step "draft"`. */
  readonly owner: string;
  readonly map: YamlMap;
  readonly report: Report;
  private readonly entries = new Map<string, YamlEntry>();

  constructor(owner: string, map: YamlMap, keys: KnownKeys, report: Report) {
    this.owner = owner;
    this.map = map;
    this.report = report;
    for (const entry of map.entries) if (keys.known.includes(entry.key)) this.entries.set(entry.key, entry);
    for (const entry of map.entries) if (!keys.known.includes(entry.key)) this.other(entry, keys);
  }

  private other(entry: YamlEntry, keys: KnownKeys): void {
    const { key, keySpan } = entry;
    const same = keys.same?.[key];
    const meant = same ?? keys.aliases?.[key];
    if (meant !== undefined) {
      if (same !== undefined && !this.entries.has(meant)) this.entries.set(meant, entry);
      else if (this.entries.has(meant))
        this.report(
          'PLAN_ALIAS',
          keySpan,
          `${this.owner}: "${key}" means "${meant}", which is given too; only "${meant}" counts`,
          `remove ${key}`,
        );
      else {
        this.report('PLAN_ALIAS', keySpan, `${this.owner}: "${key}" is read as "${meant}"`, `write ${meant}`);
        this.entries.set(meant, entry);
      }
      return;
    }
    if (keys.inert?.includes(key) === true) {
      this.report(
        'PLAN_KEY_INERT',
        keySpan,
        `${this.owner}: "${key}" says something about the step that techne works out itself; it has no effect`,
      );
      return;
    }
    if (isExtensionKey(key)) return;
    const shown = printableLine(key).slice(0, 60);
    const near = nearest(key, [...keys.known, ...Object.keys(keys.aliases ?? {})]);
    if (near !== null)
      this.report(
        'PLAN_KEY_MISSPELT',
        keySpan,
        `${this.owner}: "${shown}" is not a key it can have`,
        `did you mean "${keys.aliases?.[near] ?? near}"?`,
      );
    else
      this.report(
        'PLAN_KEY_UNKNOWN',
        keySpan,
        `${this.owner}: "${shown}" is not a key it can have; it has no effect`,
        `it can have ${keys.known.filter((one) => !/_(?:zh|en)$/.test(one)).join(', ')}`,
      );
  }

  get(key: string): YamlNode | null {
    const entry = this.entries.get(key);
    return entry === undefined || isNull(entry.value) ? null : entry.value;
  }

  /** Also when it has no value. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  keySpan(key: string): Span {
    return this.entries.get(key)?.keySpan ?? this.span;
  }

  /** The first key: the place of what is missing. */
  get span(): Span {
    return this.map.entries[0]?.keySpan ?? this.map.span;
  }

  wrong(key: string, node: YamlNode, expected: string, hint?: string): null {
    this.report(
      'PLAN_TYPE',
      node.span,
      `${this.owner}: ${key} must be ${expected}, not ${describeValue(node)}`,
      hint,
    );
    return null;
  }

  refuse(node: { readonly span: Span }, message: string, hint?: string): null {
    this.report('PLAN_VALUE', node.span, `${this.owner}: ${message}`, hint);
    return null;
  }

  missing(message: string, hint: string): null {
    this.report('PLAN_FIELD_MISSING', this.span, `${this.owner}: ${message}`, hint);
    return null;
  }

  /** Text that is not blank. A key that is there without a value is refused. */
  text(key: string, expected = 'text'): string | null {
    const node = this.get(key);
    if (node === null) {
      if (this.has(key))
        this.report(
          'PLAN_TYPE',
          this.keySpan(key),
          `${this.owner}: ${key} has no value`,
          `write ${key}: ${expected}, or leave it out`,
        );
      return null;
    }
    return this.textOf(key, node);
  }

  textOf(label: string, node: YamlNode): string | null {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') {
      return this.wrong(label, node, 'text', node.kind === 'scalar' ? quoteHint(node.raw) : undefined);
    }
    if (node.value.trim() === '')
      return this.refuse(node, `${label} is blank`, 'write a value, or remove the key');
    return node.value;
  }

  /** Any text, also an empty one. */
  anyText(key: string): string | null {
    const node = this.get(key);
    if (node === null) return null;
    return node.kind === 'scalar' && typeof node.value === 'string'
      ? node.value
      : this.wrong(key, node, 'text');
  }

  flag(key: string): boolean | null {
    const node = this.get(key);
    if (node === null) return null;
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    return this.wrong(key, node, 'true or false', `write ${key}: true or ${key}: false`);
  }

  integer(key: string, least: number, most: number): number | null {
    const node = this.get(key);
    if (node === null) return null;
    if (node.kind !== 'scalar' || typeof node.value !== 'number' || !Number.isSafeInteger(node.value))
      return this.wrong(key, node, 'a whole number');
    if (node.value < least || node.value > most)
      return this.refuse(
        node,
        `${key} is ${node.value}; it must be ${most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `from ${least} to ${most}`}`,
      );
    return node.value;
  }

  list(key: string): YamlSeq | null {
    const node = this.get(key);
    if (node === null) return null;
    if (node.kind === 'seq') return node;
    return this.wrong(
      key,
      node,
      'a list',
      node.kind === 'scalar' ? `write ${key}: [${yamlText(node.raw)}]` : undefined,
    );
  }

  mapping(key: string): YamlMap | null {
    const node = this.get(key);
    if (node === null) return null;
    return node.kind === 'map'
      ? node
      : this.wrong(key, node, 'a mapping', `write ${key}: followed by indented "key: value" lines`);
  }

  /** A list of texts that are not blank; faulty items are left out. */
  texts(key: string): readonly string[] | null {
    const list = this.list(key);
    if (list === null) return null;
    return list.items.flatMap((item, index) => this.textOf(`${key}[${index}]`, item) ?? []);
  }

  /** A list of names; numbers and booleans are taken as they are written. */
  names(key: string): readonly YamlScalar[] | null {
    const list = this.list(key);
    if (list === null) return null;
    return list.items.flatMap((item, index) => {
      if (item.kind === 'scalar' && item.value !== null && item.raw.trim() !== '') return [item];
      this.wrong(`${key}[${index}]`, item, 'a name');
      return [];
    });
  }
}

interface KnownKeys {
  readonly known: readonly string[];
  /** Key of another dialect -> ours. */
  readonly aliases?: { readonly [key: string]: string };
  /** Other spellings that are as good as ours. */
  readonly same?: { readonly [key: string]: string };
  /** Keys that other hosts write, which are ignored. */
  readonly inert?: readonly string[];
}

/** A command with such a variable is denied by the host. */
export function checkVariable(fields: Fields, name: string, span: Span): void {
  const what = changesStartOf(name);
  if (what !== null)
    fields.report(
      'PLAN_VALUE',
      span,
      `${fields.owner}: a skill may not set ${name}: it changes what ${what} loads or starts`,
      'give the program an argument, or a variable of another name',
    );
}
