// The language that a text is read in: by its name, its first line, its content.
import type { Language } from '../detector.ts';

const byExtension: { readonly [extension: string]: Language } = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mdc: 'markdown',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ksh: 'shell',
  fish: 'shell',
  command: 'shell',
  bats: 'shell',
  py: 'python',
  pyw: 'python',
  pyi: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  bat: 'shell',
  cmd: 'shell',
  awk: 'perl',
  // Read as JavaScript is: names, calls, texts and comments look the same.
  go: 'javascript',
  java: 'javascript',
  kt: 'javascript',
  kts: 'javascript',
  cs: 'javascript',
  scala: 'javascript',
  swift: 'javascript',
  groovy: 'javascript',
  dart: 'javascript',
  ps1: 'powershell',
  psm1: 'powershell',
  psd1: 'powershell',
  rb: 'ruby',
  pl: 'perl',
  pm: 'perl',
  php: 'php',
  star: 'starlark',
  bzl: 'starlark',
  json: 'json',
  jsonc: 'json',
  json5: 'json',
  jsonl: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  html: 'html',
  htm: 'html',
  svg: 'html',
  xml: 'html',
  xsd: 'html',
  xsl: 'html',
  xslt: 'html',
  wsdl: 'html',
  plist: 'html',
  vue: 'html',
  svelte: 'html',
  ipynb: 'notebook',
};

const byInterpreter: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|da|z|k|a|fi)?sh$/, 'shell'],
  [/^python[\d.]{0,6}$/, 'python'],
  [/^(?:node|deno|bun|tsx|ts-node)$/, 'javascript'],
  [/^(?:pwsh|powershell)$/, 'powershell'],
  [/^ruby[\d.]{0,6}$/, 'ruby'],
  [/^perl[\d.]{0,6}$/, 'perl'],
  [/^php[\d.]{0,6}$/, 'php'],
];

/** The words after which a fence of Markdown opens a block, besides the extensions. */
const byWord: { readonly [word: string]: Language } = {
  shell: 'shell',
  console: 'shell',
  terminal: 'shell',
  'shell-session': 'shell',
  shellsession: 'shell',
  python: 'python',
  python3: 'python',
  ipython: 'python',
  javascript: 'javascript',
  typescript: 'javascript',
  node: 'javascript',
  powershell: 'powershell',
  pwsh: 'powershell',
  ruby: 'ruby',
  perl: 'perl',
  starlark: 'starlark',
};

/** The end of a file name after its last dot, in lower case; '' where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

export function languageOf(path: string, text: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const interpreter = languageOfShebang(text);
  const named = own(byExtension, extensionOf(path));
  // A script can have any name; what it is started with decides, except for what is plainly data.
  if (interpreter !== null && (named === null || named === 'markdown')) return interpreter;
  if (named !== null) return named;
  if (
    /^(?:makefile|gnumakefile|dockerfile|containerfile|justfile|\.(?:bash|zsh|profile|env).{0,20})$/.test(
      name,
    )
  )
    return 'shell';
  return 'text';
}

/** `#!/usr/bin/env -S python3 -u` -> python. */
function languageOfShebang(text: string): Language | null {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('#!', start)) return null;
  const line = text.slice(start + 2, start + 202).split(/[\r\n]/, 1)[0] as string;
  const words = line.trim().split(/[\s/\\]+/);
  for (const word of words)
    for (const [pattern, language] of byInterpreter) if (pattern.test(word)) return language;
  return 'shell';
}

/** Of a fenced block by the first word after the fence, or by its first line. */
export function languageOfBlock(word: string, text: string): Language {
  const lower = word.toLowerCase();
  const named = own(byWord, lower) ?? own(byExtension, lower);
  if (named !== null) return named;
  return text.startsWith('#!')
    ? (languageOfShebang(text) as Language)
    : lower === '' && /^\s{0,8}\$ /.test(text)
      ? 'shell'
      : 'text';
}

function own(table: { readonly [key: string]: Language }, key: string): Language | null {
  return Object.hasOwn(table, key) ? (table[key] as Language) : null;
}
