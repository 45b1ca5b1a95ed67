import type { PageSpec } from '../../lib/page.ts';

export const page: PageSpec = {
  paths: ['/hub/jobs/:job'],
  title: 'Install',
  load: () => import('./HubJob.svelte'),
};
