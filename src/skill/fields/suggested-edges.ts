// suggested_edges -> edges.
//
//   [prerequisite, leads_to]                        types
//   [{ type: part_of, target: project }]            types with a target
//   { part_of: project, similar_to: [concept] }     type -> targets
import type { Report } from '../../base/diagnostic.ts';
import { describeValue, readTextList, readTrimmed } from './read-value.ts';
import type { SuggestedEdge } from '../types.ts';
import type { YamlMap, YamlNode } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';

function fromMap(map: YamlMap, report: Report): SuggestedEdge[] {
  const type =
    entryOf(map, 'type') ?? entryOf(map, 'edge') ?? entryOf(map, 'relation') ?? entryOf(map, 'edge_type');
  if (type !== undefined) {
    const name = readTrimmed('type of a suggested edge', type.value, report);
    const target =
      entryOf(map, 'target') ??
      entryOf(map, 'to') ??
      entryOf(map, 'target_type') ??
      entryOf(map, 'node_type');
    return name === null
      ? []
      : [
          {
            type: name,
            target:
              target === undefined ? null : readTrimmed('target of a suggested edge', target.value, report),
          },
        ];
  }
  return map.entries.flatMap(({ key, value }): SuggestedEdge[] => {
    const targets = readTextList(`suggested_edges.${key}`, value, report) ?? [];
    return targets.length === 0
      ? [{ type: key, target: null }]
      : targets.map((target) => ({ type: key, target }));
  });
}

export function readEdges(node: YamlNode, report: Report): readonly SuggestedEdge[] {
  if (node.kind === 'map') return fromMap(node, report);
  if (node.kind === 'scalar')
    return (readTextList('suggested_edges', node, report) ?? []).map((type) => ({ type, target: null }));
  return node.items.flatMap((item) => {
    if (item.kind === 'map') return fromMap(item, report);
    if (item.kind === 'seq') {
      report(
        'FIELD_TYPE',
        item.span,
        `a suggested edge must be a type or a mapping, not ${describeValue(item)}`,
      );
      return [];
    }
    const type = readTrimmed('a suggested edge', item, report);
    return type === null ? [] : [{ type, target: null }];
  });
}
