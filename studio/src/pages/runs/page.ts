import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/runs'],
  title: 'Runs',
  nav: { letter: 'r', order: 2, icon: 'M2.5 4h2M2.5 8h2M2.5 12h2M7 4h6.5M7 8h6.5M7 12h6.5' },
  load: () => import('./Runs.svelte'),
};
