import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/hub'],
  title: 'Hub',
  nav: { letter: 'h', order: 5, icon: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM8 8l5.5-3M8 8v6M8 8L2.5 5' },
  load: () => import('./Hub.svelte'),
};
