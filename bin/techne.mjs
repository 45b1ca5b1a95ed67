#!/usr/bin/env node
// Starts the built command line. Node keeps compiled code between starts, if its version can.
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
      return 'techne: techne is not built yet\n  hint: run "npm run build" in the folder of techne\n';
    return `techne: "${fileURLToPath(file)}" cannot be read (${error.code})\n  hint: give this user read permission for its folder\n`;
  }
}
