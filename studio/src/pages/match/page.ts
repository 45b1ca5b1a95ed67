import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/match'],
  title: 'Matching',
  nav: { letter: 'm', order: 6, icon: 'M2.5 3.5h11v7h-6l-3 3v-3h-2zM5.5 7l1.6 1.6L10.5 5.4' },
  load: () => import('./Match.svelte'),
};
