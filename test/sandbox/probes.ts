// Ways out of a sandbox, each with what proves that it worked.
//
// E1. `escaped` looks from outside, where anything can be seen from there; a probe that only reads is judged by what it
//     printed: the secret, or a word that it prints when it got through.
// E2. `control` says whose command gets through without a sandbox: a probe that cannot succeed proves nothing. `machine`
//     is for what depends on the kernel or its settings; `none` says why there is no control.
// E3. What a probe leaves behind is taken away by `clean`, whether it got through or not; what it leaves running also ends
//     by itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './scene.ts';
import { processesNamed, victimNumber } from './scene.ts';

type Control = 'anyone' | 'root' | 'user' | 'machine' | { readonly none: string };

export interface Probe {
  readonly name: string;
  readonly argv: readonly string[];
  readonly control: Control;
  /** Default: 5000. */
  readonly timeoutMs?: number;
  escaped(scene: Scene, output: string): boolean | Promise<boolean>;
  /** Takes away what it leaves behind outside the scene, if it got that far. */
  clean?(scene: Scene): void;
}

type More = Partial<Pick<Probe, 'control' | 'timeoutMs' | 'clean'>>;
type Escaped = Probe['escaped'];

const sh = (name: string, script: string, escaped: Escaped, more: More = {}): Probe => ({
  name,
  argv: ['sh', '-c', script],
  control: 'anyone',
  escaped,
  ...more,
});
const perl = (name: string, script: string, escaped: Escaped, more: More = {}): Probe => ({
  name,
  argv: ['perl', '-e', script],
  control: 'anyone',
  escaped,
  ...more,
});
const node = (name: string, script: string, escaped: Escaped, more: More = {}): Probe => ({
  name,
  argv: [process.execPath, '-e', script],
  control: 'anyone',
  escaped,
  ...more,
});

const appears =
  (path: string): Escaped =>
  (scene) =>
    scene.exists(path);
const isPlanted =
  (path: string): Escaped =>
  (scene) =>
    scene.isPlanted(path);
const changes =
  (path: string): Escaped =>
  (scene) =>
    !scene.exists(path) || scene.text(path) !== 'as it was';
const prints =
  (word: string): Escaped =>
  (_scene, output) =>
    output.includes(word);
const tellsSecret: Escaped = (scene, output) => output.includes(scene.secret);
const arrives =
  (word: string): Escaped =>
  async (scene) => {
    // What was sent before the command ended is there already; it has only to be read.
    for (let turn = 0; turn < (scene.confined ? 5 : 100) && !scene.received(word); turn += 1) await sleep(10);
    return scene.received(word);
  };

/** HEAD, objects, refs and a `config` with a program: git takes the folder for a repository, without a `.git`. */
const bareRepository = (folder: string): string =>
  `cd "${folder}" && mkdir -p objects refs; printf '[core]\\nrepositoryformatversion = 0\\nbare = false\\nworktree = .\\nfsmonitor = "touch %s/by-git;false"\\n' "$OUT" > config; echo 'ref: refs/heads/main' > HEAD`;

/** Whether the program starts when the user of the scene looks at the folder with git, outside. */
const runsProgram =
  (folder: string): Escaped =>
  (scene) => {
    const { uid, gid } = scene.user;
    spawnSync('git', ['-c', 'safe.directory=*', 'status'], {
      cwd: scene.path(folder),
      env: { PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' },
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
    const isRun = scene.exists('outside/by-git');
    rmSync(scene.path('outside/by-git'), { force: true });
    return isRun;
  };

const asRoot: More = { control: 'root' };
const onSomeMachines: More = { control: 'machine' };

/** What the system call gave: through, unless the kernel forbade it or does not know it. */
const call = (
  name: string,
  number: { readonly x64: number; readonly arm64: number },
  args: string,
  more: More,
): Probe =>
  perl(
    name,
    `my $r = syscall(${process.arch === 'arm64' ? number.arm64 : number.x64}, ${args}); my $e = $! + 0; print(($r != -1 or ($e != 1 and $e != 38)) ? "THROUGH" : "no $e")`,
    prints('THROUGH'),
    more,
  );

/** Sends a word from one end of a pair of datagram sockets to the socket of somebody else. */
const fromPair = (name: string, send: string, word: string): Probe =>
  perl(
    name,
    `use Socket; socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) or die "no pair: $!"; ${send}`,
    arrives(word),
  );

/** Connects to a unix socket and says a word. */
const unix = (name: string, address: string, word: string): Probe =>
  perl(
    name,
    `use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "no socket: $!"; connect($s, pack_sockaddr_un(${address})) or die "no: $!"; syswrite($s, "${word}"); close $s;`,
    arrives(word),
  );

const writing: readonly Probe[] = [
  sh('write beside the roots', 'echo x > "$OUT/w1"', appears('outside/w1')),
  sh('overwrite a file outside', 'echo x > "$OUT/victim.txt"', changes('outside/victim.txt')),
  sh('write above a write root', 'echo x > "$W/../w2"', appears('w2')),
  sh('write to a folder that is only shown', 'echo x > "$SHOWN/w3"', appears('shown/w3')),
  sh(
    'write through a link to a folder',
    'ln -s "$OUT" "$W/link"; echo x > "$W/link/w4"',
    appears('outside/w4'),
  ),
  sh(
    'write through a link to a file',
    'ln -s "$OUT/w5" "$W/link5"; echo x > "$W/link5"',
    appears('outside/w5'),
  ),
  sh(
    'write through a relative link',
    'ln -s ../outside "$W/link6"; echo x > "$W/link6/w6"',
    appears('outside/w6'),
  ),
  sh('write through /proc/self/root', 'echo x > "/proc/self/root$OUT/w7"', appears('outside/w7')),
  sh(
    'write through the root of process 1',
    'echo x > "/proc/1/root$OUT/w8"',
    appears('outside/w8'),
    onSomeMachines,
  ),
  sh('write through /proc/self/cwd', 'cd "$W"; echo x > /proc/self/cwd/../outside/w9', appears('outside/w9')),
  sh(
    'write through a descriptor opened for reading',
    'exec 3< "$SHOWN/descriptor.txt"; echo x > /proc/self/fd/3',
    changes('shown/descriptor.txt'),
  ),
  sh(
    'write through a hard link',
    'ln "$OUT/linked.txt" "$W/hard"; echo x > "$W/hard"',
    changes('outside/linked.txt'),
  ),
  sh(
    'make a hard link of a shown file and write to it',
    'ln "$SHOWN/victim.txt" "$W/hard2" && echo x > "$W/hard2"',
    changes('shown/victim.txt'),
  ),
  sh('move a file out', 'echo x > "$W/t1"; mv "$W/t1" "$OUT/w10"', appears('outside/w10')),
  sh(
    'rename a file out without copying',
    'echo x > "$W/t2"; perl -e \'rename("$ENV{W}/t2", "$ENV{OUT}/w11")\'',
    appears('outside/w11'),
  ),
  sh('make a folder in the home folder', 'mkdir "$HOMES/.config"', appears('home/.config')),
  sh('add to .bashrc', 'echo x >> "$HOMES/.bashrc"', changes('home/.bashrc')),
  sh('remove what is shown', 'rm -f "$SHOWN/remove.txt"', changes('shown/remove.txt')),
  sh('remove a folder outside', 'rm -rf "$OUT/folder"', changes('outside/folder/file')),
  sh('change the mode of what is shown', 'chmod 4777 "$SHOWN"', (scene) => scene.mode('shown') === 0o4777),
  sh(
    'leave a file in /tmp',
    'echo x > "/tmp/techne-canary-$TOKEN"',
    (scene) => existsSync(`/tmp/techne-canary-${scene.token}`),
    {
      clean: ({ token }) => rmSync(`/tmp/techne-canary-${token}`, { force: true }),
    },
  ),
  sh(
    'leave a file in /dev/shm',
    'echo x > "/dev/shm/techne-canary-$TOKEN"',
    (scene) => existsSync(`/dev/shm/techne-canary-${scene.token}`),
    {
      clean: ({ token }) => rmSync(`/dev/shm/techne-canary-${token}`, { force: true }),
    },
  ),
  sh(
    'leave a file in /etc',
    'echo x > "/etc/techne-canary-$TOKEN"',
    (scene) => existsSync(`/etc/techne-canary-${scene.token}`),
    {
      control: 'root',
      clean: ({ token }) => rmSync(`/etc/techne-canary-${token}`, { force: true }),
    },
  ),
  sh(
    'leave a program in /usr/local/bin',
    'echo x > "/usr/local/bin/techne-canary-$TOKEN"',
    (scene) => existsSync(`/usr/local/bin/techne-canary-${scene.token}`),
    {
      control: 'root',
      clean: ({ token }) => rmSync(`/usr/local/bin/techne-canary-${token}`, { force: true }),
    },
  ),
];

const planting: readonly Probe[] = [
  sh('add a hook of git', 'echo x > "$W/.git/hooks/pre-commit"', appears('work/.git/hooks/pre-commit')),
  sh('change the configuration of git', 'echo x >> "$W/.git/config"', changes('work/.git/config')),
  sh(
    'put another folder in the place of .git',
    'mv "$MOVED/.git" "$MOVED/old"; mkdir -p "$MOVED/.git/hooks"; echo x > "$MOVED/.git/hooks/pre-commit"',
    appears('moved/.git/hooks/pre-commit'),
  ),
  sh(
    'make a repository where there is none',
    'mkdir -p "$FRESH/.git/hooks"; echo x > "$FRESH/.git/hooks/pre-commit"',
    appears('fresh/.git/hooks/pre-commit'),
  ),
  sh('make techne.json', 'echo {} > "$FRESH/techne.json"', isPlanted('fresh/techne.json')),
  sh(
    'put a file in the place of the missing techne.json',
    'rmdir "$W/techne.json"; echo {} > "$W/t3"; mv -fT "$W/t3" "$W/techne.json"',
    isPlanted('work/techne.json'),
  ),
  sh(
    'put a link in the place of a missing name',
    'ln -sfn "$OUT" "$FRESH/.vscode"; ln -sfnT "$OUT" "$FRESH/.idea"',
    (scene) => scene.isPlanted('fresh/.vscode') || scene.isPlanted('fresh/.idea'),
  ),
  sh(
    'make configuration of agents and editors',
    'for n in .claude .codex .cursor .gemini .agents .techne .vscode .idea .husky .githooks; do mkdir -p "$W/$n"; echo x > "$W/$n/planted"; done; echo x > "$W/.mcp.json"; echo x > "$W/.envrc"',
    (scene) =>
      [
        '.claude',
        '.codex',
        '.cursor',
        '.gemini',
        '.agents',
        '.techne',
        '.vscode',
        '.idea',
        '.husky',
        '.githooks',
        '.mcp.json',
        '.envrc',
      ].some((name) => scene.isPlanted(`work/${name}`)),
  ),
  ...[
    [
      'instructions of agents',
      'AGENTS.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .cursorrules .goosehints',
    ],
    ['the servers of opencode', 'opencode.json opencode.jsonc'],
    ['settings of package managers', '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml'],
    ['hooks of tools around git', '.pre-commit-config.yaml lefthook.yml .lefthook.yml'],
    ['settings of shells and containers', 'mise.toml .mise.toml .devcontainer.json .aider.conf.yml'],
  ].map(([what = '', names = '']) =>
    sh(`make ${what}`, `for n in ${names}; do echo x > "$FRESH/$n"; done`, (scene) =>
      names.split(' ').some((name) => scene.isPlanted(`fresh/${name}`)),
    ),
  ),
  sh(
    'make folders of further agents, editors and package managers',
    'for n in .zed .qwen .opencode .goose .windsurf .pi .metis .continue .fleet .devcontainer .cargo; do mkdir -p "$FRESH/$n"; echo x > "$FRESH/$n/planted"; done',
    (scene) =>
      '.zed .qwen .opencode .goose .windsurf .pi .metis .continue .fleet .devcontainer .cargo'
        .split(' ')
        .some((name) => scene.isPlanted(`fresh/${name}`)),
  ),
  sh(
    'put another file in the place of instructions',
    'echo x > "$W/t4"; mv -fT "$W/t4" "$W/AGENTS.md" || echo x > "$W/AGENTS.md"',
    changes('work/AGENTS.md'),
  ),
  sh(
    'put a file in the place of a link to instructions',
    'rm -f "$REPLACED/CLAUDE.md"; echo x > "$REPLACED/CLAUDE.md"',
    changes('replaced/CLAUDE.md'),
  ),
  sh(
    'make a folder a repository that the next git starts a program from',
    bareRepository('$FRESH'),
    runsProgram('fresh'),
  ),
  sh(
    'make a repository around the one that is there',
    `rm -rf "$MOVED/.git"; ${bareRepository('$MOVED')}`,
    runsProgram('moved'),
  ),
  sh('change the skill', 'echo x >> "$W/skills/tides/SKILL.md"', changes('work/skills/tides/SKILL.md')),
  sh(
    'open the folder of the skill',
    'chmod -R 777 "$W/skills/tides"',
    (scene) => scene.mode('work/skills/tides') === 0o777,
  ),
  sh(
    'make a skill where there is no folder for one',
    'mkdir -p "$FRESH/.github/skills/evil" "$W/plugins/skills/evil"',
    (scene) => scene.exists('fresh/.github/skills/evil') || scene.exists('work/plugins/skills/evil'),
  ),
  sh(
    'put a link in the place of a folder for skills',
    'mkdir "$W/evil"; ln -s "$W/evil" "$W/plugins" || ln -sfn "$W/evil" "$FRESH/.github"',
    (scene) => scene.isPlanted('work/plugins') || scene.isPlanted('fresh/.github'),
  ),
  sh(
    'put another skill in its place',
    'mv "$REPLACED/skills" "$REPLACED/old"; mkdir -p "$REPLACED/skills/tides"; echo x > "$REPLACED/skills/tides/SKILL.md"',
    changes('replaced/skills/tides/SKILL.md'),
  ),
];

const reading: readonly Probe[] = [
  sh('read a key in the home folder', 'cat "$HOMES/.ssh/id_canary"', tellsSecret),
  sh('read what is trusted', 'cat "$HOMES/.techne/trust.json"', tellsSecret),
  sh('read a key through a link', 'ln -s "$HOMES/.ssh/id_canary" "$W/key"; cat "$W/key"', tellsSecret),
  sh(
    'find the key',
    'find "$TOP" -name id_canary -exec cat {} + ; cat /proc/*/root"$HOMES"/.ssh/id_canary',
    tellsSecret,
  ),
  sh('read /etc/shadow', 'head -c 1 /etc/shadow > /dev/null && echo THROUGH', prints('THROUGH'), asRoot),
  sh(
    'read private keys of the system',
    'ls /etc/ssh /etc/ssl/private && echo THROUGH',
    prints('THROUGH'),
    onSomeMachines,
  ),
  sh('read the environment of others', 'cat /proc/[0-9]*/environ', tellsSecret),
  sh(
    'read the own environment',
    'env',
    (scene, output) => output.includes(scene.secret) || output.includes('SSH_AUTH_SOCK'),
  ),
  sh('get a library loaded into everything', 'env | grep ^LD_', prints('LD_PRELOAD=')),
  sh('see the arguments of others', 'cat /proc/[0-9]*/cmdline', (scene, output) =>
    output.includes(`3600.${victimNumber(scene.token)}`),
  ),
  sh('see who listens', 'cat /proc/net/tcp', (scene, output) =>
    output.includes(`:${Number(scene.variables['TCP']).toString(16).toUpperCase().padStart(4, '0')} `),
  ),
  sh('see sockets by name', 'cat /proc/net/unix', (scene, output) =>
    output.includes(`techne-${scene.token}`),
  ),
  sh('look at running services', 'ls -A /run /var/run | grep . && echo THROUGH', prints('THROUGH')),
  sh('look at /sys', 'ls /sys/class && echo THROUGH', prints('THROUGH')),
  sh('look at logs', 'ls /var/log && echo THROUGH', prints('THROUGH')),
  sh('look at home folders', 'ls -d /root/.[a-z]* /home/[!t]* && echo THROUGH', prints('THROUGH'), asRoot),
  sh(
    'read the log of the kernel',
    'timeout 1 head -c 1 /dev/kmsg > /dev/null && echo THROUGH',
    prints('THROUGH'),
    onSomeMachines,
  ),
  sh(
    'read a disk',
    'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/xvda; do head -c 1 $d > /dev/null && echo THROUGH; done',
    prints('THROUGH'),
    onSomeMachines,
  ),
  sh(
    'read the memory map of the kernel',
    'head -c 8 /proc/kpagecount > /dev/null && echo THROUGH',
    prints('THROUGH'),
    onSomeMachines,
  ),
  ...[50, 4096, 5001].map((number) =>
    node(
      `write to a file that was open before, as descriptor ${number}`,
      `require('node:fs').writeSync(${number}, 'by ${number};')`,
      (scene) => scene.text('outside/inherited.txt').includes(`by ${number};`),
    ),
  ),
];

/** What lies in the folder of a skill, and its digest does not cover. */
const loading: readonly Probe[] = [
  ...['helper', 'lone'].map((module) =>
    sh(
      `load the compiled module "${module}" from beside a skill`,
      `python3 -c 'import os, sys; sys.path.insert(0, os.environ["W"] + "/skills/tides"); import ${module}'`,
      prints('THROUGH'),
      onSomeMachines,
    ),
  ),
  node(
    'load a package from beside a skill',
    'require(`${process.env.W}/skills/tides/node_modules/evil`)',
    prints('THROUGH'),
  ),
  sh(
    'find a package beside a skill',
    'ls "$W/skills/tides/node_modules" | grep evil && echo THROUGH',
    prints('THROUGH'),
  ),
  sh('read the repository of a skill', 'cat "$W/skills/tides/.git/config"', tellsSecret),
  sh('read what an editor left beside a skill', 'cat "$W/skills/tides/.helper.py.swp"', tellsSecret),
  sh(
    'uncover what is hidden',
    'umount -l "$W/skills/tides/.git"; mv "$W/skills/tides" "$W/t5"; cat "$W/t5/.git/config" "$W/skills/tides/.git/config"',
    tellsSecret,
    { control: { none: 'it would move the skill away from other probes' } },
  ),
];

const reaching: readonly Probe[] = [
  node(
    'TCP to the loopback of the machine',
    `const s = require('node:net').connect(process.env.TCP, '127.0.0.1', () => s.end('over-tcp'))`,
    arrives('over-tcp'),
  ),
  perl(
    'UDP to the loopback of the machine',
    `use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0); send($s, "over-udp", 0, pack_sockaddr_in($ENV{UDP}, inet_aton("127.0.0.1")))`,
    arrives('over-udp'),
  ),
  node(
    'names looked up',
    `const r = new (require('node:dns').Resolver)({ timeout: 300, tries: 1 }); r.setServers(['127.0.0.1:' + process.env.UDP]); r.resolve4('by-dns.example', () => {})`,
    arrives('by-dns'),
  ),
  sh(
    'TCP by the shell',
    `command -v bash > /dev/null && bash -c 'echo by-bash > /dev/tcp/127.0.0.1/'"$TCP"`,
    arrives('by-bash'),
  ),
  unix('an abstract unix socket', '"\\0techne-$ENV{TOKEN}"', 'by-abstract'),
  unix('a unix socket outside', '"$ENV{OUT}/socket"', 'by-outside'),
  unix('a unix socket in a write root', '"$ENV{W}/socket"', 'by-work'),
  unix('a unix socket in a folder that is shown', '"$ENV{SHOWN}/socket"', 'by-shown'),
  fromPair(
    'a datagram from a pair to a unix socket in a write root',
    'send($a, "pair-to-work", 0, pack_sockaddr_un("$ENV{W}/datagrams"))',
    'pair-to-work',
  ),
  fromPair(
    'a datagram from a pair to a unix socket in a folder that is shown',
    'send($a, "pair-to-shown", 0, pack_sockaddr_un("$ENV{SHOWN}/datagrams"))',
    'pair-to-shown',
  ),
  fromPair(
    'a pair that is connected to another unix socket',
    'connect($a, pack_sockaddr_un("$ENV{W}/datagrams")) or die "no: $!"; syswrite($a, "pair-connected")',
    'pair-connected',
  ),
  perl(
    'a raw socket',
    'use Socket; socket(my $s, PF_INET, SOCK_RAW, 1) and print "THROUGH"',
    prints('THROUGH'),
    asRoot,
  ),
  perl('a packet socket', 'socket(my $s, 17, 3, 0) and print "THROUGH"', prints('THROUGH'), asRoot),
  perl(
    'a socket to the host of a virtual machine',
    'socket(my $s, 40, 1, 0) and print "THROUGH"',
    prints('THROUGH'),
    onSomeMachines,
  ),
  perl(
    'a message queue of the machine',
    'my $id = msgget(0x7ec0, 0600 | 01000); print defined $id ? "made" : "no $!"',
    () => /^\s*32448\s/m.test(readFileSync('/proc/sysvipc/msg', 'utf8').split('\n').slice(1).join('\n')),
    {
      clean: () => void spawnSync('ipcrm', ['-Q', '0x7ec0']),
    },
  ),
  sh('signal a process', 'kill -9 "$VICTIM"', async (scene) => {
    for (let turn = 0; turn < (scene.confined ? 5 : 100) && scene.victimLives(); turn += 1) await sleep(10);
    return !scene.victimLives();
  }),
  sh('signal techne', 'kill -0 "$PARENT" && echo THROUGH', prints('THROUGH')),
  perl(
    'trace techne',
    `print "THROUGH" if syscall(${process.arch === 'arm64' ? 117 : 101}, 16, $ENV{PARENT} + 0, 0, 0) == 0`,
    prints('THROUGH'),
    { control: { none: 'it would stop the process that runs the probes' } },
  ),
];

const powers: readonly Probe[] = [
  sh(
    'a program with the rights of root',
    '"$W/suid-id" -u',
    (scene, output) => scene.user.uid !== 0 && /^0$/m.test(output),
    { control: 'user' },
  ),
  sh(
    'leave a program with its rights behind',
    'cp /usr/bin/id "$W/left"; chmod u+s "$W/left"',
    (scene) => (scene.mode('work/left') & 0o6000) !== 0,
  ),
  perl(
    'leave a file with its rights behind',
    'use Fcntl; umask 0; sysopen(my $f, "$ENV{W}/left2", O_CREAT | O_WRONLY, 06755)',
    (scene) => scene.exists('work/left2') && (scene.mode('work/left2') & 0o6000) !== 0,
  ),
  sh(
    'the rights of root',
    'grep -q "^Cap[A-Za-z]*:.*[1-9a-f]" /proc/self/status && echo THROUGH',
    prints('THROUGH'),
    asRoot,
  ),
  sh(
    'mount',
    'mount -t tmpfs none "$TOP/mount" && umount "$TOP/mount" && echo THROUGH',
    prints('THROUGH'),
    asRoot,
  ),
  sh(
    'mount over what is shown',
    'mount -t tmpfs none "$SHOWN" && umount "$SHOWN" && echo THROUGH',
    prints('THROUGH'),
    asRoot,
  ),
  sh(
    'make a write root of what is shown',
    'mount -o remount,rw,bind "$SHOWN" && echo THROUGH; echo x > "$SHOWN/w12"',
    appears('shown/w12'),
  ),
  sh('a user namespace', 'unshare -U true && echo THROUGH', prints('THROUGH')),
  sh(
    'a user namespace with mounts',
    'unshare -rm sh -c "mount -t tmpfs none /tmp && echo THROUGH"',
    prints('THROUGH'),
  ),
  call('a user namespace by clone', { x64: 56, arm64: 220 }, '0x10000000 | 17, 0, 0, 0, 0', {}),
  sh('enter a namespace', 'nsenter --net=/proc/self/ns/net true && echo THROUGH', prints('THROUGH'), asRoot),
  sh('another root', 'chroot / true && echo THROUGH', prints('THROUGH'), asRoot),
  sh('make a device', 'mknod "$W/device" c 1 3', appears('work/device'), asRoot),
  call('a mount as a descriptor', { x64: 428, arm64: 428 }, '-100, my $path = ".", 0', {}),
  call(
    'a mount as a descriptor, with attributes',
    { x64: 467, arm64: 467 },
    '-100, my $path = ".", 0, 0, 0',
    onSomeMachines,
  ),
  call('a file system as a descriptor', { x64: 430, arm64: 430 }, 'my $type = "tmpfs", 0', asRoot),
  perl(
    'make a file with the rights of its owner by mknod',
    `syscall(${process.arch === 'arm64' ? 33 : 259}, -100, my $path = "$ENV{W}/left3", 0104755, 0)`,
    (scene) => scene.exists('work/left3') && (scene.mode('work/left3') & 0o6000) !== 0,
  ),
  sh('become somebody else', 'setpriv --reuid 12345 true && echo THROUGH', prints('THROUGH'), asRoot),
  sh(
    'change the pattern for core files',
    'old=$(cat /proc/sys/kernel/core_pattern); echo "$old" > /proc/sys/kernel/core_pattern && echo THROUGH',
    prints('THROUGH'),
    asRoot,
  ),
  sh(
    'change a setting of the kernel',
    'old=$(cat /proc/sys/vm/swappiness); echo "$old" > /proc/sys/vm/swappiness && echo THROUGH',
    prints('THROUGH'),
    asRoot,
  ),
  sh(
    'ask the kernel for help',
    'echo h > /proc/sysrq-trigger && echo THROUGH',
    prints('THROUGH'),
    onSomeMachines,
  ),
  sh(
    'change the priority of being ended',
    'echo -1000 > /proc/self/oom_score_adj && echo THROUGH',
    prints('THROUGH'),
    onSomeMachines,
  ),
  call('the keyring of the session', { x64: 250, arm64: 219 }, '0, -3, 1', {}),
  call(
    'a key',
    { x64: 248, arm64: 217 },
    'my $type = "user", my $name = "techne-canary", my $value = "x", 1, -3',
    {},
  ),
  call('bpf', { x64: 321, arm64: 280 }, '0, 0, 0', onSomeMachines),
  call('io_uring', { x64: 425, arm64: 425 }, '1, 0', onSomeMachines),
  call('performance counters', { x64: 298, arm64: 241 }, '0, 0, -1, -1, 0', onSomeMachines),
  call('handles of files', { x64: 304, arm64: 265 }, '-100, 0, 0', onSomeMachines),
  perl(
    'input for the terminal',
    `open(my $t, "+<", "/dev/tty") or die "no: $!"; ioctl($t, 0x5412, my $x = "x") and print "THROUGH"`,
    prints('THROUGH'),
    { control: { none: 'this process has no terminal' } },
  ),
  perl(
    'input for a terminal of its own',
    `use POSIX; open(my $m, "+<", "/dev/ptmx") or die "no: $!"; my $z = pack("i", 0); ioctl($m, 0x40045431, $z) or die "locked: $!"; my $n = pack("i", 0); ioctl($m, 0x80045430, $n); my $p = "/dev/pts/" . unpack("i", $n); if (my $c = fork) { waitpid $c, 0 } else { POSIX::setsid(); open(my $s, "+<", $p) or die "no slave: $!"; ioctl($s, 0x540e, my $f = 0); ioctl($s, 0x5412, my $x = "x") and print "THROUGH" }`,
    prints('THROUGH'),
    onSomeMachines,
  ),
];

const staying: readonly Probe[] = [
  sh(
    'a daemon that outlives its command',
    `(env -i setsid sh -c 'echo $$ > "$1/pid"; for i in $(seq 500); do echo x >> "$1/beats" || exit; sleep 0.02; done' sh "$W" > /dev/null 2>&1 < /dev/null &); while [ ! -s "$W/beats" ]; do sleep 0.02; done`,
    async (scene) => {
      const before = scene.text('work/beats').length;
      await sleep(200);
      return scene.text('work/beats').length > before;
    },
    {
      clean(scene) {
        const pid = scene.exists('work/pid') ? Number(scene.text('work/pid')) : 0;
        // In a sandbox it has a number that means somebody else outside.
        if (pid > 1 && processesNamed(scene.path('work')).includes(pid)) process.kill(pid, 'SIGKILL');
      },
    },
  ),
  sh(
    'more processes than can be ended one by one',
    'i=0; while [ $i -lt 150 ]; do (trap "" TERM HUP INT; exec setsid sleep "61.$NUMBER") & i=$((i+1)); done; wait',
    (scene) => processesNamed(`61.${victimNumber(scene.token)}`).length > 0,
    {
      timeoutMs: 1500,
      control: { none: 'it would have to be cleaned up one by one' },
    },
  ),
];

/** Beyond the limits of the scene. */
const taking: readonly Probe[] = [
  perl(
    'more processes than it may have',
    'my @all; for (1 .. 500) { my $one = fork; last unless defined $one; unless ($one) { sleep 10; exit } push @all, $one } print "THROUGH" if @all == 500; kill 9, @all; waitpid($_, 0) for @all',
    (scene, output) => output.includes('THROUGH') && (scene.limitsProcesses || !scene.confined),
  ),
  perl(
    'more memory than it may have',
    'my $text = "x"; $text x= 700 * 1024 * 1024; print "THROUGH"',
    prints('THROUGH'),
  ),
  sh(
    'raise its limits',
    'ulimit -d unlimited && perl -e \'my $text = "x"; $text x= 700 * 1024 * 1024; print "THROUGH"\'',
    prints('THROUGH'),
    asRoot,
  ),
  perl(
    'write into the report of how it ended',
    'for (3 .. 40) { my $to = readlink "/proc/self/fd/$_"; print "THROUGH" if defined $to and $to =~ /^socket:|^pipe:/ }',
    prints('THROUGH'),
    { control: { none: 'there is no report without a sandbox' } },
  ),
];

export const probes: readonly Probe[] = [
  ...writing,
  ...planting,
  ...reading,
  ...loading,
  ...reaching,
  ...powers,
  ...staying,
  ...taking,
];
