// Workers of the studio. Trusted Types let a page start only what a policy allows: the built files of this server.
//
//   import url from './layout.worker.ts?worker&url';   const worker = openWorker(url);
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('techne-worker', {
  createScriptURL(url) {
    if (!/^\/assets\/[\w.-]+\.js$/.test(url)) throw new TypeError('not a worker of the studio');
    return url;
  },
});

/** To be ended with `terminate`. */
export function openWorker(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
}
