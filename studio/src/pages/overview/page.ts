import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/'],
  title: 'Overview',
  nav: { letter: 'o', order: 1, icon: 'M2.5 9.5l2-6.5h7l2 6.5v3.5h-11zM2.5 9.5h3l1 2h3l1-2h3' },
  load: () => import('./Overview.svelte'),
};
