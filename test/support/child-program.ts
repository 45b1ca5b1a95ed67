// Real child processes that run our TypeScript.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export interface ChildProgram {
  /** The bundled file. */
  readonly path: string;
  start(...args: string[]): ChildProcess;
  /** Runs to its end; gives what it printed. Throws on another exit code than 0. */
  run(...args: string[]): Promise<string>;
  close(): void;
}

/**
 * Bundles `test/fixtures/children/<name>.ts`, since Node 20 does not run TypeScript. `place`: a program that loads packages or
 * looks for our package.json must lie in `modules`, below node_modules.
 */
export async function childProgram(name: string, place = tmpdir()): Promise<ChildProgram> {
  const folder = mkdtempSync(join(place, 'techne-child-'));
  const program = join(folder, `${name}.mjs`);
  await build({
    input: fileURLToPath(new URL(`../fixtures/children/${name}.ts`, import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
    output: { file: program, format: 'esm', codeSplitting: false },
  });
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    path: program,
    start,
    run: (...args) =>
      new Promise((resolve, reject) => {
        const child = start(...args);
        let printed = '';
        child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
        child.on('error', reject);
        child.on('close', (code) =>
          code === 0 ? resolve(printed) : reject(new Error(`${name} ended with ${code}: ${printed}`)),
        );
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The node_modules of the project. */
export const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Waits until the child has printed a line, so that a test knows it is in place. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')));
    });
    child.on('close', () => reject(new Error(`the child ended before a line: ${printed}`)));
  });
}
