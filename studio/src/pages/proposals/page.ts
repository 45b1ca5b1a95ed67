import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/proposals'],
  title: 'Proposals',
  nav: { letter: 'p', order: 4, icon: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M8 7.5v4M6 9.5h4' },
  load: () => import('./Proposals.svelte'),
};
