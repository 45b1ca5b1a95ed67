// What a sandboxed command sees of this machine besides its own folders.
//
//   PATH, the program -> system folders, pieces of /etc, toolchains
//
// It is a list of what is shown: nothing of the home folder, /run, /var or /etc except what is named here. Programs
// in the home folder are shown only if sandbox.readRoots names their folder; of the folder of this Node only the
// parts that Node and npm need. The users and the name of the machine are not shown.
import * as fs from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { looked } from '../files/file-fault.ts';

/** A folder of the machine, or a link to one that has its target elsewhere in the list. */
type SystemFolder = { readonly path: string; readonly linksTo: string | null };

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Without private keys: /etc/ssl/private and the like are not here. */
export const systemFiles: readonly string[] = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'ld-musl-x86_64.path',
  'ld-musl-aarch64.path',
  'alternatives',
  'localtime',
  'timezone',
  'os-release',
  'debian_version',
  'protocols',
  'services',
  'mime.types',
  'locale.alias',
  'fonts',
  'magic',
  'terminfo',
  'inputrc',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'ca-certificates',
  'pki/tls/certs',
  'pki/tls/cert.pem',
  'pki/tls/openssl.cnf',
  'pki/ca-trust/extracted',
  'crypto-policies',
  'perl',
  'python3',
  'java-17-openjdk',
  'java-21-openjdk',
].map((name) => `/etc/${name}`);

/** Only when the network is shared. */
export const networkFiles: readonly string[] = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/gai.conf',
  '/etc/host.conf',
];

interface Machine {
  /** Where whole programs are installed, each in a folder of its own. */
  readonly homes: readonly string[];
  /** The program of this Node. */
  readonly node: string;
}

const thisMachine: Machine = {
  homes: ['/opt', '/nix/store', '/gnu/store', '/snap'],
  node: process.execPath,
};

export function systemFoldersHere(): readonly SystemFolder[] {
  return systemFolders.flatMap((path) => {
    const stat = lstat(path);
    if (stat === null) return [];
    return [{ path, linksTo: stat.isSymbolicLink() ? fs.readlinkSync(path) : null }];
  });
}

/** The toolchains that PATH leads to, and the one that `program` is part of. */
export function toolchains(
  search: string,
  program: string | null,
  { homes, node }: Machine = thisMachine,
): readonly string[] {
  const folders = search.split(delimiter).filter((folder) => isAbsolute(folder));
  const found = [...folders, ...(program === null ? [] : [dirname(program)])].flatMap((folder) =>
    toolchainOf(realPath(folder) ?? folder, homes),
  );
  if (program !== null) found.push(...toolchainOf(dirname(realPath(program) ?? program), homes));
  const top = dirname(dirname(realPath(node) ?? node));
  const ofNode = isInside(top, '/usr')
    ? []
    : [join(top, 'bin'), join(top, 'lib', 'node_modules'), join(top, 'include', 'node')];
  return [...new Set([...found, ...ofNode])].filter((path) => lstat(path)?.isDirectory() === true);
}

/** `/opt/tool/bin` -> `/opt/tool` */
function toolchainOf(folder: string, homes: readonly string[]): readonly string[] {
  const home = homes.find((each) => folder !== each && isInside(folder, each));
  if (home === undefined) return [];
  const whole = basename(folder) === 'bin' || basename(folder) === 'sbin' ? dirname(folder) : folder;
  return whole === home ? [] : home.endsWith('/store') ? [home] : [whole];
}

export const isSystemPath = (path: string): boolean => systemFolders.some((folder) => isInside(path, folder));

/** The files in which programs look up users, groups and hosts. */
export function identityFiles(
  home: string,
  { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
): readonly { readonly path: string; readonly text: string }[] {
  const nobody = uid === 65534 ? '' : 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n';
  return [
    { path: '/etc/passwd', text: `techne:x:${uid}:${gid}:techne:${home}:/bin/sh\n${nobody}` },
    { path: '/etc/group', text: `techne:x:${gid}:\n${gid === 65534 ? '' : 'nogroup:x:65534:\n'}` },
    { path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n' },
    { path: '/etc/hosts', text: '127.0.0.1 localhost techne\n::1 localhost\n' },
  ];
}

export function realPath(path: string): string | null {
  return looked(() => fs.realpathSync.native(path));
}

export function lstat(path: string): fs.Stats | null {
  return looked(() => fs.lstatSync(path));
}
