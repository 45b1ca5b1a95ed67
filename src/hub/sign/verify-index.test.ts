import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { indexSchema } from '../source/index-format.ts';
import type { KeyRecords } from './key-records.ts';
import { generateKeyPem, parsePrivateKey } from './signing-key.ts';
import type { SigningKey } from './signing-key.ts';
import { signIndex, verifyIndex } from './verify-index.ts';

const hub = 'https://skills.example/';
const digest = `sha256:${'a'.repeat(64)}`;
const version = { version: '1.0.0', url: 'tides-1.0.0.tar.gz', digest, tree: digest, size: 9 };
const unknown: KeyRecords = { keys: [], hubs: [] };

function newKey(): SigningKey {
  return parsePrivateKey(generateKeyPem().privatePem) as SigningKey;
}

const key = newKey();

function signed(sequence = 3, by = key): JsonObject {
  const index = signIndex(
    {
      $schema: indexSchema,
      title: 'Tides',
      sequence,
      skills: [
        {
          name: 'tides',
          type: 'archive',
          description: 'Tide tables.',
          ...version,
          versions: [version],
          triggers: ['tide'],
        },
      ],
    },
    by,
  );
  // As a reader gets it.
  return parseJson(JSON.stringify(index)) as JsonObject;
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'accepted';
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

describe('a signed index', () => {
  it('names its publisher, and whether the key is trusted', () => {
    expect(verifyIndex(hub, signed(), unknown)).toEqual({
      publisher: { keyId: key.keyId, trustedAs: null },
      seen: { hub, keyId: key.keyId, sequence: 3 },
    });
    const keys = [{ keyId: key.keyId, name: 'Harbour office', trustedAt: '2026-01-01T00:00:00Z' }];
    expect(verifyIndex(hub, signed(), { keys, hubs: [] }).publisher?.trustedAs).toBe('Harbour office');
  });

  it('is valid whatever the order of its keys and its white space', () => {
    const turned = (value: Json): Json =>
      Array.isArray(value)
        ? (value as readonly Json[]).map(turned)
        : isJsonObject(value)
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, inner]) => [name, turned(inner)]),
            )
          : value;
    expect(
      verifyIndex(hub, parseJson(JSON.stringify(turned(signed()), null, 7)), unknown).publisher?.keyId,
    ).toBe(key.keyId);
  });

  it('is refused after any change of any of its values', () => {
    const outcomes = changesOf(signed()).map(({ what, index }) => [
      what,
      codeOf(() => verifyIndex(hub, index, unknown)),
    ]);
    expect(outcomes.length).toBeGreaterThan(50);
    expect(
      outcomes.filter(([what, code]) => code !== 'HUB_SIGNATURE' && what !== 'without /signature'),
    ).toEqual([]);
  });

  it('is refused with each bit of its signature and key flipped', () => {
    const index = signed();
    const signature = index['signature'] as JsonObject;
    const accepted: string[] = [];
    for (const field of ['value', 'publicKey'])
      for (let bit = 0; bit < Buffer.from(signature[field] as string, 'base64').length * 8; bit += 1) {
        const bytes = Buffer.from(signature[field] as string, 'base64');
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        const changed = { ...index, signature: { ...signature, [field]: bytes.toString('base64') } };
        if (codeOf(() => verifyIndex(hub, changed, unknown)) !== 'HUB_SIGNATURE')
          accepted.push(`${field} ${bit}`);
      }
    expect(accepted).toEqual([]);
  });

  it('needs a sequence number', () => {
    const { sequence: _, ...index } = signed();
    const again = signIndex(index as unknown as Parameters<typeof signIndex>[0], key);
    expect(messageOf(() => verifyIndex(hub, again as unknown as Json, unknown))).toBe(
      `the hub ${hub} is refused: it is signed, but has no sequence number`,
    );
  });
});

describe('a hub that was seen signed', () => {
  const seen: KeyRecords = { keys: [], hubs: [{ hub, keyId: key.keyId, sequence: 3 }] };

  it('may stay as it is, and may grow', () => {
    expect(verifyIndex(hub, signed(3), seen).seen).toBeNull();
    expect(verifyIndex(hub, signed(4), seen).seen?.sequence).toBe(4);
  });

  it('is refused without a signature', () => {
    const { signature: _, ...index } = signed();
    expect(messageOf(() => verifyIndex(hub, index, seen))).toContain('and now it has no signature');
    expect(messageOf(() => verifyIndex(hub, [], seen))).toContain('and now it has no signature');
    expect(verifyIndex('https://other.example/', index, seen).publisher).toBeNull();
  });

  it('is refused with another key, even one that is trusted', () => {
    const other = newKey();
    const keys = [{ keyId: other.keyId, name: 'Other', trustedAt: '2026-01-01T00:00:00Z' }];
    expect(messageOf(() => verifyIndex(hub, signed(4, other), { ...seen, keys }))).toMatch(
      /was signed by the key (?:[0-9a-f]{4} ?){8} when you last read it, and now by "Other"/,
    );
  });

  it('is refused when its index is older', () => {
    expect(messageOf(() => verifyIndex(hub, signed(2), seen))).toContain('this is an old index');
  });
});

/** Each value changed, removed, or put beside another, everywhere in the index. */
function changesOf(index: JsonObject): { readonly what: string; readonly index: Json }[] {
  const changes: { what: string; index: Json }[] = [];
  const walk = (value: Json, path: string, rebuild: (value: Json) => Json): void => {
    const change = (what: string, to: Json): void => {
      changes.push({ what: `${what} ${path}`, index: rebuild(to) });
    };
    if (typeof value === 'string') {
      change('longer', `${value}x`);
      change('shorter', value.slice(0, -1));
      change('other case', value === value.toUpperCase() ? `${value.toLowerCase()}y` : value.toUpperCase());
      change('a number', 7);
    } else if (typeof value === 'number') {
      change('larger', value + 1);
      change('smaller', value - 1);
      change('a text', String(value));
    } else if (Array.isArray(value)) {
      const items = value as readonly Json[];
      change('emptied', []);
      change('doubled', [...items, ...items]);
      for (const [at, item] of items.entries())
        walk(item, `${path}/${at}`, (to) => rebuild(items.map((one, place) => (place === at ? to : one))));
    } else if (isJsonObject(value)) {
      change('null', null);
      change('more', { ...value, extra: 1 });
      for (const name of Object.keys(value)) {
        const { [name]: inner, ...rest } = value;
        changes.push({ what: `without ${path}/${name}`, index: rebuild(rest) });
        walk(inner as Json, `${path}/${name}`, (to) => rebuild({ ...value, [name]: to }));
      }
    }
  };
  for (const name of Object.keys(index)) {
    const { [name]: inner, ...rest } = index;
    changes.push({ what: `without /${name}`, index: rest });
    walk(inner as Json, `/${name}`, (to) => ({ ...index, [name]: to }));
  }
  changes.push({ what: 'more', index: { ...index, extra: 1 } });
  return changes;
}
