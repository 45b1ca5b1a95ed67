// A part of a graph as Mermaid, Graphviz or SVG.
//
//   { nodes, edges } -> text
//
// Every text of a note is quoted or escaped for the format. The same part gives the same text.
import { cutText } from '../base/cut-text.ts';
import { printableLine } from '../base/printable.ts';
import type { Edge, GraphNode } from './graph.ts';
import { typeOf } from './walk-graph.ts';

export interface GraphPart {
  /** The note in the middle of the picture; `null`: none. */
  readonly centre: string | null;
  readonly nodes: readonly GraphNode[];
  /** Only those between these nodes are drawn. */
  readonly edges: readonly Edge[];
}

export type GraphFormat = 'mermaid' | 'dot' | 'svg';

export function renderGraph(part: GraphPart, format: GraphFormat): string {
  const shown = drawn(part);
  switch (format) {
    case 'mermaid':
      return renderMermaid(shown);
    case 'dot':
      return renderDot(shown);
    case 'svg':
      return renderSvg(shown);
  }
}

interface Drawn {
  readonly centre: number;
  readonly nodes: readonly { readonly label: string; readonly type: string | null }[];
  /** Edges of one type between the same two notes are drawn once. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly label: string }[];
}

function drawn({ centre, nodes, edges }: GraphPart): Drawn {
  const at = new Map(nodes.map(({ path }, index) => [path, index]));
  const seen = new Set<string>();
  const lines: Drawn['edges'][number][] = [];
  for (const edge of edges) {
    const from = at.get(edge.from);
    const to = edge.to === null ? undefined : at.get(edge.to);
    const key = JSON.stringify([from, to, edge.type]);
    if (from === undefined || to === undefined || from === to || seen.has(key)) continue;
    seen.add(key);
    lines.push({ from, to, label: edge.type === null ? '' : shorten(typeOf(edge)) });
  }
  return {
    centre: centre === null ? -1 : (at.get(centre) ?? -1),
    nodes: nodes.map(({ name, note }) => ({ label: shorten(name), type: note.type })),
    edges: lines,
  };
}

function shorten(text: string): string {
  const { text: cut, truncated } = cutText(text, 40);
  return printableLine(truncated ? `${cut}…` : cut);
}

function renderMermaid({ centre, nodes, edges }: Drawn): string {
  const quoted = (text: string): string =>
    `"${text.replace(/[&<>"'`#;{}[\]()|\\]/g, (unit) => `#${unit.charCodeAt(0)};`)}"`;
  const lines = ['flowchart LR'];
  for (const [index, { label, type }] of nodes.entries())
    lines.push(`  n${index}[${quoted(type === null ? label : `${label} (${shorten(type)})`)}]`);
  for (const { from, to, label } of edges)
    lines.push(label === '' ? `  n${from} --> n${to}` : `  n${from} -->|${quoted(shorten(label))}| n${to}`);
  if (centre >= 0) lines.push(`  style n${centre} stroke-width:3px`);
  return `${lines.join('\n')}\n`;
}

function renderDot({ centre, nodes, edges }: Drawn): string {
  const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/[\n\r]/g, ' ')}"`;
  const lines = ['digraph notes {', '  node [shape=box, style=rounded];'];
  for (const [index, { label, type }] of nodes.entries()) {
    const text = quoted(type === null ? label : `${label} (${shorten(type)})`);
    lines.push(`  n${index} [label=${text}${index === centre ? ', penwidth=3' : ''}];`);
  }
  for (const { from, to, label } of edges)
    lines.push(`  n${from} -> n${to}${label === '' ? '' : ` [label=${quoted(label)}]`};`);
  return `${[...lines, '}'].join('\n')}\n`;
}

/** Notes on rings around the centre, or on one ring; labels beside them. */
function renderSvg({ centre, nodes, edges }: Drawn): string {
  const places = layout(nodes.length, centre, edges);
  const reach =
    Math.ceil(Math.max(120, ...places.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))))) + 120;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-reach} ${-reach} ${2 * reach} ${2 * reach}" width="${2 * reach}" height="${2 * reach}" font-family="sans-serif" font-size="11">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#667"/></marker></defs>',
  ];
  for (const { from, to, label } of edges) {
    const a = places[from] as Place;
    const b = places[to] as Place;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const at = (share: number): Place => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
    const start = at(Math.min(0.4, 9 / length));
    const end = at(1 - Math.min(0.4, 11 / length));
    lines.push(
      `<line x1="${fixed(start.x)}" y1="${fixed(start.y)}" x2="${fixed(end.x)}" y2="${fixed(end.y)}" stroke="#99a" marker-end="url(#tip)"/>`,
    );
    if (label !== '') {
      const middle = at(0.55);
      lines.push(
        `<text x="${fixed(middle.x)}" y="${fixed(middle.y - 3)}" text-anchor="middle" fill="#556" font-size="9">${escapeXml(shorten(label))}</text>`,
      );
    }
  }
  for (const [index, { label, type }] of nodes.entries()) {
    const { x, y } = places[index] as Place;
    lines.push(
      `<g><title>${escapeXml(type === null ? label : `${label} (${shorten(type)})`)}</title><circle cx="${fixed(x)}" cy="${fixed(y)}" r="${index === centre ? 9 : 7}" fill="${colourOf(type)}" stroke="#334" stroke-width="${index === centre ? 2 : 1}"/><text x="${fixed(x)}" y="${fixed(y + 20)}" text-anchor="middle" fill="#112">${escapeXml(label)}</text></g>`,
    );
  }
  return `${[...lines, '</svg>'].join('\n')}\n`;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Ring by ring from the centre outwards; notes that are not connected with it are on the outermost ring. */
function layout(count: number, centre: number, edges: Drawn['edges']): readonly Place[] {
  const depth: number[] = Array.from({ length: count }, () => (centre < 0 ? 1 : -1));
  if (centre >= 0) depth[centre] = 0;
  const near: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    near[from]?.push(to);
    near[to]?.push(from);
  }
  const queue = centre < 0 ? [] : [centre];
  for (const here of queue)
    for (const next of near[here] ?? [])
      if (depth[next] === -1) {
        depth[next] = (depth[here] as number) + 1;
        queue.push(next);
      }
  const last = Math.max(1, ...depth);
  const rings = new Map<number, number[]>();
  for (const [index, ring] of depth.entries()) {
    const members = rings.get(ring < 0 ? last : ring) ?? [];
    rings.set(ring < 0 ? last : ring, [...members, index]);
  }
  const places: Place[] = Array.from({ length: count }, () => ({ x: 0, y: 0 }));
  let radius = 0;
  for (const ring of [...rings.keys()].sort((a, b) => a - b)) {
    const members = rings.get(ring) ?? [];
    if (ring === 0) continue;
    radius = Math.max(radius + 110, (members.length * 70) / (2 * Math.PI));
    for (const [order, index] of members.entries()) {
      const angle = (2 * Math.PI * order) / members.length - Math.PI / 2 + ring * 0.35;
      places[index] = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    }
  }
  return places;
}

const colours = ['#9cc5ff', '#ffd28a', '#b7e3a8', '#f3b0c3', '#d3c0f9', '#a8e0dc', '#f7e29a', '#d8c3ae'];

function colourOf(type: string | null): string {
  if (type === null) return '#e6e8ee';
  let sum = 0;
  for (const unit of type.toLowerCase()) sum = (sum * 31 + (unit.codePointAt(0) ?? 0)) % 9973;
  return colours[sum % colours.length] as string;
}

function fixed(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}

function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`);
}
