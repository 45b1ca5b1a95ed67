// Debian's Chromium for the tests of the studio: installed by scripts/install-test-tools.sh.
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath =
  process.env['TECHNE_CHROMIUM'] ?? places.find((place) => existsSync(place)) ?? null;

/** Why the tests cannot run here; `null`: they can. They fail instead where the tools are required. */
export const noChromium = chromiumPath === null ? 'chromium is not installed' : null;

export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--disable-dev-shm-usage', '--force-color-profile=srgb'],
  });
}
