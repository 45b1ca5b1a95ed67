import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/skills/new', '/skills/:name/edit'],
  title: 'Edit a skill',
  load: () => import('./SkillEdit.svelte'),
};
