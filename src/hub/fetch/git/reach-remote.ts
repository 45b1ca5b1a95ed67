// The address of a repository -> what git may be given, after it was checked.
//
//   https   redirects are followed by our own client and checked; git then asks the last address, at the IP that was checked
//   ssh     only if the configuration allows it; the keys of hosts must be known
//   git     only for hosts that the configuration names
//   file    a path of this machine that the person wrote
import { fileURLToPath } from 'node:url';
import { isIP } from 'node:net';
import { TechneError } from '../../../base/error.ts';
import { show } from '../../source/git-words.ts';
import type { FetchContext } from '../context.ts';
import { checkHost, checkUrl, hostOf, isNamed } from '../https/check-host.ts';
import { follow } from '../https/request.ts';
import type { GitPlace } from './run-git.ts';

export interface Remote {
  /** For git. */
  readonly url: string;
  readonly protocol: GitPlace['protocol'];
  readonly pinned: string | null;
}

export async function reachRemote(address: string, context: FetchContext): Promise<Remote> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? 'ssh';
  switch (scheme) {
    case 'https':
    case 'http':
      return reachWeb(new URL(address), context);
    case 'ssh':
      if (!context.options.hub.ssh)
        throw refused(
          `"${show(address)}" may not be fetched: ssh is switched off`,
          'use the https address, or set hub.ssh to true in your configuration',
        );
      return { url: address, protocol: 'ssh', pinned: null };
    case 'git': {
      const url = new URL(address);
      if (!isNamed(hostOf(url), context.options))
        throw refused(
          `"${show(address)}" may not be fetched: git:// can be read and changed on its way`,
          'use the https address, or name the host in hub.allowHosts',
        );
      const { addresses } = await checkHost(hostOf(url), context.options);
      const ip = addresses[0] as string;
      const host = isIP(ip) === 6 ? `[${ip}]` : ip;
      return {
        url: `git://${host}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`,
        protocol: 'git',
        pinned: null,
      };
    }
    case 'file':
      return { url: `file://${fileURLToPath(address)}`, protocol: 'file', pinned: null };
    default:
      throw refused(
        `"${show(address)}" may not be fetched: the protocol "${show(scheme)}" is not allowed`,
        'use https',
      );
  }
}

const service = '/info/refs';

async function reachWeb(url: URL, context: FetchContext): Promise<Remote> {
  const question = new URL(
    `${url.origin}${url.pathname.replace(/\/$/, '')}${service}?service=git-upload-pack`,
  );
  const { url: last, answer } = await follow(question, { headers: { 'git-protocol': 'version=2' } }, context);
  answer.close();
  if (answer.status === 401 || answer.status === 404)
    throw new TechneError('SOURCE_UNREACHABLE', `there is no public repository at "${show(url.href)}"`, {
      hint: 'check how it is written; for a private one set hub.ssh and use ssh',
    });
  if (answer.status !== 200)
    throw new TechneError('SOURCE_UNREACHABLE', `"${show(url.href)}" answered with status ${answer.status}`, {
      hint: 'try again later',
    });
  if (!last.pathname.endsWith(service))
    throw refused(
      `"${show(url.href)}" redirects to "${show(last.href)}", which is no repository`,
      'check the address',
    );
  const { host, addresses } = await checkUrl(last, context.options);
  const port = last.port === '' ? (last.protocol === 'https:' ? '443' : '80') : last.port;
  return {
    url: `${last.origin}${last.pathname.slice(0, -service.length)}`,
    protocol: last.protocol === 'https:' ? 'https' : 'http',
    pinned: isIP(host) === 0 ? `${host}:${port}:${addresses.join(',')}` : null,
  };
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('SOURCE_REFUSED', message, { hint });
}
