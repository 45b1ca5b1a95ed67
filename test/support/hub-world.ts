// A home and a workspace whose configuration names a signed hub on the loopback interface, published and served as `techne publish`
// and `techne hub serve` do.
import { createNodeFiles } from '../../src/node/files/files.ts';
import type { SiteServer } from '../../src/hub/serve/serve-site.ts';
import { serveSite } from '../../src/hub/serve/serve-site.ts';
import type { World } from './run-cli.ts';
import { createWorld, skillText } from './run-cli.ts';

export interface HubWorld {
  readonly world: World;
  /** Of the hub, with a "/" at its end. */
  readonly url: string;
  /** Puts these files into the folder that is published, and publishes it again. Paths: `tides/SKILL.md`. */
  publish(files: { readonly [path: string]: string }): Promise<void>;
  close(): Promise<void>;
}

export const publishedSkills: { readonly [path: string]: string } = {
  'tides/SKILL.md': skillText(
    'tides',
    'Looks up tide tables. Use when a port is named.',
    'metadata:\n  version: "1.0.0"\n',
  ),
  'tides/scripts/run.sh': '#!/bin/sh\necho "tides of $1"\n',
  'moon/SKILL.md': skillText('moon', 'Says the phase of the moon. Use when asked for it.'),
};

/** `config`: more of the user's configuration. */
export async function openHubWorld(
  files: { readonly [path: string]: string } = {},
  config: { readonly [key: string]: unknown } = {},
): Promise<HubWorld> {
  const world = createWorld(files);
  const write = async (skills: { readonly [path: string]: string }): Promise<void> => {
    world.write(Object.fromEntries(Object.entries(skills).map(([path, text]) => [`author/${path}`, text])));
    const published = await world.run(['publish', '../author', '--out', '../site', '--sign', 'author']);
    if (published.code !== 0) throw new Error(published.err);
  };
  const made = await world.run(['hub', 'keys', 'new', 'author']);
  if (made.code !== 0) throw new Error(made.err);
  await write(publishedSkills);
  const site: SiteServer = await serveSite({
    files: createNodeFiles(),
    site: `${world.folder}/site`,
    port: 0,
    onBug: (error) => {
      throw error;
    },
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      hub: { indexes: [site.url], allowHosts: ['127.0.0.1'], minimumAgeHours: 0 },
      ...config,
    }),
  });
  return {
    world,
    url: site.url,
    publish: write,
    async close() {
      await site.close();
      world.remove();
    },
  };
}
