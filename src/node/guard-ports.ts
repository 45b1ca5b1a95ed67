// What a scan of a skill needs from Node.
import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { GuardPorts } from '../guard/scan.ts';
import { nodeSha256 } from './environment.ts';
import { nodeParseFull } from './yaml.ts';

export const nodeGuardPorts: GuardPorts = {
  sha256: nodeSha256,
  nowMs: () => performance.now(),
  parseFull: nodeParseFull,
  inflate(bytes, maxBytes) {
    // What is cut off still gives its beginning.
    const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
    for (const inflate of waysFor(bytes)) {
      try {
        return inflate(bytes, options);
      } catch (error) {
        // It is not of this format, or longer than allowed.
        if (!isZlibError(error)) throw error;
      }
    }
    return null;
  },
};

function waysFor(bytes: Uint8Array): readonly (typeof gunzipSync)[] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync];
  return bytes[0] === 0x78 ? [inflateSync, inflateRawSync] : [inflateRawSync];
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code));
}
