import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/settings'],
  title: 'Settings',
  nav: { letter: 'd', order: 9, icon: 'M2 4.5h7M13 4.5h1M9 3v3h2.5V3zM2 11.5h2M8 11.5h6M4.5 10v3H7v-3z' },
  load: () => import('./Settings.svelte'),
};
