// The transcripts of an evaluation -> one JSON file each, for people to read.
//
// Each is written as soon as it is whole, so that a stopped evaluation has kept its measurements. Only the owner can
// read the files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { renderJson } from '../../base/printable.ts';

type KeepTranscript = (name: string, value: unknown) => void;

/** Throws ENVIRONMENT when the folder cannot be made. */
export function keepTranscripts(folder: string | null, cwd: string): KeepTranscript {
  if (folder === null) return () => undefined;
  const path = resolve(cwd, folder);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw new TechneError(
        'ENVIRONMENT',
        `the transcripts cannot be written to ${path}: ${(error as Error).message}`,
        { cause: error, hint: 'give another folder with --keep' },
      );
    }
  };
  attempt(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
  return (name, value) =>
    attempt(() =>
      writeFileSync(join(path, `${name.replaceAll(/[^\w.-]+/g, '-')}.json`), `${renderJson(value, 2)}\n`, {
        mode: 0o600,
      }),
    );
}
