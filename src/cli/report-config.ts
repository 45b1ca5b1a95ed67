// What is wrong with the configuration, said once per command, on standard error.
import { renderDiagnostic } from '../base/render-diagnostic.ts';
import type { LoadedConfig } from '../host/load-config.ts';
import type { CommandContext } from './context.ts';
import { displayPath } from './display-path.ts';
import { configText } from './open-workbench.ts';

export function reportConfig({ err, quiet, io, colour }: CommandContext, loaded: LoadedConfig): void {
  for (const diagnostic of loaded.diagnostics) {
    if (quiet && diagnostic.severity !== 'error') continue;
    err.line(renderDiagnostic({ ...diagnostic, path: displayPath(diagnostic.path, io) }, configText(loaded, diagnostic), { colour: colour && io.stderr.isTTY === true }));
  }
}
