// What a person wrote -> where skills come from.
//
//   ./folder  /folder.tar.gz  owner/repo[/folder][@skill][#ref[@skill]]  github:…  gitlab:…  npm:name@range
//   https://…  ssh://…  user@host:path  file:///repo  mcp:name  mcp:https://…
//
// As for `npx skills`, "@" names a skill and "#" a ref. A text that can mean two things is SOURCE_AMBIGUOUS, with the ways to
// write each; nothing is guessed. Nothing is fetched here.
import { TechneError } from '../../base/error.ts';
import { hasHiddenCharacters } from '../../base/printable.ts';
import { readFragment, readFolder, readSkillName, show } from './git-words.ts';
import { localSource } from './parse-local.ts';
import type { LookAt } from './parse-local.ts';
import { npmSource } from './parse-npm.ts';
import { gitSource, isArchiveName, urlSource } from './parse-url.ts';
import type { Source } from './source.ts';

const maxLength = 4096;

/** Throws SOURCE_INVALID, SOURCE_AMBIGUOUS or, for a local path that does not exist, FILE_MISSING. */
export function parseSource(given: string, cwd: string, look: LookAt): Source {
  const text = given.trim();
  if (text === '') throw invalid('the source is empty', 'write a folder, owner/repo or an address');
  if (text.length > maxLength || hasHiddenCharacters(text) || /[\n\t]/.test(text))
    throw invalid(
      `"${show(text)}" holds control or invisible characters, or is too long`,
      'type the source instead of pasting it',
    );
  if (isLocal(text)) return localSource(text, cwd, look);
  const prefixed = /^(npm|mcp|github|gitlab):(?!\/\/)(.+)$/is.exec(text);
  if (prefixed !== null) {
    const [, prefix = '', rest = ''] = prefixed;
    switch (prefix.toLowerCase()) {
      case 'npm':
        return npmSource(rest);
      case 'mcp':
        return mcpSource(rest);
      case 'github':
        return shorthand(rest, 'https://github.com/', text);
      default:
        return gitlabShorthand(rest, text);
    }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlSource(text);
  const scp = /^([A-Za-z0-9_][\w.-]*)@([A-Za-z0-9][\w.-]*):(?!\/\/)([^#]+)(?:#(.*))?$/s.exec(text);
  if (scp !== null) {
    const [, user = '', host = '', path = '', fragment = null] = scp;
    if (path.startsWith('-'))
      throw invalid(`"${show(text)}" is not the address of a repository`, 'a path does not start with "-"');
    return gitSource(`${user}@${host}:${path}`, readFragment(fragment, text));
  }
  if (text.includes(':'))
    throw invalid(
      `"${show(text)}" is not a source that is known`,
      'known are folders, owner/repo, https://, ssh://, file://, npm:, mcp:, github: and gitlab:',
    );
  return bareWords(text, cwd, look);
}

/** As `npx skills` tells local paths from others. */
function isLocal(text: string): boolean {
  return /^(?:\/|~\/|~$|\.{1,2}(?:[\\/]|$)|[A-Za-z]:[\\/])/.test(text);
}

/** Words without a colon: `owner/repo`, where no such folder is there. */
function bareWords(text: string, cwd: string, look: LookAt): Source {
  const place = text.replace(/[@#].*$/s, '');
  const isThere = look.kindOf(look.resolve(cwd, place === '' ? text : place)) !== null;
  if (text.startsWith('@'))
    throw ambiguous(`"${show(text)}" looks like an npm package`, `write "npm:${show(text)}"`);
  if (!text.includes('/')) {
    const ways = [
      `"./${show(text)}" for ${isThere ? 'the' : 'a'} folder or file`,
      ...(/\.[a-z]{2,}$/i.test(place) && !isArchiveName(place)
        ? [`"https://${show(text)}" for a web site`]
        : []),
      `"npm:${show(text)}" for an npm package`,
      '"owner/repo" for a repository of GitHub',
    ];
    throw ambiguous(`"${show(text)}" can mean several things`, `write ${ways.join(', ')}`);
  }
  if (isThere)
    throw ambiguous(
      `"${show(text)}" is a folder here, and can be a repository of GitHub`,
      `write "./${show(text)}" for the folder, "github:${show(text)}" for the repository`,
    );
  return shorthand(text, 'https://github.com/', text);
}

/** `owner/repo[/folder][@skill][#ref[@skill]]`. */
function shorthand(text: string, base: string, source: string): Source {
  const [words, fragment] = splitOnce(text, '#');
  const parts = /^([^/@]+)\/([^/@]+?)(?:\.git)?(?:@([^/@]+)|\/(.*))?$/s.exec(words);
  const [, owner = '', repo = '', skill, folder = ''] = parts ?? [];
  if (
    parts === null ||
    !/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(owner) ||
    !/^(?!\.{1,2}$)[\w.-]{1,100}$/.test(repo)
  )
    throw invalid(
      `"${show(source)}" is not owner/repo`,
      'write owner/repo, owner/repo/folder, owner/repo@skill or owner/repo#ref; a folder of this machine starts with "./"',
    );
  if (folder.includes('@'))
    throw ambiguous(
      `"@" in "${show(source)}" can name a skill or be part of the folder`,
      `write "${owner}/${repo}@skill" for a skill, or choose it with --skill`,
    );
  const { ref, skills } = readFragment(fragment, source);
  return {
    kind: 'git',
    url: `${base}${owner}/${repo}.git`,
    ref,
    path: readFolder(folder, source),
    treePath: null,
    skills: [...(skill === undefined ? [] : [readSkillName(skill)]), ...skills],
  };
}

/** Groups of GitLab have groups, so all words but a skill are the repository. */
function gitlabShorthand(text: string, source: string): Source {
  const [words, fragment] = splitOnce(text, '#');
  const parts = /^((?:[\w][\w.-]*\/)+[\w][\w.-]*?)(?:\.git)?(?:@([^/@]+))?$/.exec(words);
  if (parts === null)
    throw invalid(
      `"${show(source)}" is not group/repo`,
      'write gitlab:group/repo or gitlab:group/subgroup/repo',
    );
  const { ref, skills } = readFragment(fragment, source);
  return {
    kind: 'git',
    url: `https://gitlab.com/${parts[1]}.git`,
    ref,
    path: null,
    treePath: null,
    skills: [...(parts[2] === undefined ? [] : [readSkillName(parts[2])]), ...skills],
  };
}

function mcpSource(text: string): Source {
  if (/^https?:\/\//i.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || url.username !== '' || url.password !== '' || url.hash !== '')
      throw invalid(`"${show(text)}" is not the address of an MCP server`, 'write mcp:https://host/path');
    return { kind: 'mcp', server: url.href, skills: [] };
  }
  const [, name, skill] = /^([A-Za-z0-9][\w.-]{0,63})(?:@([^/@]+))?$/.exec(text) ?? [];
  if (name === undefined)
    throw invalid(
      `"${show(text)}" is not the name of an MCP server`,
      'write the name it has in mcpServers of the configuration, or mcp:https://host/path',
    );
  return { kind: 'mcp', server: name, skills: skill === undefined ? [] : [readSkillName(skill)] };
}

function splitOnce(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + mark.length)];
}

function invalid(message: string, hint: string): TechneError {
  return new TechneError('SOURCE_INVALID', message, { hint });
}

function ambiguous(message: string, hint: string): TechneError {
  return new TechneError('SOURCE_AMBIGUOUS', message, { hint });
}
