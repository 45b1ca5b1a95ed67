import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/proposals/:id', '/proposals/:id/edit'],
  title: 'Proposal',
  load: () => import('./Proposal.svelte'),
};
