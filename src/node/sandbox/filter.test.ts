import { describe, expect, it } from 'vitest';
import { sandboxFilter } from './filter.ts';

const allowed = 'allowed';
const notPermitted = 'EPERM';
const noSuchCall = 'ENOSYS';

/** What the kernel would do: runs the program on one call. */
function verdict(filter: Buffer, architecture: number, number: number, ...args: readonly number[]): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [at, value] of args.entries())
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + at * 8);
  let word = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, whenTrue, whenFalse, value] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    const jump = (holds: boolean): void => void (at += holds ? whenTrue : whenFalse);
    if (code === 0x20) word = data.readUInt32LE(value);
    else if (code === 0x54) word = (word & value) >>> 0;
    else if (code === 0x15) jump(word === value);
    else if (code === 0x35) jump(word >= value);
    else if (code === 0x45) jump((word & value) !== 0);
    else if (code === 0x06)
      return (
        { 0x7fff0000: allowed, 0x00050001: notPermitted, 0x00050026: noSuchCall }[value] ?? `gave ${value}`
      );
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program has no end');
}

interface Numbers {
  readonly architecture: number;
  readonly read: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  readonly clone: number;
  readonly unshare: number;
  readonly keyctl: number;
  readonly mount: number;
  readonly setns: number;
  readonly bpf: number;
  readonly ptrace: number;
  readonly openat: number;
  readonly fchmod: number;
  readonly fchmodat: number;
  readonly mknodat: number;
  /** Where there is one besides. */
  readonly mknod: readonly number[];
  /** Those with the mode as second argument, as chmod and creat have it. */
  readonly modeSecond: readonly number[];
  /** open, where there is one besides openat. */
  readonly open: readonly number[];
  /** In the order of the groups in filter.ts. */
  readonly denied: readonly number[];
}

const mountTree = [428, 429, 430, 431, 432, 433, 442, 467];

const machines: { readonly [architecture: string]: Numbers } = {
  x64: {
    architecture: 0xc000003e,
    read: 0,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    keyctl: 250,
    mount: 165,
    setns: 308,
    bpf: 321,
    ptrace: 101,
    openat: 257,
    fchmod: 91,
    fchmodat: 268,
    mknodat: 259,
    mknod: [133],
    modeSecond: [90, 91, 85, 133],
    open: [2],
    denied: [
      [248, 249, 250],
      [155, 161, 163, 165, 166, 167, 168, 169],
      [172, 173, 175, 176, 179, 246, 304, 308, 313, 320],
      [103, 164, 227, 298, 321, 323, 443],
    ].flat(),
  },
  arm64: {
    architecture: 0xc00000b7,
    read: 63,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    keyctl: 219,
    mount: 40,
    setns: 268,
    bpf: 280,
    ptrace: 117,
    openat: 56,
    fchmod: 52,
    fchmodat: 53,
    mknodat: 33,
    mknod: [],
    modeSecond: [52],
    open: [],
    denied: [
      [217, 218, 219],
      [41, 51, 89, 40, 39, 224, 225, 142],
      [105, 106, 60, 104, 265, 268, 273, 294],
      [116, 170, 112, 241, 280, 282, 443],
    ].flat(),
  },
};

describe.each(Object.entries(machines))('sandboxFilter for %s', (name, numbers) => {
  const filter = sandboxFilter(name) as Buffer;
  const of = (number: number, ...args: readonly number[]): string =>
    verdict(filter, numbers.architecture, number, ...args);

  it('is short enough for the kernel, and every jump stays inside', () => {
    expect(filter.length % 8).toBe(0);
    expect(filter.length / 8).toBeLessThan(4096);
    for (let number = 0; number < 600; number += 1)
      expect([allowed, notPermitted, noSuchCall]).toContain(of(number, 0, 0));
  });

  it('forbids and does not know exactly these calls, whatever their arguments are', () => {
    const answers = (what: string): readonly number[] =>
      Array.from({ length: 470 }, (_, number) => number).filter((number) => of(number, 1, 0) === what);
    expect([answers(notPermitted), answers(noSuchCall)]).toEqual([
      // A socket of family 1 is one of them.
      [...numbers.denied, numbers.socket, ...mountTree, numbers.socketpair].toSorted((a, b) => a - b),
      [425, 426, 427, 435, 437],
    ]);
  });

  it('jumps nowhere where it gives back', () => {
    const instructions = Array.from({ length: filter.length / 8 }, (_, at) => filter.subarray(at * 8));
    const jumps = instructions
      .filter((one) => one.readUInt16LE(0) === 0x06)
      .flatMap((one) => [one.readUInt8(2), one.readUInt8(3)]);
    expect(jumps.filter((jump) => jump !== 0)).toEqual([]);
  });

  it('lets ordinary calls through', () => {
    expect([
      of(numbers.read),
      of(numbers.socketpair, 1, 1),
      of(numbers.ptrace),
      of(numbers.ioctl, 0, 0x5401),
      of(numbers.clone, 0x3d0f00),
      of(numbers.unshare, 0x400),
    ]).toEqual(Array.from({ length: 6 }, () => allowed));
  });

  it('has sockets of three families', () => {
    const families = [0, 1, 2, 3, 10, 16, 17, 38, 40].map((family) => [family, of(numbers.socket, family)]);
    expect(families.filter(([, what]) => what === allowed).map(([family]) => family)).toEqual([2, 10, 16]);
    // The kernel takes the low half for the family, and so does the filter.
    expect(of(numbers.socket, 0x1_0000_0001)).toBe(notPermitted);
  });

  it('has connected pairs of unix sockets only: a datagram socket can send to any other', () => {
    const flags = 0o2004000; // SOCK_CLOEXEC SOCK_NONBLOCK
    const types = [1, 2, 3, 4, 5, 6, 10].map((type) => [type, of(numbers.socketpair, 1, type | flags)]);
    expect(types.filter(([, what]) => what === allowed).map(([type]) => type)).toEqual([1, 5]);
    expect([
      of(numbers.socketpair, 1, 2),
      of(numbers.socketpair, 2, 1),
      of(numbers.socketpair, 0x1_0000_0001, 0x1_0000_0002),
    ]).toEqual([notPermitted, notPermitted, notPermitted]);
  });

  it('mounts by no call, and does not know calls that are newer than it', () => {
    expect([428, 429, 430, 431, 432, 433, 442, 467].map((number) => of(number))).toEqual(
      Array.from({ length: 8 }, () => notPermitted),
    );
    expect([470, 471, 512, 547, 600, 0x7fff_ffff].map((number) => of(number))).toEqual(
      Array.from({ length: 6 }, () => noSuchCall),
    );
    expect([of(451), of(462), of(469)]).toEqual([allowed, allowed, allowed]);
  });

  it('forbids namespaces, keyrings, mounts, bpf, and input faked into a terminal', () => {
    const namespaces = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    expect(namespaces.map((flag) => [of(numbers.clone, flag | 17), of(numbers.unshare, flag)])).toEqual(
      namespaces.map(() => [notPermitted, notPermitted]),
    );
    expect(of(numbers.unshare, 0x80)).toBe(notPermitted);
    expect([numbers.keyctl, numbers.mount, numbers.setns, numbers.bpf].map((number) => of(number))).toEqual(
      Array.from({ length: 4 }, () => notPermitted),
    );
    expect([
      of(numbers.ioctl, 0, 0x5412),
      of(numbers.ioctl, 0, 0x541c),
      of(numbers.ioctl, 0, 0x1_0000_5412),
    ]).toEqual([notPermitted, notPermitted, notPermitted]);
  });

  it('lets no file be made that lends the rights of its owner', () => {
    expect(
      [0o755, 0o1777, 0o4755, 0o2755].map((mode) => [
        of(numbers.fchmod, 0, mode),
        of(numbers.fchmodat, 0, 0, mode),
        of(452, 0, 0, mode),
        of(numbers.openat, 0, 0, 0x41, mode),
        of(numbers.mknodat, 0, 0, 0o100000 | mode),
        ...numbers.mknod.map((number) => of(number, 0, 0o100000 | mode)),
      ]),
    ).toEqual(
      [allowed, allowed, notPermitted, notPermitted].map((what) =>
        Array.from({ length: 5 + numbers.mknod.length }, () => what),
      ),
    );
    // Without O_CREAT the mode is whatever was there.
    expect([of(numbers.openat, 0, 0, 0, 0o6755), of(numbers.openat, 0, 0, 0x410002, 0o6755)]).toEqual([
      allowed,
      notPermitted,
    ]);
    expect(of(437)).toBe(noSuchCall);
    expect(
      [0o755, 0o4755, 0o2755].map((mode) => [
        ...numbers.modeSecond.map((number) => of(number, 0, mode, 0, 0)),
        ...numbers.open.map((number) => of(number, 0, 0x40, mode)),
      ]),
    ).toEqual(
      [allowed, notPermitted, notPermitted].map((what) =>
        Array.from({ length: numbers.modeSecond.length + numbers.open.length }, () => what),
      ),
    );
    // Only the argument that is the mode counts.
    expect(numbers.modeSecond.map((number) => of(number, 0o4000, 0, 0o4000))).toEqual(
      numbers.modeSecond.map(() => allowed),
    );
    expect(numbers.open.map((number) => of(number, 0x40, 0, 0o4000))).toEqual(
      numbers.open.map(() => allowed),
    );
  });

  it('knows neither clone3 nor io_uring, nor the calls of another architecture', () => {
    expect([435, 425, 426, 427].map((number) => of(number))).toEqual([
      noSuchCall,
      noSuchCall,
      noSuchCall,
      noSuchCall,
    ]);
    expect(verdict(filter, 0x40000003, numbers.read)).toBe(noSuchCall);
  });
});

describe('sandboxFilter', () => {
  it('does not know the calls of the 32-bit convention of x64', () => {
    expect(verdict(sandboxFilter('x64') as Buffer, 0xc000003e, 0x4000_0000 + 41, 1)).toBe(noSuchCall);
  });

  it('is not made for what is not known', () => {
    expect([sandboxFilter('mips'), sandboxFilter('constructor')]).toEqual([null, null]);
  });
});
