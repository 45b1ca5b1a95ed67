// A skill whose names are sorted differently by letters, by code units and by git.
export const oddSkill: { readonly [path: string]: string } = {
  'SKILL.md': '---\nname: odd\ndescription: Odd names.\n---\n\nBody.\n',
  'a.md': 'a',
  'B.md': 'B',
  '_under.md': 'under',
  'a-b.md': 'dash',
  'a_b.md': 'no',
  'z.md': 'z',
  'été.md': 'é',
  'scripts/run.sh!': '#!/bin/sh\n',
  'references/x.md': 'r',
  '10.md': '10',
  '9.md': '9',
  'metadata.json': 'meta',
};
