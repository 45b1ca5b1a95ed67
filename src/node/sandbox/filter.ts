// The system calls that a sandboxed command may not make, as a program for the kernel (seccomp, classic BPF).
//
//   architecture -> instructions of 8 bytes: code u16, jump if true u8, jump if false u8, value u32
//
// Namespaces hide files, processes and networks. The filter closes what they leave open:
// - sockets other than IPv4, IPv6 and netlink: unix sockets in readable folders, vsock to the host, kernel crypto.
//   Connected pairs stay possible (socketpair of streams); a pair of datagram sockets does not, since either end can send
//   to any unix socket with an address;
// - keyrings, which are inherited past every namespace;
// - new namespaces, io_uring (it bypasses this filter), bpf, perf, modules, kexec, file handles;
// - input faked into a terminal (TIOCSTI, TIOCLINUX);
// - setuid and setgid files, which would work outside the sandbox;
// - calls of another architecture, and calls that are newer than this table: what they do was not looked at.

interface Calls {
  readonly architecture: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  readonly clone: number;
  readonly unshare: number;
  /** Calls that set the mode of a file -> which argument it is. */
  readonly modes: readonly (readonly [call: number, argument: number])[];
  /** Calls that may make a file -> which argument holds the flags; the mode is the next one. */
  readonly opens: readonly (readonly [call: number, argument: number])[];
  readonly denied: readonly number[];
}

/** The same numbers everywhere. */
const common = {
  ioUring: [425, 426, 427],
  // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr open_tree_attr
  mountTree: [428, 429, 430, 431, 432, 433, 442, 467],
  clone3: 435,
  openat2: 437,
  fchmodat2: 452,
  /** file_setattr of Linux 6.17. Programs do without what is newer, as on an older kernel. */
  lastKnown: 469,
};

const tables: { readonly [architecture: string]: Calls } = {
  x64: {
    architecture: 0xc000003e,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [common.fchmodat2, 2],
      [85, 1],
      [133, 1],
      [259, 2],
    ], // chmod fchmod fchmodat fchmodat2 creat mknod mknodat
    opens: [
      [2, 1],
      [257, 2],
    ], // open openat
    denied: [
      248,
      249,
      250, // add_key request_key keyctl
      155,
      161,
      163,
      165,
      166,
      167,
      168,
      169, // pivot_root chroot acct mount umount2 swapon swapoff reboot
      172,
      173,
      175,
      176,
      179,
      246,
      304,
      308,
      313,
      320, // iopl ioperm init_module delete_module quotactl kexec_load open_by_handle_at setns finit_module kexec_file_load
      103,
      164,
      227,
      298,
      321,
      323,
      443, // syslog settimeofday clock_settime perf_event_open bpf userfaultfd quotactl_fd
    ],
  },
  arm64: {
    architecture: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    modes: [
      [52, 1],
      [53, 2],
      [common.fchmodat2, 2],
      [33, 2],
    ], // fchmod fchmodat fchmodat2 mknodat
    opens: [[56, 2]], // openat
    denied: [
      217,
      218,
      219, // add_key request_key keyctl
      41,
      51,
      89,
      40,
      39,
      224,
      225,
      142, // pivot_root chroot acct mount umount2 swapon swapoff reboot
      105,
      106,
      60,
      104,
      265,
      268,
      273,
      294, // init_module delete_module quotactl kexec_load open_by_handle_at setns finit_module kexec_file_load
      116,
      170,
      112,
      241,
      280,
      282,
      443, // syslog settimeofday clock_settime perf_event_open bpf userfaultfd quotactl_fd
    ],
  },
};

const families = [2, 10, 16]; // AF_INET AF_INET6 AF_NETLINK
const unixFamily = 1;
const pairTypes = [1, 5]; // SOCK_STREAM SOCK_SEQPACKET: connected for good
const typeBits = 0xf; // the rest of the argument are flags
// CLONE_NEWTIME NEWNS NEWCGROUP NEWUTS NEWIPC NEWUSER NEWPID NEWNET. The lowest byte of clone's flags is a signal.
const unshareFlags = 0x7e02_0080;
const cloneFlags = 0x7e02_0000;
const terminalRequests = [0x5412, 0x541c]; // TIOCSTI TIOCLINUX
const rightsOfOwner = 0o6000; // S_ISUID S_ISGID
const makesFile = 0x0040_0040; // O_CREAT __O_TMPFILE; without them there is no mode

const loadWord = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpAnyBit = 0x45;
const keepBits = 0x54;
const giveBack = 0x06;
const allow = 0x7fff_0000;
const notPermitted = 0x0005_0001; // errno EPERM
const noSuchCall = 0x0005_0026; // errno ENOSYS
const numberAt = 0;
const architectureAt = 4;
/** The low half, which is all that the kernel looks at for these calls. */
const argumentAt = (index: number): number => 16 + 8 * index;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** `null` for an architecture whose calls are not known here. */
export function sandboxFilter(architecture: string): Buffer | null {
  const calls = Object.hasOwn(tables, architecture) ? tables[architecture] : undefined;
  if (calls === undefined) return null;
  const give = (value: number): Instruction => [giveBack, 0, 0, value];
  /** Only for this call; every block ends by giving back. */
  const forCall = (number: number, block: readonly Instruction[]): readonly Instruction[] => [
    [jumpEqual, 0, block.length, number],
    ...block,
  ];
  const whenAnyOf = (
    values: readonly number[],
    code: number,
    then: number,
    otherwise: number,
  ): readonly Instruction[] => [
    ...values.flatMap((value): readonly Instruction[] => [[code, 0, 1, value], give(then)]),
    give(otherwise),
  ];
  const program: readonly Instruction[] = [
    [loadWord, 0, 0, architectureAt],
    [jumpEqual, 1, 0, calls.architecture],
    give(noSuchCall),
    [loadWord, 0, 0, numberAt],
    // So are those of the 32-bit convention of x64, which begin at 2^30.
    [jumpAtLeast, 0, 1, common.lastKnown + 1],
    give(noSuchCall),
    ...forCall(calls.ioctl, [
      [loadWord, 0, 0, argumentAt(1)],
      ...whenAnyOf(terminalRequests, jumpEqual, notPermitted, allow),
    ]),
    ...forCall(calls.socket, [
      [loadWord, 0, 0, argumentAt(0)],
      ...whenAnyOf(families, jumpEqual, allow, notPermitted),
    ]),
    ...forCall(calls.socketpair, [
      [loadWord, 0, 0, argumentAt(0)],
      [jumpEqual, 1, 0, unixFamily],
      give(notPermitted),
      [loadWord, 0, 0, argumentAt(1)],
      [keepBits, 0, 0, typeBits],
      ...whenAnyOf(pairTypes, jumpEqual, allow, notPermitted),
    ]),
    ...forCall(calls.clone, [
      [loadWord, 0, 0, argumentAt(0)],
      ...whenAnyOf([cloneFlags], jumpAnyBit, notPermitted, allow),
    ]),
    ...forCall(calls.unshare, [
      [loadWord, 0, 0, argumentAt(0)],
      ...whenAnyOf([unshareFlags], jumpAnyBit, notPermitted, allow),
    ]),
    ...calls.modes.flatMap(([number, argument]) =>
      forCall(number, [
        [loadWord, 0, 0, argumentAt(argument)],
        ...whenAnyOf([rightsOfOwner], jumpAnyBit, notPermitted, allow),
      ]),
    ),
    ...calls.opens.flatMap(([number, argument]) =>
      forCall(number, [
        [loadWord, 0, 0, argumentAt(argument)],
        [jumpAnyBit, 1, 0, makesFile],
        give(allow),
        [loadWord, 0, 0, argumentAt(argument + 1)],
        ...whenAnyOf([rightsOfOwner], jumpAnyBit, notPermitted, allow),
      ]),
    ),
    // Their flags and modes lie in memory, where a filter cannot look; programs then use clone and openat.
    ...[common.clone3, common.openat2, ...common.ioUring].flatMap((number) =>
      forCall(number, [give(noSuchCall)]),
    ),
    ...[...calls.denied, ...common.mountTree].flatMap((number) => forCall(number, [give(notPermitted)])),
    give(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
