#!/usr/bin/env node
// Starts the built command line, with compiled code kept between starts where Node can do that.
import { accessSync, constants } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

nodeModule.enableCompileCache?.();
const cli = new URL('../dist/cli.js', import.meta.url);
const fault = faultOf(cli);
if (fault === null) {
  const { runProcess } = await import(cli.href);
  await runProcess();
} else {
  process.stderr.write(fault);
  process.exitCode = 3;
}

function faultOf(file) {
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      return 'techne: it is not built yet\n  hint: run "npm run build" in its folder\n';
    return `techne: "${fileURLToPath(file)}" may not be read (${error.code})\n  hint: allow this user to read the folder it is in\n`;
  }
}
