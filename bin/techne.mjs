#!/usr/bin/env node
// Starts the built command line, with compiled code kept between starts where Node can do that.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

nodeModule.enableCompileCache?.();
const cli = new URL('../dist/cli.js', import.meta.url);
if (existsSync(cli)) {
  const { runProcess } = await import(cli.href);
  await runProcess();
} else {
  process.stderr.write('techne: it is not built yet\n  hint: run "npm run build" in its folder\n');
  process.exitCode = 3;
}
