// The trust of a team as the trust store of a library: by content alone, whatever the folder.
//
// No folder is trusted, neither by the file of a user nor by the configuration of a worker, so a workspace that came with a
// run cannot widen anything. It is asked each time, and changed elsewhere (`techne store trust`).
import { TechneError } from '../../base/error.ts';
import type { GivenTrust } from '../../ports/given-trust.ts';
import type { TrustStore, TrustView } from '../../registry/trust/trust-store.ts';

export function createGivenTrustStore(trust: GivenTrust): TrustStore {
  const view: TrustView = {
    async decide(_skill, digest) {
      const content = await digest();
      return (await trust.trustIn(content)) === null
        ? { kind: 'none', around: null }
        : { kind: 'digest', digest: content };
    },
  };
  return {
    file: 'the store of the team',
    list: async () => ({ folders: [], digests: [] }),
    trustFolder: elsewhere,
    trustDigest: elsewhere,
    trustingFolder: async () => null,
    folderAround: async () => null,
    isTrustedWorkspace: async () => false,
    trustAt: async () => ({ folder: false, version: false }),
    untrust: elsewhere,
    decide: (skill, digest) => view.decide(skill, digest),
    view: () => view,
    // It may have changed since.
    state: () => null,
  };
}

function elsewhere(): Promise<never> {
  return Promise.reject(
    new TechneError('USAGE', 'the trust of a team is not changed by a run', {
      hint: 'techne store trust grant NAME, techne store trust revoke NAME',
    }),
  );
}
