// The values of the frontmatter of SKILL.md, as a reader of YAML gives them to a model.
//
//   text -> views of texts that stand there in quotes, perhaps with escapes
//
// What a person writes in quotes for YAML is not quoted for whoever reads the value, and an escape is decoded by then.
import { parseFrontmatter } from '../../skill/frontmatter/read-frontmatter.ts';
import type { ParseFull, YamlNode, YamlScalar } from '../../skill/yaml/node.ts';
import type { View } from '../detector.ts';
import { viewOf } from './make-views.ts';
import { decodedPart } from './mapped-text.ts';

export function frontmatterViews(text: string, parseFull: ParseFull): readonly View[] {
  const frontmatter = parseFrontmatter(text, parseFull, { complete: true });
  if (frontmatter === 'more') return [];
  const views: View[] = [];
  const nodes: YamlNode[] = [frontmatter.map];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.kind === 'map') for (const { value } of node.entries) nodes.push(value);
    else if (node.kind === 'seq') nodes.push(...node.items);
    else if (typeof node.value === 'string' && isQuoted(node) && node.value.length > 8) {
      const { start, end } = node.span;
      const ways = text.slice(start, end).includes('\\') ? ['escapes'] : [];
      views.push(viewOf('literals', decodedPart(node.value, start, end), ways, 'markdown'));
    }
  }
  return views;
}

function isQuoted({ style }: YamlScalar): boolean {
  return style === 'double' || style === 'single';
}
