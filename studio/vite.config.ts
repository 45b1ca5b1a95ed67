// Builds the browser client: hashed files under assets/, one page, no inline script or style. scripts/build-studio.mjs calls it.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { UserConfig } from 'vite';

const config: UserConfig = {
  logLevel: 'warn',
  plugins: [svelte({ configFile: false })],
  build: {
    target: 'es2023',
    // The policy of the server allows no `data:` and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // On a slow machine, half a page of them stands before the output of `npm start`.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
};

export default config;
