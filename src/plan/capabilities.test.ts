import { describe, expect, it } from 'vitest';
import type { Capability } from './capabilities.ts';
import { capabilityAllows, capabilities, capabilityOf, isHigher, riskOf } from './capabilities.ts';

const all = Object.keys(capabilities) as Capability[];

describe('allows', () => {
  it('grants nothing of a higher risk than what was declared (capabilities#K3)', () => {
    expect(
      all.flatMap((wide) =>
        all
          .filter((narrow) => capabilityAllows([wide], narrow) && isHigher(riskOf(narrow), riskOf(wide)))
          .map((narrow) => `${wide} grants ${narrow}`),
      ),
    ).toEqual([]);
  });

  it('takes network as reading, by any of its names', () => {
    for (const word of ['network', 'http', 'internet', 'network-read']) {
      const declared = [capabilityOf(word) as Capability];
      expect([
        word,
        capabilityAllows(declared, 'network-read'),
        capabilityAllows(declared, 'network'),
        capabilityAllows(declared, 'network-write'),
      ]).toEqual([word, true, true, false]);
    }
    expect(capabilityAllows(['network-write'], 'network')).toBe(true);
  });
});
