import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/skills/:name'],
  title: 'Skill',
  load: () => import('./Skill.svelte'),
};
