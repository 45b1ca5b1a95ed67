// What fetching gets in tests: nothing of the machine's own configuration, and limits of seconds.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { neverAborted } from '../../../src/base/abort.ts';
import { TechneError } from '../../../src/base/error.ts';
import { defaultConfig } from '../../../src/config/merge-config.ts';
import type { FetchOptions } from '../../../src/hub/fetch/options.ts';
import { fetchSource } from '../../../src/hub/fetch/fetch-source.ts';
import type { Fetched, Source } from '../../../src/hub/source/source.ts';

export interface Bench {
  /** Of this test alone. */
  readonly folder: string;
  readonly options: FetchOptions;
  /** What is left in the folder for temporary files. */
  leftovers(): readonly string[];
  close(): void;
}

export function openBench(
  change: Partial<FetchOptions['hub']> = {},
  more: Partial<FetchOptions> = {},
): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'techne-hub-'));
  const tempFolder = mkdtempSync(join(folder, 'temp-'));
  return {
    folder,
    options: {
      hub: { ...defaultConfig().hub, allowHosts: ['127.0.0.1'], ...change },
      mcpServers: {},
      cwd: folder,
      homeFolder: folder,
      variables: { PATH: process.env['PATH'] },
      tempFolder,
      ...more,
      limits: { idleMs: 15_000, totalMs: 60_000, ...more.limits },
    },
    leftovers: () => readdirSync(tempFolder),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function fetchWith({ options }: Bench, source: Source): Promise<Fetched> {
  return fetchSource(source, options, () => undefined, neverAborted);
}

/** The code and the message of the failure. */
export async function failure(work: Promise<unknown>): Promise<TechneError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TechneError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** `name: path path …`, one line for each skill. */
export function summary({ packages }: Fetched): readonly string[] {
  return packages.map(({ name, files }) => `${name}: ${[...files.keys()].join(' ')}`);
}
