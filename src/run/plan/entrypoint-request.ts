// The entry point of a skill, with its templates rendered -> the request of a `command` effect.
//
// The words of `command` are split before anything is rendered, and each stays one word: a value cannot add one.
// `{baseDir}` is replaced by the folder of the skill as a value, which is never read as a template. The request
// contains what will run: environment, input and the content of files are journaled, so that a resume runs the same.
// Secrets are not: variables that the skill declares are passed on by name.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Entrypoint } from '../../plan/entrypoint.ts';

interface EntrypointParts {
  readonly entrypoint: Entrypoint;
  /** The skill it belongs to. `content` is the digest of its folder, where it is known. */
  readonly skill: {
    readonly name: string;
    readonly digest: string;
    readonly folder: string;
    readonly trusted: boolean;
    readonly content: string | null;
  };
  /** Names of variables that the skill declares (`requires.env`); passed on only to a skill that is trusted. */
  readonly declaredEnv: readonly string[];
  /** A template -> text, with `baseDir` among the names it sees. Throws what rendering throws. */
  readonly render: (template: string) => string;
}

type EntrypointRequest =
  | { readonly ok: true; readonly request: JsonObject }
  | { readonly ok: false; readonly message: string };

const limits = {
  files: 32,
  fileUnits: 2_000_000,
  argvUnits: 100_000,
  envUnits: 100_000,
  stdinUnits: 4_000_000,
} as const;

export function commandOfEntrypoint({
  entrypoint,
  skill,
  declaredEnv,
  render,
}: EntrypointParts): EntrypointRequest {
  const no = (message: string): EntrypointRequest => ({
    ok: false,
    message: `the entry point of ${skill.name}: ${message}`,
  });
  const fill = (template: string): string => render(withBaseDir(template));
  const argv = [...entrypoint.command, ...entrypoint.args].map(fill);
  const [program = ''] = argv;
  if (program.trim() === '') return no('the command is empty');
  if (argv.some((word) => word.includes('\0'))) return no('an argument holds a NUL character');
  if (unitsOf(argv) > limits.argvUnits)
    return no(
      `the arguments have more than ${limits.argvUnits} characters; give long texts on stdin or in a file`,
    );
  // Python 3 comes with `python3`; `python` is often missing.
  if (program === 'python') argv[0] = 'python3';

  const env: { [name: string]: string } = {};
  for (const [name, template] of Object.entries(entrypoint.env)) {
    const value = fill(template);
    if (value === '') continue;
    if (value.includes('\0')) return no(`the variable ${name} holds a NUL character`);
    env[name] = value;
  }
  if (unitsOf(Object.values(env)) > limits.envUnits)
    return no(`the environment has more than ${limits.envUnits} characters`);
  const stdin = entrypoint.stdin === null ? null : fill(entrypoint.stdin);
  if (stdin !== null && stdin.length > limits.stdinUnits)
    return no(`stdin has more than ${limits.stdinUnits} characters`);
  if (entrypoint.assemble.length > limits.files) return no(`it assembles more than ${limits.files} files`);
  const files = entrypoint.assemble.map(({ into, from }) => ({
    path: fill(into).trim(),
    content: fill(from),
  }));
  const bad = files.map(fileFault).find((fault) => fault !== null);
  if (bad !== undefined && bad !== null) return no(bad);
  if (unitsOf(files.map(({ content }) => content)) > limits.fileUnits)
    return no(`its files have more than ${limits.fileUnits} characters`);
  const cwd = entrypoint.cwd === null ? '' : fill(entrypoint.cwd).trim();

  const request: { [key: string]: Json } = {
    argv,
    parse: entrypoint.parse,
    timeout_ms: entrypoint.timeoutMs,
    base: {
      skill: skill.name,
      digest: skill.digest,
      folder: skill.folder,
      trusted: skill.trusted,
      ...(skill.content === null ? {} : { content: skill.content }),
    },
  };
  if (Object.keys(env).length > 0) request['env'] = env;
  const pass = skill.trusted
    ? declaredEnv.filter((name) => /^[A-Za-z_]\w*$/.test(name) && !Object.hasOwn(env, name))
    : [];
  if (pass.length > 0) request['pass_env'] = pass;
  if (stdin !== null) request['stdin'] = stdin;
  if (cwd !== '') request['cwd'] = cwd;
  if (files.length > 0) request['files'] = files;
  return { ok: true, request };
}

/** Makes `{baseDir}` a variable, so that the folder is inserted as a value. Double braces are not touched. */
function withBaseDir(template: string): string {
  return template.replaceAll(/(?<!\{)\{(?:baseDir|base_dir)\}(?!\})/g, '{{ baseDir }}');
}

/** What can be checked without the file system: the host checks where the path really leads. */
function fileFault({ path }: { readonly path: string }): string | null {
  if (path === '') return 'a file has no name';
  if (path.includes('\0')) return 'the name of a file holds a NUL character';
  return path.split(/[\\/]/).includes('..')
    ? `the file ${JSON.stringify(path)} leads out of the workspace`
    : null;
}

function unitsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
