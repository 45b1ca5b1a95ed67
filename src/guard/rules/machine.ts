// Rules about the machine: what is installed to stay, what is destroyed, which protection is switched off.
import type { Rule } from '../rule.ts';

export const machineRules: readonly Rule[] = [
  {
    code: 'PERSISTENCE_INSTRUCTION',
    severity: 'medium',
    category: 'persistence',
    title: 'Tells the agent to install something that stays',
    message:
      'The text makes the agent change what starts by itself, who may log in, or where the code is pushed.',
    hint: 'Remove the step, or make this change yourself after you understood it.',
    sentences: [
      '+ADD>12>SSH_KEYS !ATTACKER',
      '+ADD>10>BACKDOOR !ATTACKER',
      '+ADD>12>GIT_HOOK|PROFILE_FILE EVERYWHERE',
      '+ADD>10>START_ITEM !UNLESS_ASKED !ATTACKER !SCHEDULE_WORD',
      '+ADD SHELL_PROFILE|PROFILE_FILE>12>AUTOSTART|ALWAYS_ACTIVE',
      '+ADD>8>SECOND_REMOTE STRANGER',
      '+SCHEDULE_V>10>EVERY_PERIOD AFTER_SESSION !UNLESS_ASKED !ATTACKER',
      '+ADD>10>SUDOERS',
      '+ENABLE>6>REMOTE_ACCESS !ATTACKER !UNLESS_ASKED',
    ],
    patterns: [
      {
        literals: ['/claude.md', '/agents.md', '/gemini.md'],
        regex:
          /\b(?:append|add|write|put|insert|save)\b[^\n]{0,80}~\/\.(?:claude|codex|gemini)\/(?:CLAUDE|AGENTS|GEMINI)\.md\b[^\n]{0,80}\b(?:always|never|approve|allow|skip|without)\b/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'AGENT_CONFIG_INSTRUCTION',
    severity: 'medium',
    category: 'persistence',
    title: "Changes the agent's own configuration or memory",
    message: 'What is written there steers every later session, also those that do not use the skill.',
    hint: 'Do not let a skill write to the configuration or the memory of the agent.',
    sentences: [
      '+ADD>14>AGENT_FILE GRANT',
      '+ADD>16>AGENT_FILE STRANGER|CATCHER|ADDRESS',
      '+REMEMBER>14>GRANT',
      '+ADD>8>MCP_SERVER STRANGER|CATCHER|ADDRESS',
      '+ADD>10>IDENTITY_FILE ALWAYS_FOREVER !ATTACKER',
    ],
    patterns: [
      {
        literals: [
          'bypasspermissions',
          'dangerously-skip-permissions',
          'dangerously_skip_permissions',
          'autoapprove',
          'enableallprojectmcpservers',
          'bash(*)',
          'anthropic_base_url',
          'skipdangerousmodepermissionprompt',
          'chat.tools.autoapprove',
        ],
        regex:
          /(?:set|add|write|put|append|echo|enable|insert)[^\n]{0,120}(?:"?defaultMode"?\s{0,2}[:=]\s{0,2}"bypassPermissions"|Bash\(\*\)|enableAllProjectMcpServers"?\s{0,2}[:=]\s{0,2}true|autoApprove"?\s{0,2}[:=]\s{0,2}(?:true|\["?\*))|ANTHROPIC_BASE_URL["']?\s{0,2}[:=]\s{0,2}["']?https?:\/\/(?!(?:api\.anthropic\.com|localhost|127\.|\$|<|\{|your|[\w.-]{0,60}(?:example|openrouter|deepseek|moonshot|z\.ai|bigmodel|minimax|azure|amazonaws|nvidia|googleapis|litellm|ollama|vercel|gateway|proxy\.example)))/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'PERSISTENCE_COMMAND',
    severity: 'medium',
    category: 'persistence',
    title: 'A script installs itself to stay',
    message:
      'A command changes shell profiles, hooks, scheduled jobs, services, keys or the files of the agent.',
    hint: 'Do not run it unless you want this change.',
  },
  {
    code: 'DESTROY_INSTRUCTION',
    severity: 'medium',
    category: 'destruction',
    title: 'Tells the agent to destroy data of the user',
    message: 'The text has originals, backups, history or logs deleted or made unreadable.',
    hint: 'Remove the step, and keep a backup of what the skill works on.',
    sentences: [
      '+DESTROY>5>PRECIOUS !UNLESS_ASKED !ATTACKER',
      '+ENCRYPT>6>ALL_FILES',
      '+DESTROY>3>SYSTEM_PATH !ATTACKER',
      '+WIPE_V>4>RECORDS !ATTACKER !UNLESS_ASKED',
      '+WIPE_V>3>MAILS !ATTACKER !UNLESS_ASKED',
      '+WIPE_V>4>HISTORY FORCE_PUSH !ATTACKER !UNLESS_ASKED',
      '+DESTROY>8>TRACES !ATTACKER',
    ],
  },
  {
    code: 'DESTRUCTIVE_COMMAND',
    severity: 'high',
    category: 'destruction',
    title: 'A command destroys data of the user',
    message: 'A command deletes or overwrites far more than files of its own.',
    hint: 'Do not run it.',
    patterns: [
      {
        literals: [
          'vssadmin',
          'wbadmin',
          'bcdedit',
          'wevtutil',
          'mkfs',
          '/dev/sd',
          '/dev/nvme',
          '/dev/disk',
          'format c:',
          'remove-item',
          'rmtree',
          'filter-branch',
        ],
        regex:
          /\bvssadmin(?:\.exe)?\s{1,3}delete\s{1,3}shadows|\bwbadmin\s{1,3}delete\b|\bwevtutil\s{1,3}cl\b|\bmkfs(?:\.\w{1,8})?\s{1,3}\/dev\/|\bdd\b[^\n]{0,80}\bof=\/dev\/(?:sd|nvme|disk|hd)|>\s{0,3}\/dev\/(?:sd[a-z]|nvme\d)|\bformat\s{1,3}c:\s{0,3}\/|shutil\.rmtree\(\s{0,3}(?:os\.path\.expanduser\(\s{0,3}["']~["']|["']\/["']|Path\.home\(\)|["']~\/?["'])/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'SAFETY_OFF_INSTRUCTION',
    severity: 'medium',
    category: 'safety',
    title: 'Tells the agent to switch off a protection',
    message: 'The text has antivirus, firewall, sandbox, certificate checks or security checks disabled.',
    hint: 'Keep the protection on; find out why the skill cannot work with it.',
    sentences: [
      '+DISABLE>8>PROTECTION !ATTACKER !UNLESS_ASKED',
      'PROTECTION>3>IS_OFF !ATTACKER !UNLESS_ASKED !NOT',
      '+DISABLE_STRONG>6>AGENT_SAFETY !ATTACKER',
      'AGENT_SAFETY>2>IS_OFF !ATTACKER',
      'SKILL_ACTS>6>DISABLE_STRONG>8>AGENT_SAFETY|LOGGED !NOT !ATTACKER',
    ],
  },
  {
    code: 'SAFETY_OFF_COMMAND',
    severity: 'medium',
    category: 'safety',
    title: 'A command switches off a protection',
    message:
      'A command weakens the protection of the machine: security software, permissions, passwords or certificate checks.',
    hint: 'Do not run it; it outlasts the skill.',
    patterns: [
      {
        literals: [
          'setenforce',
          'spctl',
          'csrutil',
          'ufw disable',
          'set-mppreference',
          'add-mppreference',
          'nopasswd',
          'iptables',
          'quarantine',
          'sslverify',
          'reject_unauthorized',
          'windefend',
          'firewall',
          'chmod',
        ],
        regex:
          /\bsetenforce\s{1,3}0|\bspctl\s{1,3}--(?:master|global)-disable|\bcsrutil\s{1,3}disable|\bufw\s{1,3}disable|Set-MpPreference[^\n]{0,80}-Disable|Add-MpPreference[^\n]{0,40}-Exclusion|NOPASSWD:\s{0,3}ALL|\biptables\s{1,3}-F\b|netsh\s{1,3}advfirewall\s{1,3}set\s{1,3}\w{1,20}\s{1,3}state\s{1,3}off|\bsc\s{1,3}(?:stop|delete)\s{1,3}WinDefend|git\s{1,3}config\s{1,3}--global\s{1,3}http\.sslVerify\s{1,3}false|chmod\s{1,3}(?:-R\s{1,3}|-f\s){0,2}0?777\s{1,3}(?:\/(?:etc|usr|var|bin|opt|home|Users)?(?:[\s/]|$)|~)/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'REVERSE_SHELL',
    severity: 'critical',
    category: 'malware',
    title: 'Opens a shell to another machine',
    message: 'The command hands control of the machine to whoever listens at the other end.',
    hint: 'Do not use the skill.',
    patterns: [
      {
        literals: [
          '/dev/tcp/',
          '/dev/udp/',
          'pty.spawn',
          'mkfifo',
          'nc -',
          'ncat',
          'socket',
          'fsockopen',
          'tcpclient',
          'exec:',
          'netcat',
          '/bin/sh',
          '/bin/bash',
          'cmd.exe',
        ],
        regex:
          /\b(?:ba|z|k)?sh\s{1,3}-i[^\n]{0,40}\/dev\/(?:tcp|udp)\/|\/dev\/tcp\/[^\s/]{1,80}\/\d{1,5}[^\n]{0,40}0>&1|\b(?:nc|ncat|netcat)\b[^\n|]{0,60}\s-[a-z]{0,5}e[a-z]{0,3}\s{1,3}(?:\/bin\/)?(?:ba|z)?(?:sh|cmd)|mkfifo[^\n]{0,120}\b(?:nc|ncat|openssl)\b|pty\.spawn\(\s{0,3}["']\/bin\/|socat[^\n]{0,100}exec:["']?(?:\/bin\/)?(?:ba)?sh|\bfsockopen\([^\n]{0,120}(?:proc_open|shell_exec|exec)\(|New-Object\s{1,3}(?:System\.)?Net\.Sockets\.TCPClient/i,
        in: 'all',
      },
      {
        literals: ['dup2', 'connect('],
        regex:
          /\.connect\([\s\S]{0,240}os\.dup2\([\s\S]{0,240}(?:subprocess|pty|os\.system|\/bin\/)|child_process[\s\S]{0,200}net\.(?:connect|Socket|createConnection)[\s\S]{0,200}\.pipe\(/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'MINER',
    severity: 'critical',
    category: 'malware',
    title: 'Mines coins',
    message: 'The machine of the user would work for somebody else.',
    hint: 'Do not use the skill.',
    patterns: [
      {
        literals: [
          'xmrig',
          'stratum+',
          'minerd',
          'cpuminer',
          'coinhive',
          'nicehash',
          'cryptonight',
          'ethminer',
          'nbminer',
        ],
        regex:
          /\bxmrig\b[^\n]{0,80}(?:-o|--url|pool|download|\.\/|&)|stratum\+(?:tcp|ssl):\/\/|\b(?:minerd|cpuminer|nbminer|ethminer)\b\s{1,3}-|coinhive\.min\.js/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'FORK_BOMB',
    severity: 'high',
    category: 'destruction',
    title: 'Exhausts the machine',
    message: 'The command starts processes or takes memory until the machine stops answering.',
    hint: 'Do not run it.',
    patterns: [
      {
        literals: [':(){', ':()', 'os.fork', 'fork()'],
        regex:
          /:\s{0,2}\(\)\s{0,2}\{\s{0,3}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,3}\}|while\s{1,3}(?:True|1)\s{0,2}:\s{0,8}os\.fork\(\)/,
        in: 'all',
      },
    ],
  },
  {
    code: 'PRIVILEGED_CONTAINER',
    severity: 'medium',
    category: 'safety',
    title: 'A container with the whole machine inside',
    message: 'The command gives a container the rights or the files of the host.',
    hint: 'Run the container without these options.',
  },
];
