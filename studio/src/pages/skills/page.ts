import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/skills'],
  title: 'Skills',
  nav: { letter: 's', order: 3, icon: 'M3 2.5h7.5L13 5v8.5H3zM5.5 6.5h5M5.5 9h5M5.5 11.5h3' },
  load: () => import('./Skills.svelte'),
};
