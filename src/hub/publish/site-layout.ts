// Where the files of a hub lie. Artifacts are beside the index, so that their addresses need no "..".
//
//   .well-known/agent-skills/index.json
//   .well-known/agent-skills/NAME/NAME-VERSION.tar.gz   never changes
//   .well-known/agent-skills/NAME/NAME-VERSION.json     what the page of a version is made of
//   index.html, skills/NAME/index.html                  for people
import { posix } from 'node:path';
import { indexPaths } from '../source/index-format.ts';

export const indexFolder = posix.dirname(indexPaths.v2);
/** From the page of a skill. */
export const indexFolderFromPage = `../../${indexFolder}/`;

/** Relative to the index. */
export function artifactUrl(name: string, version: string): string {
  return `${name}/${name}-${version}.tar.gz`;
}

/** Relative to the site. */
export function artifactPath(name: string, version: string): string {
  return `${indexFolder}/${artifactUrl(name, version)}`;
}

export function detailsPath(name: string, version: string): string {
  return `${indexFolder}/${name}/${name}-${version}.json`;
}

export function pagePath(name: string): string {
  return `skills/${name}/index.html`;
}

/** As the index names it. */
export function pageUrl(name: string): string {
  return `../../${pagePath(name)}`;
}
