// An address that is about to be asked -> the IP addresses that may be connected to.
//
// H1. https only; plain http only to this machine, and only if the configuration names the host.
// H2. A host is resolved once. Every address it has must be public, unless the configuration names the host; the connection
//     goes to one of these addresses, so a second answer of the DNS cannot lead elsewhere.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { TechneError } from '../../../base/error.ts';
import { codeOf } from '../../../node/files/file-fault.ts';
import { show } from '../../source/git-words.ts';
import type { FetchOptions } from '../options.ts';
import { isLoopbackAddress, isPublicAddress } from './address.ts';

export interface CheckedHost {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly addresses: readonly string[];
}

interface HostOptions extends Pick<FetchOptions, 'resolveHost'> {
  readonly hub: Pick<FetchOptions['hub'], 'allowHosts'>;
  /** The key of the configuration that names hosts, for hints. Default: `hub.allowHosts`. */
  readonly setting?: string;
}

/** Throws SOURCE_REFUSED or SOURCE_UNREACHABLE. */
export async function checkUrl(url: URL, options: HostOptions): Promise<CheckedHost> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(`"${show(url.href)}" may not be fetched: only https is allowed`, 'use an https address');
  if (url.username !== '' || url.password !== '')
    throw refused(`the address of "${show(url.host)}" holds a user name or a password`, 'leave them out');
  const host = hostOf(url);
  if (url.protocol === 'http:' && !isNamed(host, options))
    throw refused(
      `"${show(url.href)}" may not be fetched: plain http can be read and changed on its way`,
      `use https; for a server on this machine set "hub": { "allowHosts": ["${show(host)}"] } in ~/.techne/config.json`,
    );
  const checked = await checkHost(host, options);
  if (url.protocol === 'http:' && !checked.addresses.every(isLoopbackAddress))
    throw refused(
      `"${show(url.href)}" may not be fetched: plain http is only allowed to this machine`,
      'use https',
    );
  return checked;
}

/** The addresses of a host, all of them allowed. */
export async function checkHost(host: string, options: HostOptions): Promise<CheckedHost> {
  const addresses = isIP(host) === 0 ? await resolve(host, options) : [host];
  const bad = isNamed(host, options) ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (bad !== undefined)
    throw refused(
      `"${show(host)}" may not be asked: its address ${bad} is not a public one`,
      `if you meant it, add "${show(host)}" to ${options.setting ?? 'hub.allowHosts'} in your configuration`,
    );
  return { host, addresses };
}

export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function isNamed(host: string, options: HostOptions): boolean {
  return options.hub.allowHosts.some((named) => named.toLowerCase() === host.toLowerCase());
}

async function resolve(host: string, { resolveHost }: HostOptions): Promise<readonly string[]> {
  try {
    const found =
      resolveHost === undefined
        ? (await lookup(host, { all: true })).map(({ address }) => address)
        : await resolveHost(host);
    if (found.length > 0) return found;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw unknownHost(host, error);
  }
  throw unknownHost(host, undefined);
}

function unknownHost(host: string, cause: unknown): TechneError {
  return new TechneError('SOURCE_UNREACHABLE', `the host "${show(host)}" is not known`, {
    hint: 'check how it is written, and the network',
    cause,
  });
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('SOURCE_REFUSED', message, { hint });
}
