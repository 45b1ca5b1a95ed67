import { blobsContract } from './blobs.contract.ts';
import { nodeSha256 } from '../node/environment.ts';
import { createMemoryBlobs } from './memory-blobs.ts';

blobsContract('in memory', () => {
  const blobs = createMemoryBlobs(nodeSha256);
  return { blobs, corrupt: (digest, bytes) => blobs.corrupt(digest, bytes) };
});
