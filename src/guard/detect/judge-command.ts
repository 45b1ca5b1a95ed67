// A command with its words -> the rules it breaks.
import type { RunCommand } from '../code/facts.ts';
import { taintOfPath } from '../code/taint.ts';
import type { ScannedSkill } from '../detector.ts';
import { hostOf, hostsOf } from './hosts.ts';
import type { Judged } from './judge-flow.ts';

export function findInCommand(command: RunCommand, skill: ScannedSkill): readonly Judged[] {
  const found: Judged[] = [];
  const destroyed = judgeRemoval(command);
  if (destroyed !== null) found.push(destroyed);
  const kept = judgePersistence(command);
  if (kept !== null) found.push(kept);
  if (copiers.has(command.name) && command.argv.some(isStoredLogin))
    found.push({ rule: 'CREDENTIAL_ACCESS' });
  if (
    /^(?:aws|gsutil|gcloud|az)$/.test(command.name) &&
    /public-read|allUsers|--public-access blob|container\b.{0,20}--public/.test(command.argv.join(' '))
  )
    found.push({ rule: 'EXPOSE_INSTRUCTION' });
  const container = judgeContainer(command);
  if (container !== null) found.push(container);
  if (command.name === 'git' && command.argv[1] === 'add' && command.argv.some((word) => isSecretPath(word)))
    found.push({ rule: 'EXFIL_SECRET', severity: 'high' });
  const protection = judgeProtection(command);
  if (protection !== null) found.push(protection);
  const rewritten = judgeRewriting(command, skill);
  if (rewritten !== null) found.push(rewritten);
  const registry = judgeRegistry(command, skill) ?? judgeRegistrySetting(command, skill);
  if (registry !== null) found.push(registry);
  return found;
}

function isSecretPath(word: string): boolean {
  const taint = taintOfPath(word);
  return taint !== null && taint !== 'dotenv' && taint !== 'memory';
}

const copiers = new Set(['cp', 'mv', 'cat', 'sqlite3', 'strings', 'tar', 'zip', 'rsync', 'dd']);

/** Passwords and cookies of a browser. */
function isStoredLogin(word: string): boolean {
  return /Login Data|Cookies$|key4\.db|cookies\.sqlite|logins\.json/.test(word);
}

const guards =
  /(?:^|[/._-])(?:falcon(?:-sensor|d|ctl)?|crowdstrike|auditd|osqueryd?|clamav\S{0,20}|clamd|sentinel(?:one|ctl|d)\S{0,20}|wazuh\S{0,20}|ossec\S{0,20}|fail2ban|apparmor|firewalld|ufw|mdatp|cbdaemon|carbonblack|sophos\S{0,20}|xprotect\S{0,20}|santad?|littlesnitch\S{0,20}|windefend|defender)(?:$|[._ -])/i;

/** Security software that is stopped or removed. */
function judgeProtection({ name, argv }: RunCommand): Judged | null {
  const line = argv.join(' ');
  const stops =
    (name === 'systemctl' && /\b(?:stop|disable|mask)\b/.test(line)) ||
    (name === 'service' && /\bstop\b/.test(line)) ||
    (name === 'launchctl' && /\b(?:unload|bootout|remove|disable)\b/.test(line)) ||
    name === 'pkill' ||
    name === 'killall' ||
    (/^(?:apt|apt-get|dnf|yum|brew)$/.test(name) && /\b(?:remove|purge|uninstall|erase)\b/.test(line));
  return stops && argv.slice(1).some((word) => guards.test(word)) ? { rule: 'SAFETY_OFF_COMMAND' } : null;
}

const foreign: ReadonlySet<string> = new Set(['unknown-host', 'address', 'shortener', 'catcher', 'paste']);

/** `git config url."…".insteadOf`: from then on Git fetches from another address. */
function judgeRewriting({ name, argv }: RunCommand, skill: ScannedSkill): Judged | null {
  if (name !== 'git' || argv[1] !== 'config') return null;
  const url = argv.map((word) => /^url\.(.{1,300})\.(?:pushI|i)nsteadOf$/i.exec(word)?.[1]).find(Boolean);
  return url !== undefined && foreign.has(hostsOf(skill).kindOf(hostOf(url)))
    ? {
        rule: 'PERSISTENCE_COMMAND',
        message: 'Git then fetches or pushes to another address than the one that is written.',
      }
    : null;
}

/** `npm config set registry …`, or a line of a configuration file that says the same. */
function judgeRegistrySetting(command: RunCommand, skill: ScannedSkill): Judged | null {
  const { name, argv, writes, input } = command;
  const line = argv.join(' ');
  const isSet =
    /^(?:pip3?|npm|pnpm|yarn|bun|uv|poetry|conda)$/.test(name) &&
    /\bconfig\s{1,3}(?:set|--set|--add)\b.{0,60}(?:registry|npmRegistryServer|index-url|channels)/i.test(
      line,
    );
  const isWritten =
    writes.some(({ path }) =>
      /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.pypirc|bunfig\.toml)$/.test(path),
    ) && /(?:registry|index-url)\s{0,3}[:=]/i.test(`${line} ${input}`);
  if (!isSet && !isWritten) return null;
  const urls = `${line} ${input}`.match(/https?:\/\/[^\s"'\\]{1,300}/g) ?? [];
  return urls.some((url) => foreign.has(hostsOf(skill).kindOf(hostOf(url))))
    ? { rule: 'UNTRUSTED_PACKAGE_SOURCE' }
    : null;
}

/** `pip install --index-url …`, `npm install --registry …`. */
function judgeRegistry({ name, argv }: RunCommand, skill: ScannedSkill): Judged | null {
  if (!/^(?:pip3?|uv|npm|pnpm|yarn|npx|bun|python3?)$/.test(name)) return null;
  const { kindOf } = hostsOf(skill);
  // A branch of somebody's repository, executed at once.
  if (name === 'npx' && argv.some((word) => /^(?:github|gitlab|bitbucket|git\+https):/.test(word)))
    return { rule: 'UNTRUSTED_PACKAGE_SOURCE', severity: 'low' };
  for (const [at, word] of argv.entries()) {
    const glued = /^--(?:extra-index-url|index-url|registry|find-links)=(.+)/.exec(word)?.[1];
    const url =
      glued ??
      (/^(?:--(?:extra-index-url|index-url|registry|find-links)|-i)$/.test(word) ? argv[at + 1] : undefined);
    if (url === undefined) continue;
    const kind = kindOf(hostOf(url));
    if (kind === 'unknown-host' || kind === 'address' || kind === 'shortener' || kind === 'catcher')
      return { rule: 'UNTRUSTED_PACKAGE_SOURCE' };
  }
  return null;
}

const precious =
  /^(?:\/|\/\*|~|~\/|~\/\*|\$HOME\/?\*?|\/(?:home|Users|root|etc|usr|var|bin|lib|boot|opt|srv)(?:\/\*?)?|~\/(?:Documents|Desktop|Downloads|Pictures|Library)(?:\/\*?)?|\$HOME\/(?:Documents|Desktop|Downloads|Pictures)(?:\/\*?)?|\/var\/log(?:\/\*)?|C:\\?\*?|~\/\.(?:ssh|aws|config|gnupg)\/?\*?)$/i;

function judgeRemoval({ name, argv }: RunCommand): Judged | null {
  const options = argv.filter((word) => word.startsWith('-')).join(' ');
  if (name === 'rm' && /-\w*[rR]|--recursive/.test(options))
    return argv.slice(1).some((word) => precious.test(word)) || options.includes('--no-preserve-root')
      ? { rule: 'DESTRUCTIVE_COMMAND' }
      : null;
  if (name === 'shred' && argv.slice(1).some((word) => precious.test(word) || /^~|^\/home/.test(word)))
    return { rule: 'DESTRUCTIVE_COMMAND' };
  if (name === 'find' && argv.includes('-delete') && precious.test(argv[1] ?? ''))
    return { rule: 'DESTRUCTIVE_COMMAND' };
  const isRecord = (word: string): boolean =>
    /(?:^|\/)\.(?:bash|zsh|sh|python|node_repl)_history$/.test(word);
  if (
    (name === 'history' && argv.includes('-c')) ||
    (/^(?:rm|shred|truncate|unlink)$/.test(name) && argv.some(isRecord)) ||
    (name === 'ln' && argv.includes('/dev/null') && argv.some(isRecord)) ||
    (name === 'unset' && argv.includes('HISTFILE')) ||
    (name === 'export' && argv.some((word) => /^HIST(?:FILE=(?:\/dev\/null)?$|(?:FILE)?SIZE=0$)/.test(word)))
  )
    return {
      rule: 'DESTRUCTIVE_COMMAND',
      severity: 'medium',
      message: 'The command deletes the record of what was done.',
    };
  return null;
}

const profile =
  /(?:^|\/)\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv|bash_login|config\/fish\/config\.fish)$|^\/etc\/(?:profile|bash\.bashrc|environment)/;
const startItem =
  /(?:LaunchAgents|LaunchDaemons)\/|\/etc\/(?:cron|systemd|init\.d|rc\.local)|\.config\/(?:systemd|autostart)\/|\/var\/spool\/cron|Start Menu\\Programs\\Startup|CurrentVersion\\Run/i;
const keys = /\.ssh\/authorized_keys$|\/etc\/(?:sudoers|passwd|shadow)|\/etc\/ssh\/sshd_config/;
const pipelines =
  /(?:^|\/)\.github\/workflows\/[^/]{1,80}$|(?:^|\/)(?:\.gitlab-ci\.yml|Jenkinsfile|\.circleci\/config\.yml)$/;
/** What a job or a service must not do unattended. */
const fetchesAndRuns =
  /(?:curl|wget)\b[^\n]{0,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b|base64\s{1,3}-d[^\n]{0,80}\|\s{0,3}(?:ba)?sh\b/;
const gitHooks = /\.git\/hooks\/|core\.hooksPath/;
const agentFiles =
  /(?:^|\/)\.(?:claude|cursor|codex|gemini|openclaw|clawdbot|continue|windsurf)\/(?:settings(?:\.local)?\.json|mcp\.json|config\.(?:toml|json)|hooks)|(?:^|\/)(?:SOUL|MEMORY|IDENTITY|HEARTBEAT)\.md$|claude_desktop_config\.json$/;
/** What people usually add to their profile: a path, a completion, the hook of a version manager. */
const usualLine =
  /^\s{0,4}(?:export\s{1,3}\w{1,40}=|alias\s|PATH=|eval\s{1,3}"?\$\(|source\s{1,3}<\(|\[|\.\s|#|fpath|autoload|set\s|source\s{1,3}\S{1,80}(?:completion|nvm|env|venv|activate|cargo))/;

function judgePersistence(command: RunCommand): Judged | null {
  const { name, argv, writes, input } = command;
  const targets = writes.map(({ path }) => path);
  if (name === 'tee' || name === 'cp' || name === 'mv' || name === 'ln' || name === 'install')
    targets.push(argv.at(-1) ?? '');
  const line = name === 'echo' || name === 'printf' ? argv.slice(1).join(' ') : input;
  for (const target of targets) {
    if (keys.test(target)) return { rule: 'PERSISTENCE_COMMAND', severity: 'high' };
    if (profile.test(target))
      return {
        rule: 'PERSISTENCE_COMMAND',
        ...(line === '' || usualLine.test(line) ? { severity: 'low' as const } : {}),
      };
    // A service that the skill is about is installed like this; an agent of macOS or a task of cron is not.
    if (startItem.test(target)) {
      if (fetchesAndRuns.test(line)) return { rule: 'PERSISTENCE_COMMAND', severity: 'high' };
      return { rule: 'PERSISTENCE_COMMAND', ...(/systemd/.test(target) ? { severity: 'low' as const } : {}) };
    }
    if (pipelines.test(target))
      return /\bsecrets\.|toJSON\(\s{0,3}secrets/.test(line) && /\b(?:curl|wget|nc)\b/.test(line)
        ? {
            rule: 'PERSISTENCE_COMMAND',
            severity: 'medium',
            message: 'The script writes a job of the pipeline that has secrets and sends something.',
          }
        : null;
    if (gitHooks.test(target)) return { rule: 'PERSISTENCE_COMMAND', severity: 'low' };
    if (
      /(?:^~|\$HOME|\/(?:root|home\/\w{1,32}))\/\.(?:claude\/CLAUDE|codex\/AGENTS|gemini\/GEMINI)\.md$/.test(
        target,
      )
    )
      return { rule: 'PERSISTENCE_COMMAND', severity: 'medium' };
    if (agentFiles.test(target)) return { rule: 'PERSISTENCE_COMMAND', severity: 'low' };
  }
  const words = argv.join(' ');
  if (name === 'crontab' && (argv.includes('-') || /\bcrontab\s{1,3}(?!-[lre]\b)\S/.test(words)))
    return {
      rule: 'PERSISTENCE_COMMAND',
      severity: /curl|wget|base64|bash -c|python -c/.test(input)
        ? 'high'
        : /\/tmp\/|\/\.\w|\/dev\/shm/.test(input)
          ? 'medium'
          : 'low',
    };
  if (name === 'launchctl' && /\b(?:load|bootstrap)\b/.test(words))
    return { rule: 'PERSISTENCE_COMMAND', severity: /com\.apple\./.test(words) ? 'high' : 'low' };
  if (name === 'schtasks' && /\/create/i.test(words)) return { rule: 'PERSISTENCE_COMMAND' };
  if (name === 'reg' && /add.{0,80}CurrentVersion\\Run/i.test(words)) return { rule: 'PERSISTENCE_COMMAND' };
  if (name === 'git' && /config\s{1,3}--global\s{1,3}core\.hooksPath/.test(words))
    return { rule: 'PERSISTENCE_COMMAND' };
  if ((name === 'useradd' || name === 'adduser') && /sudo|wheel|admin|-o\s{1,3}-u\s{1,3}0/.test(words))
    return { rule: 'PERSISTENCE_COMMAND' };
  return null;
}

/** A container that has the rights and the files of the host. */
function judgeContainer({ name, argv }: RunCommand): Judged | null {
  if (name === 'nsenter' && argv.some((word, at) => /^(?:-t|--target)$/.test(word) && argv[at + 1] === '1'))
    return { rule: 'PRIVILEGED_CONTAINER' };
  if (name === 'curl' && argv.some((word) => word.endsWith('docker.sock')))
    return { rule: 'PRIVILEGED_CONTAINER' };
  if ((name !== 'docker' && name !== 'podman') || argv[1] !== 'run') return null;
  if (argv.some((word) => /docker\.sock(?::|,|$)/.test(word)))
    return { rule: 'PRIVILEGED_CONTAINER', severity: argv.includes('-d') ? 'low' : 'medium' };
  const mounts = argv.filter(
    (word) =>
      /^(?:\/|\/(?:home|root|etc|Users|var)\/?|~|\$HOME):/.test(word) || /source=\/(?:,|$)/.test(word),
  );
  const privileged = argv.some(
    (word) => word === '--privileged' || word === '--pid=host' || /^--cap-add=(?:SYS_ADMIN|ALL)$/.test(word),
  );
  if (mounts.some((word) => word.startsWith('/:'))) return { rule: 'PRIVILEGED_CONTAINER' };
  return privileged && mounts.length > 0 ? { rule: 'PRIVILEGED_CONTAINER' } : null;
}
