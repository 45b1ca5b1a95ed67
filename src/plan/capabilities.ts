// The capabilities of a skill: a closed vocabulary of what it can change outside the run.
//
// A declared capability is one of `capabilities`, or another host's word for one; any other word is unknown. A wider
// capability grants the narrower ones that it covers: sending to the network covers fetching from it, and running
// programs covers writing files of the workspace, which every program can do.
//
// capabilities#K3. No capability grants one of a higher risk than its own. So `network`, which other hosts rate as
// medium, grants only reading.
import type { Risk } from '../skill/types.ts';

export const capabilities = {
  'filesystem-read': { risk: 'low', meaning: 'reads files of the workspace' },
  'filesystem-write': { risk: 'medium', meaning: 'writes files of the workspace' },
  'artifact-write': { risk: 'medium', meaning: 'publishes files as results' },
  'document-export': { risk: 'medium', meaning: 'makes documents' },
  'memory-write': { risk: 'medium', meaning: 'keeps notes beyond the run' },
  'network-read': { risk: 'medium', meaning: 'fetches from the network' },
  'network-write': { risk: 'high', meaning: 'sends to the network' },
  network: { risk: 'medium', meaning: 'fetches from the network' },
  'credential-use': { risk: 'high', meaning: 'uses keys or passwords' },
  'external-side-effect': { risk: 'high', meaning: 'changes something outside this machine' },
  'process-control': { risk: 'high', meaning: 'starts, watches or stops processes' },
  shell: { risk: 'high', meaning: 'runs commands' },
} as const satisfies Record<string, { readonly risk: Risk; readonly meaning: string }>;

export type Capability = keyof typeof capabilities;

/** Words of other hosts. */
const aliases: { readonly [word: string]: Capability } = {
  subprocess: 'process-control',
  'command-exec': 'shell',
  'command-execution': 'shell',
  command: 'shell',
  commands: 'shell',
  exec: 'shell',
  bash: 'shell',
  tmux: 'process-control',
  process: 'process-control',
  vcs: 'shell',
  git: 'shell',
  'file-read': 'filesystem-read',
  'file-write': 'filesystem-write',
  'fs-read': 'filesystem-read',
  'fs-write': 'filesystem-write',
  filesystem: 'filesystem-write',
  'workspace-read': 'filesystem-read',
  'workspace-write': 'filesystem-write',
  read: 'filesystem-read',
  write: 'filesystem-write',
  artifact: 'artifact-write',
  artifacts: 'artifact-write',
  'artifact-publish': 'artifact-write',
  export: 'document-export',
  memory: 'memory-write',
  'memory-save': 'memory-write',
  web: 'network-read',
  'web-read': 'network-read',
  'web-search': 'network-read',
  http: 'network',
  internet: 'network',
  'network-access': 'network',
  credentials: 'credential-use',
  secrets: 'credential-use',
  'side-effect': 'external-side-effect',
  'external-write': 'external-side-effect',
};

/** What a program that runs in the workspace can do to it. */
const inWorkspace: readonly Capability[] = [
  'filesystem-read',
  'filesystem-write',
  'artifact-write',
  'document-export',
  'memory-write',
];

const covers: { readonly [wide in Capability]?: readonly Capability[] } = {
  network: ['network-read'],
  'network-read': ['network'],
  'network-write': ['network', 'network-read'],
  'filesystem-write': ['filesystem-read', 'artifact-write', 'document-export', 'memory-write'],
  'artifact-write': ['filesystem-read'],
  'document-export': ['filesystem-read', 'artifact-write'],
  'external-side-effect': ['network', 'network-read', 'network-write'],
  shell: ['process-control', ...inWorkspace],
  'process-control': ['shell', ...inWorkspace],
};

/** `null` when the word is not known. */
export function capabilityOf(word: string): Capability | null {
  const key = word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  if (Object.hasOwn(capabilities, key)) return key as Capability;
  return Object.hasOwn(aliases, key) ? (aliases[key] as Capability) : null;
}

export function capabilityWords(): readonly string[] {
  return [...Object.keys(capabilities), ...Object.keys(aliases)];
}

/** Whether `declared`, or a capability it covers, allows what needs `needed`. */
export function capabilityAllows(declared: readonly Capability[], needed: Capability): boolean {
  return declared.some((one) => one === needed || (covers[one] ?? []).includes(needed));
}

const order: readonly Risk[] = ['low', 'medium', 'high'];

export function isHigher(a: Risk, b: Risk): boolean {
  return order.indexOf(a) > order.indexOf(b);
}

export function highest(risks: Iterable<Risk>): Risk {
  let most: Risk = 'low';
  for (const risk of risks) if (isHigher(risk, most)) most = risk;
  return most;
}

export function riskOf(capability: Capability): Risk {
  return capabilities[capability].risk;
}
