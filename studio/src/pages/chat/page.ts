import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/chat', '/chat/:id'],
  title: 'Chat',
  nav: { letter: 'c', order: 8, icon: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5.5 6h5M5.5 8.3h3' },
  load: () => import('./Chat.svelte'),
};
