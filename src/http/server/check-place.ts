// Checks where an HTTP request comes from, before anything else of it is looked at.
//
//   target and headers -> null, or a refusal
//
// A web page can point any name at this machine (DNS rebinding), so the Host must be a known name with the right port, and an
// Origin must be the server's own or allowed; "null" never is. What a browser marks as coming from another site is refused, unless
// its Origin is allowed. Duplicate headers are refused.

/** The head of a request, as it arrived. */
export interface RequestHead {
  readonly method: string;
  /** From the request line. */
  readonly target: string;
  /** Name, value, name, value …, in order. */
  readonly rawHeaders: readonly string[];
  /** The address that the connection comes from. Default: not known. */
  readonly peer?: string | undefined;
}

export interface HttpRefusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 411 | 413 | 415 | 429 | 500 | 503;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
  /** The code of the error in the body, where the surface has one. */
  readonly code?: string | number;
  readonly hint?: string;
}

export interface PlaceOptions {
  /** `127.0.0.1:8484`, `localhost:8484` …: lower case, with the port. */
  readonly hosts: readonly string[];
  /** In addition to `http://` and one of the hosts. */
  readonly origins: readonly string[];
  /** `https://runs.example.org`: what is in front of this server has this origin, and gives its Host on. Default: nothing is. */
  readonly publicOrigin?: string | null;
}

export function createPlaceCheck({ hosts, origins, publicOrigin = null }: PlaceOptions): {
  /** The Host, and whether the target is of this server. */
  host(head: RequestHead): HttpRefusal | null;
  /** The Origin, and what browsers say about it. */
  origin(head: RequestHead): HttpRefusal | null;
} {
  const knownHosts = new Set(hosts);
  const allowed = new Set(origins);
  const own = new Set(hosts.map((host) => `http://${host}`));
  if (publicOrigin !== null) {
    knownHosts.add(new URL(publicOrigin).host);
    own.add(publicOrigin);
  }
  return {
    host({ target, rawHeaders }) {
      const [host, ...more] = headerValues(rawHeaders, 'host');
      if (host === undefined || more.length > 0 || !knownHosts.has(host.toLowerCase()))
        return forbidden('the Host header names another server');
      return target.startsWith('/') ? null : forbidden('the request target names another server');
    },
    origin({ rawHeaders }) {
      const [origin, ...more] = headerValues(rawHeaders, 'origin');
      if (more.length > 0 || (origin !== undefined && !own.has(origin) && !allowed.has(origin)))
        return forbidden('requests from this Origin are not allowed');
      // Browsers add this header themselves, even without an Origin.
      const isForeign = headerValues(rawHeaders, 'sec-fetch-site').some(
        (site) => site !== 'same-origin' && site !== 'none',
      );
      return isForeign && (origin === undefined || !allowed.has(origin))
        ? forbidden('requests from other sites are not allowed')
        : null;
    },
  };
}

/** The token of `Authorization: Bearer TOKEN`; a refusal where it is missing, twice or something else. */
export function bearerOf({ rawHeaders }: RequestHead): string | HttpRefusal {
  const [authorization, ...more] = headerValues(rawHeaders, 'authorization');
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
  if (more.length === 0 && given !== undefined) return given;
  return unauthorized(
    authorization === undefined
      ? 'a bearer token is required'
      : 'the Authorization header must be "Bearer TOKEN", once',
    '',
  );
}

export function unauthorized(message: string, more: string): HttpRefusal {
  return { status: 401, message, headers: { 'www-authenticate': `Bearer realm="techne"${more}` } };
}

function forbidden(message: string): HttpRefusal {
  return { status: 403, message };
}

export function headerValues(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if ((rawHeaders[at] as string).toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  return values;
}

/** Whether it has a JSON body by its one Content-Type. */
export function isJsonBody({ rawHeaders }: RequestHead): boolean {
  const [kind, ...more] = headerValues(rawHeaders, 'content-type');
  return more.length === 0 && /^application\/json\s*(?:;|$)/i.test(kind ?? '');
}
