// The hosts that install a package of techne: the same hosts as with a configuration, with what differs.
//
//   target with a configuration -> target with a plugin, and how the program of the host validates the package

/** `{ plugin, validate, env?, start? }` by name. `program` finds the program of a host. */
export function packageTargets(targets, { program, prompt }) {
  const claude = () => program('@anthropic-ai/claude-code', 'claude');
  const gemini = () => program('@google/gemini-cli', 'gemini');
  return {
    'claude-code plugin': {
      ...targets['claude-code'],
      plugin: true,
      programs: { claude },
      validate: (folder) => [
        [claude(), 'plugin', 'validate', '--strict', folder],
        [claude(), 'plugin', 'validate', '--strict', `${folder}/plugins/claude-code`],
      ],
      // Without approval of the server: it comes from a plugin that a person installed.
      start: () => ({ argv: [claude(), '-p', prompt, '--allowedTools', 'mcp__plugin_techne_techne'] }),
    },
    'codex plugin': {
      ...targets.codex,
      plugin: true,
      programs: { codex: () => program('@openai/codex', 'codex') },
      // Codex has no validator; it lists what it could read.
      validate: () => [],
    },
    'gemini-cli extension': {
      ...targets['gemini-cli'],
      plugin: true,
      programs: { gemini },
      validate: (folder) => [[gemini(), 'extensions', 'validate', `${folder}/plugins/gemini`]],
    },
  };
}
