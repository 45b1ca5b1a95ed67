import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/run/:skill'],
  title: 'Run a skill',
  load: () => import('./Launch.svelte'),
};
