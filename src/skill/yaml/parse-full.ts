// Any YAML, parsed by the `yaml` package into the same tree that `parsePlain` builds.
//
//   text[start, end) -> YamlMap | null (reported)
//
// The caller passes the library in and loads it only when a file needs it: that costs tens of milliseconds. Bytes, depth
// and nodes are bounded, and nothing else: what is within the bounds is read as YAML, whatever its style. A syntax error
// is reported once, at its place, and nothing else is. Aliases are never followed, forbidden keys never kept, and of two
// equal keys the first that has a value counts; each is reported. Of the tags only those of JSON's types are applied
// (`!!int "5"`, as printers write it). `&word text` and `!word text` are text when nothing refers to the anchor and the
// tag is unknown. A second document is a syntax error: nothing after a marker is dropped silently.
import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Report } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import { compose } from './compose-document.ts';
import type { SyntaxFault, YamlLibrary } from './compose-document.ts';
import { explainSyntax } from './explain-syntax.ts';
import type { ParseFull, ScalarStyle, YamlEntry, YamlMap, YamlNode, YamlScalar } from './node.ts';
import { forbiddenKeys, hasNoValue, repeatedKey, yamlLimits } from './node.ts';
import { resolvePlain } from './plain/scalars.ts';

/** A parser that gives the tree of a frontmatter, or `null` after reporting why there is none. */
export function createParseFull(yaml: YamlLibrary): ParseFull {
  return (text, start, end, report) => parse(yaml, text, start, end, report);
}

function parse(yaml: YamlLibrary, text: string, start: number, end: number, report: Report): YamlMap | null {
  const composed = compose(yaml, text, start, end);
  if ('code' in composed) {
    report(composed.code, composed.span, composed.message, composed.hint);
    return null;
  }
  const error = firstError(composed.errors);
  if (error !== null) {
    const at = {
      start: start + error.pos[0],
      end: Math.min(end, start + Math.max(error.pos[1], error.pos[0] + 1)),
    };
    const { message, hint } = explainSyntax(error, text, at.start);
    report('YAML_SYNTAX', at, message, hint);
    return null;
  }
  const { root } = composed;
  if (!yaml.isMap(root)) {
    const at =
      root === null || root.range === undefined || root.range === null
        ? { start, end: start }
        : spanOf(root, start);
    report(
      'FRONTMATTER_NOT_A_MAP',
      at,
      `the frontmatter is ${describe(yaml, root)}, not "key: value" lines`,
      'write at least "name: …" and "description: …"',
    );
    return null;
  }
  // A tree that is refused half-way must leave no other report behind.
  const held: Parameters<Report>[] = [];
  const walk = new Walk(yaml, text, start, end, (...fault) => held.push(fault));
  const tree = walk.map(root, 1);
  if (walk.nodes > yamlLimits.nodes) {
    report(
      'YAML_TOO_MANY_NODES',
      { start, end: start },
      `the frontmatter has more than ${yamlLimits.nodes} values`,
      'move data into a file of its own',
    );
    return null;
  }
  for (const fault of held) report(...fault);
  return tree;
}

/** The error furthest to the front; tags are ignored, so what is wrong with them is no error. */
function firstError(errors: readonly SyntaxFault[]): SyntaxFault | null {
  let first: SyntaxFault | null = null;
  for (const error of errors) {
    if (error.code === 'TAG_RESOLVE_FAILED') continue;
    if (first === null || error.pos[0] < first.pos[0]) first = error;
  }
  return first;
}

function describe(yaml: YamlLibrary, root: unknown): string {
  if (yaml.isSeq(root)) return 'a list';
  if (yaml.isAlias(root)) return 'an alias';
  return yaml.isScalar(root) && root.value !== null ? 'a single value' : 'empty';
}

function spanOf(node: Node, base: number): Span {
  const range = node.range;
  return range ? { start: base + range[0], end: base + range[1] } : { start: base, end: base };
}

class Walk {
  nodes = 0;
  private readonly yaml: YamlLibrary;
  private readonly text: string;
  private readonly base: number;
  private readonly report: Report;
  private readonly end: number;
  private saidTooDeep = false;
  private names: { readonly anchors: ReadonlySet<string>; readonly aliases: ReadonlySet<string> } | null =
    null;

  constructor(yaml: YamlLibrary, text: string, base: number, end: number, report: Report) {
    this.yaml = yaml;
    this.text = text;
    this.base = base;
    this.end = end;
    this.report = report;
  }

  /** Every word after an `&` or a `*`, looked for once. */
  private get named(): { readonly anchors: ReadonlySet<string>; readonly aliases: ReadonlySet<string> } {
    if (this.names === null) {
      const anchors = new Set<string>();
      const aliases = new Set<string>();
      for (const [, sign, name] of this.text
        .slice(this.base, this.end)
        .matchAll(/([&*])([^\s,[\]{}]{1,1024})/g))
        (sign === '&' ? anchors : aliases).add(name as string);
      this.names = { anchors, aliases };
    }
    return this.names;
  }

  map(map: YAMLMap, depth: number): YamlMap {
    this.nodes += 1;
    let entries: YamlEntry[] = [];
    const seen = new Map<string, YamlEntry>();
    const replaced = new Set<YamlEntry>();
    for (const pair of map.items) {
      if (this.nodes > yamlLimits.nodes) break;
      const entry = this.entry(pair as Pair<Node, Node | null>, depth + 1);
      if (entry === null) continue;
      const earlier = seen.get(entry.key);
      if (earlier !== undefined) {
        const counts = hasNoValue(earlier) && !hasNoValue(entry) ? entry : earlier;
        this.report(
          'YAML_DUPLICATE_KEY',
          entry.keySpan,
          repeatedKey(entry.key, counts === earlier),
          'remove or rename one of them',
        );
        if (counts === earlier) continue;
        replaced.add(earlier);
      }
      seen.set(entry.key, entry);
      entries.push(entry);
    }
    if (replaced.size > 0) entries = entries.filter((entry) => !replaced.has(entry));
    const first = entries[0];
    const last = entries[entries.length - 1];
    const flow = map.flow === true;
    const whole = spanOf(map, this.base);
    const inside =
      first !== undefined && last !== undefined
        ? { start: first.keySpan.start, end: last.value.span.end }
        : whole;
    return { kind: 'map', entries, flow, span: flow ? whole : inside };
  }

  private entry(pair: Pair<Node, Node | null>, depth: number): YamlEntry | null {
    const keySpan = spanOf(pair.key, this.base);
    const key = this.key(pair.key, keySpan);
    if (key === null) return null;
    if (forbiddenKeys.has(key)) {
      this.report('YAML_FORBIDDEN_KEY', keySpan, `the key "${key}" was dropped`, 'use another name');
      return null;
    }
    const indicator = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind');
    const emptyAt = indicator === undefined ? keySpan.end : this.base + indicator.offset + 1;
    const value = pair.value === null ? this.empty(emptyAt) : this.node(pair.value, depth, emptyAt);
    return { key, keySpan, value };
  }

  private key(key: Node, at: Span): string | null {
    if (this.yaml.isScalar(key) && at.end > at.start) {
      this.mentionProps(key, at);
      return key.type === 'PLAIN' ? (key.source ?? '') : this.quotedText(key, at);
    }
    this.report(
      'YAML_KEY_NOT_TEXT',
      at,
      'a key must be text; this entry was dropped',
      'write the key as plain or quoted text',
    );
    return null;
  }

  private node(node: Node, depth: number, emptyAt: number): YamlNode {
    const at = spanOf(node, this.base);
    if (this.yaml.isAlias(node)) {
      const alias: Alias = node;
      if (!this.named.anchors.has(alias.source)) return this.starredText(at);
      this.report(
        'YAML_ALIAS',
        at,
        `"*${alias.source}" is an alias, which is not supported; the value was dropped`,
        'repeat the value, or quote it if the "*" is meant as text',
      );
      return this.dropped(at);
    }
    if (this.yaml.isScalar(node)) {
      const text = this.signedText(node, at);
      if (text !== null) return text;
    }
    this.mentionProps(node, at);
    if (this.yaml.isScalar(node)) return this.scalar(node, at, emptyAt);
    if (depth > yamlLimits.depth) {
      if (!this.saidTooDeep)
        this.report(
          'YAML_TOO_DEEP',
          at,
          `nested deeper than ${yamlLimits.depth} levels; the value was dropped`,
          'flatten it or move it into a file of its own',
        );
      this.saidTooDeep = true;
      return this.dropped(at);
    }
    if (this.yaml.isMap(node)) return this.map(node, depth);
    return this.seq(node as YAMLSeq<Node>, depth, at);
  }

  private seq(seq: YAMLSeq<Node>, depth: number, whole: Span): YamlNode {
    this.nodes += 1;
    const dashes = this.dashes(seq);
    const items: YamlNode[] = [];
    for (const [index, item] of seq.items.entries()) {
      if (this.nodes > yamlLimits.nodes) break;
      items.push(this.node(item, depth + 1, dashes[index] ?? spanOf(item, this.base).start));
    }
    const flow = seq.flow === true;
    const last = items[items.length - 1];
    return {
      kind: 'seq',
      items,
      flow,
      span: flow || last === undefined ? whole : { start: whole.start, end: last.span.end },
    };
  }

  /** Where an empty item of a block sequence is: behind its dash. */
  private dashes(seq: YAMLSeq<Node>): readonly number[] {
    const source = seq.srcToken;
    if (source?.type !== 'block-seq') return [];
    const dashes: number[] = [];
    for (const item of source.items) {
      const dash = item.start.find((token) => token.type === 'seq-item-ind');
      if (dash !== undefined) dashes.push(this.base + dash.offset + 1);
    }
    return dashes;
  }

  private scalar(scalar: Scalar, at: Span, emptyAt: number): YamlScalar {
    this.nodes += 1;
    const raw = scalar.source ?? '';
    const tagged = typedValue(scalar.tag, raw);
    if (tagged !== undefined) {
      const style =
        scalar.type === 'QUOTE_SINGLE' ? 'single' : scalar.type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
      return { kind: 'scalar', value: tagged, raw, style, span: at };
    }
    switch (scalar.type) {
      case 'QUOTE_SINGLE':
        return textScalar(raw, 'single', at);
      case 'QUOTE_DOUBLE':
        return textScalar(this.quotedText(scalar, at), 'double', at);
      case 'BLOCK_LITERAL':
        return textScalar(raw, 'literal', this.trimmed(at));
      case 'BLOCK_FOLDED':
        return textScalar(raw, 'folded', this.trimmed(at));
      case 'PLAIN':
      case undefined:
      default:
        return raw === ''
          ? this.emptyScalar(emptyAt)
          : { kind: 'scalar', value: resolvePlain(raw), raw, style: 'plain', span: at };
    }
  }

  /** The text of a quoted scalar; an escape that makes half a surrogate pair is replaced. */
  private quotedText(scalar: Scalar, at: Span): string {
    const value = scalar.source ?? '';
    if (scalar.type !== 'QUOTE_DOUBLE' || !this.text.slice(at.start, at.end).includes('\\')) return value;
    const whole = value.replace(/\p{Cs}/gu, '\uFFFD');
    if (whole !== value)
      this.report(
        'ENCODING_SURROGATE',
        at,
        'an escape stands for half of a surrogate pair; it was replaced by U+FFFD',
        'write the character itself',
      );
    return whole;
  }

  /** `**bold**` is an alias to YAML; where nothing has that name, it is meant as text. */
  private starredText(at: Span): YamlScalar {
    this.nodes += 1;
    this.report(
      'YAML_REPAIRED',
      at,
      'a value cannot begin with "*"; the value was read as text',
      'put the value in quotes',
    );
    return textScalar(this.text.slice(at.start, at.end), 'plain', at);
  }

  /** `&word text` and `!word text` as they are written, where the word means nothing to YAML. */
  private signedText(scalar: Scalar, at: Span): YamlScalar | null {
    const { anchor, tag } = scalar as { anchor?: string; tag?: string };
    if ((anchor === undefined && tag === undefined) || (scalar.type !== undefined && scalar.type !== 'PLAIN'))
      return null;
    if (anchor !== undefined && this.named.aliases.has(anchor)) return null;
    if (tag !== undefined && !/^![^!]*$/.test(tag)) return null;
    const anchorAt = anchor === undefined ? at.start : this.propBefore(at, 38).start;
    const tagAt = tag === undefined ? at.start : this.propBefore(at, 33).start;
    const start = Math.min(anchorAt, tagAt);
    const signs = this.text.slice(start, at.start);
    const isBare = (scalar.source ?? '') === '';
    if (start === at.start || (!isBare && /[\r\n]/.test(signs))) return null;
    const span = isBare ? { start, end: start + signs.trimEnd().length } : { start, end: at.end };
    this.nodes += 1;
    this.report(
      'YAML_REPAIRED',
      span,
      `a value cannot begin with "${this.text.charAt(start)}"; the value was read as text`,
      'put the value in quotes',
    );
    return textScalar(isBare ? signs.trimEnd() : signs + (scalar.source ?? ''), 'plain', span);
  }

  private mentionProps(node: Node, at: Span): void {
    const { anchor, tag } = node as { anchor?: string; tag?: string };
    if (tag !== undefined && !this.isApplied(node, tag))
      this.report(
        'YAML_TAG',
        this.propBefore(at, 33),
        `the tag ${tag} is ignored`,
        'remove it, or quote the value if the "!" is meant as text',
      );
    if (anchor !== undefined)
      this.report(
        'YAML_ALIAS',
        this.propBefore(at, 38),
        `the anchor "&${anchor}" is ignored`,
        'remove it, or quote the value if the "&" is meant as text',
      );
  }

  /** Whether `tag` says what `node` is anyway, or was applied to it. */
  private isApplied(node: Node, tag: string): boolean {
    if (this.yaml.isMap(node)) return tag === `${coreTag}map`;
    if (this.yaml.isSeq(node)) return tag === `${coreTag}seq`;
    return this.yaml.isScalar(node) && typedValue(tag, node.source ?? '') !== undefined;
  }

  /** The span of the `!tag` or `&anchor` in front of a node, or of the node. */
  private propBefore(at: Span, sign: number): Span {
    let end = at.start;
    for (let words = 0; words < 2; words += 1) {
      while (end > this.base && this.text.charCodeAt(end - 1) <= 32) end -= 1;
      let start = end;
      while (start > this.base && this.text.charCodeAt(start - 1) > 32) start -= 1;
      if (this.text.charCodeAt(start) === sign) return { start, end };
      end = start;
    }
    return at;
  }

  private trimmed(at: Span): Span {
    let end = at.end;
    while (end > at.start + 1 && isBlankUnit(this.text.charCodeAt(end - 1))) end -= 1;
    return { start: at.start, end };
  }

  private empty(at: number): YamlScalar {
    this.nodes += 1;
    return this.emptyScalar(at);
  }

  private emptyScalar(at: number): YamlScalar {
    return { kind: 'scalar', value: null, raw: '', style: 'plain', span: { start: at, end: at } };
  }

  private dropped(at: Span): YamlScalar {
    this.nodes += 1;
    return { kind: 'scalar', value: null, raw: '', style: 'plain', span: at };
  }
}

const coreTag = 'tag:yaml.org,2002:';

/** What the text of a scalar means under a tag of the core schema; `undefined` without one, or where it does not fit. */
function typedValue(tag: string | undefined, raw: string): null | boolean | number | string | undefined {
  if (tag === undefined || !tag.startsWith(coreTag)) return undefined;
  const value = resolvePlain(raw);
  switch (tag.slice(coreTag.length)) {
    case 'str':
      return raw;
    case 'null':
      return value === null ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'int':
      return Number.isInteger(value) ? value : undefined;
    case 'float':
      return typeof value === 'number' ? value : undefined;
    default:
      return undefined;
  }
}

function isBlankUnit(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

function textScalar(value: string, style: ScalarStyle, span: Span): YamlScalar {
  return { kind: 'scalar', value, raw: value, style, span };
}
