import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/graph'],
  title: 'Graph',
  nav: {
    letter: 'k',
    order: 7,
    icon: 'M4 2.5a1.8 1.8 0 1 0 .01 0zM12 5.5a1.8 1.8 0 1 0 .01 0zM6 10.5a1.8 1.8 0 1 0 .01 0zM5.7 4.9l4.6 1.7M5.6 10.6L4.5 6.1M7.7 11.5l3.2-2.8',
  },
  load: () => import('./Graph.svelte'),
};
