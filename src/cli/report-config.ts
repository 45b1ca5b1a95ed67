// Prints the diagnostics of the configuration once per command, on standard error.
import type { Diagnostic } from '../base/diagnostic.ts';
import { renderDiagnostic } from '../base/render-diagnostic.ts';
import type { LoadedConfig } from '../node/load-config.ts';
import type { CommandContext } from './context.ts';
import { displayPath } from '../techne/display-path.ts';

export function reportConfig({ err, quiet, io, colour }: CommandContext, loaded: LoadedConfig): void {
  for (const diagnostic of loaded.diagnostics) {
    if (quiet && diagnostic.severity !== 'error') continue;
    err.line(
      renderDiagnostic(
        { ...diagnostic, path: displayPath(diagnostic.path, io), hint: quiet ? null : diagnostic.hint },
        configText(loaded, diagnostic),
        { colour: colour && io.stderr.isTTY === true },
      ),
    );
  }
}

/** The text of the configuration file that a diagnostic is about, for its excerpt. */
export function configText(loaded: LoadedConfig, diagnostic: Diagnostic): string | null {
  return loaded.files.find(({ path }) => path === diagnostic.path)?.text ?? null;
}
