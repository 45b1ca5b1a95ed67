import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/runs/:run'],
  title: 'Run',
  load: () => import('./Run.svelte'),
};
