import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/compare'],
  title: 'Compare runs',
  load: () => import('./Compare.svelte'),
};
