// A head as short JSON, and back.
//
//   SkillHead <-> text without what is as usual, and without name and description (kept in columns)
//
// E1. decodeHead(encodeHead(head), head.name, head.description) equals head, key order of `frontmatter` included.
import { parseJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { SkillHead } from '../skill/types.ts';

type Rest = Omit<SkillHead, 'name' | 'description' | 'frontmatter'>;

// Also fixes the key order of decoded heads.
const usual: Rest = {
  declaredName: null,
  descriptionFrom: 'frontmatter',
  whenToUse: null,
  form: 'instructions',
  program: null,
  bar: null,
  license: null,
  compatibility: null,
  declaredVersion: null,
  metadata: {},
  triggers: [],
  inputs: null,
  output: null,
  allowedTools: null,
  disallowedTools: null,
  tools: null,
  requires: null,
  invocation: { user: true, model: true, always: false, because: [] },
  priority: 0,
  finalTextMode: null,
  risk: null,
  capabilities: null,
  nodeType: null,
  suggestedEdges: [],
  argumentHint: null,
  argumentNames: [],
  model: null,
  fork: false,
  dialects: [],
};
const usualText = new Map(Object.entries(usual).map(([key, value]) => [key, JSON.stringify(value)]));

export function encodeHead(head: SkillHead): string {
  let text = '';
  for (const [key, value] of Object.entries(head)) {
    if (key === 'name' || key === 'description' || key === 'frontmatter') continue;
    const encoded = JSON.stringify(value);
    if (encoded !== usualText.get(key)) text += `${JSON.stringify(key)}:${encoded},`;
  }
  // The description is most of a frontmatter; `0` stands for "the same", which no text equals.
  const { frontmatter } = head;
  const same = frontmatter['description'] === head.description;
  const kept = same ? JSON.stringify({ ...frontmatter, description: 0 }) : JSON.stringify(frontmatter);
  return `{${text}"frontmatter":${kept}${same ? ',"same":true' : ''}}`;
}

export function decodeHead(text: string, name: string, description: string): SkillHead {
  const { same, ...read } = parseJson(text) as unknown as Partial<Rest> & Pick<SkillHead, 'frontmatter'> & { same?: true };
  const head: SkillHead = { name, description, ...structuredUsual(), ...read };
  if (same === true) (head.frontmatter as { [key: string]: Json } & JsonObject)['description'] = description;
  return head;
}

/** A fresh copy, so that no two heads share an object. */
function structuredUsual(): Rest {
  return { ...usual, metadata: {}, triggers: [], invocation: { ...usual.invocation, because: [] }, suggestedEdges: [], argumentNames: [], dialects: [] };
}
