// What a value of a script holds that matters: private things on their way out, foreign things on their way in.
//
//   a path, the name of a variable of the environment -> the kind of private thing it stands for, or null
//
// The patterns here are searched in short texts only (one word or literal of a script, at most `maxPath` characters of its beginning and of its end).

/** `secret` … `files` are private; `content` is a file that the skill works on; `key` and `dotenv` are what a program signs in with; `network` and `decoded` are code that was not scanned. */
export type Taint =
  | 'secret'
  | 'environment'
  | 'keychain'
  | 'browser'
  | 'wallet'
  | 'clipboard'
  | 'memory'
  | 'files'
  | 'content'
  | 'system'
  | 'key'
  | 'dotenv'
  | 'network'
  | 'decoded';

export const privateTaints: readonly Taint[] = [
  'secret',
  'environment',
  'keychain',
  'browser',
  'wallet',
  'clipboard',
  'memory',
];

const maxPath = 300;

const paths: readonly (readonly [Taint, RegExp])[] = [
  [
    'secret',
    /(?:^|[/~\s"'=:@*])\.ssh(?:$|[/\s"'*])|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\bauthorized_keys\b/i,
  ],
  [
    'secret',
    /\.aws(?:\/(?:credentials|config)|\/?$)|\.azure\/|\.config\/gcloud|application_default_credentials|\.kube\/config/i,
  ],
  [
    'secret',
    /\.(?:npmrc|pypirc|netrc|git-credentials|pgpass|my\.cnf|dockercfg|vault-token)\b|\.docker\/config\.json|\.config\/gh\/hosts/i,
  ],
  ['secret', /\.gnupg/i],
  [
    'dotenv',
    /(?:^|[/~\s"'=:@*])\.env(?:\.(?:local|production|prod|development|dev))?(?:$|["'\s*])|secrets?\.(?:json|ya?ml|toml)$|\b(?:credentials|token)\.json\b/i,
  ],
  [
    'secret',
    /\/etc\/(?:shadow|passwd|sudoers)\b|\/proc\/(?:self|\d{1,7})\/environ|\bcredentials\.(?:db|ya?ml)\b|\.(?:pem|p12|pfx|keystore|jks)$/i,
  ],
  [
    'secret',
    /169\.254\.169\.254|metadata\.google\.internal|\.(?:openclaw|clawdbot|moltbot)\/(?:\.env|[\w.-]{0,40}credentials?|openclaw\.json|clawdbot\.json)/i,
  ],
  [
    'keychain',
    /Keychains?\/|login\.keychain|gnome-keyring|kwallet|Credential(?:s)?\\|\.password-store|1password|lastpass|bitwarden/i,
  ],
  [
    'browser',
    /(?:Chrome|Chromium|Brave(?:-Browser| Browser)?|Firefox|Edge|Opera|Safari)[^\n]{0,80}(?:Cookies|Login Data|Web Data|Profiles?|User Data|Local State|Default|Local Storage|logins\.json|key4\.db)|\b(?:Login Data|cookies\.sqlite|logins\.json|key4\.db)\b|(?:google-chrome|BraveSoftware|\.mozilla\/firefox)/i,
  ],
  [
    'wallet',
    /wallet\.dat|\bmetamask\b|\bphantom\b|\.electrum|\bexodus\b|\.solana\/|solana\/id\.json|\.ethereum\/keystore|mnemonic|seed[._ -]?phrase|nkbihfbeogaeaoehlefnkodbefgpgknn/i,
  ],
  [
    'memory',
    /(?:^|[/~\s"'])(?:MEMORY|SOUL|USER|IDENTITY)\.md\b|\.claude\/(?:projects|history|todos)|\.(?:openclaw|clawdbot)\/(?:memory|workspace|agents)|\.codex\/(?:sessions|history)|Library\/(?:Messages|Mail|Safari)\b|\.thunderbird\b|\.cursor\/(?:chats|history)|\.(?:bash|zsh|python|node_repl)_history/i,
  ],
];

/** What reading `path` gives. */
export function taintOfPath(path: string): Taint | null {
  const text = path.length > 2 * maxPath ? `${path.slice(0, maxPath)} ${path.slice(-maxPath)}` : path;
  if (/\.env\.(?:example|sample|template|dist)/i.test(text)) return null;
  for (const [taint, pattern] of paths) if (pattern.test(text)) return taint;
  return null;
}

/** A whole folder of the person's: the home, the workspace, the root. */
export function isWholeTree(path: string): boolean {
  return /^(?:~|\$\{?HOME\}?|\/|\.|\.\/|\*|\.\/\*|\$\{?PWD\}?|\$\(pwd\)|\/home\/?|\/Users\/?|\/root\/?|\$\{?WORKSPACE\}?|~\/(?:Documents|Desktop|Downloads|Pictures)|\/workspace)\/?\*?$/i.test(
    path.trim(),
  );
}

/** The name of a variable of the environment that holds a secret. */
export function isSecretName(name: string): boolean {
  return /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|PASS|CREDENTIALS?|APIKEY|AUTH|COOKIE|MNEMONIC|SEED|DSN)S?(?:_|$)|PRIVATE_?KEY|API_?KEY/i.test(
    name,
  );
}

const owners: readonly (readonly [RegExp, RegExp])[] = [
  [/^AWS_/, /amazonaws|aws/],
  [/^(?:GITHUB_|GH_)/, /github/],
  [/^GITLAB_/, /gitlab/],
  [/^OPENAI_/, /openai|azure/],
  [/^(?:ANTHROPIC_|CLAUDE_)/, /anthropic|claude/],
  [/^(?:GOOGLE_|GCP_|GEMINI_)/, /google|gemini/],
  [/^(?:AZURE_|ARM_)/, /azure|microsoft/],
  [/^STRIPE_/, /stripe/],
  [/^(?:NPM_|NODE_AUTH_)/, /npm/],
  [/^(?:SSH_|SUDO_|DATABASE_|DB_|PG|POSTGRES|MYSQL|REDIS_|JWT_|SESSION_|ENCRYPTION_)/, /$^/],
  [/^SLACK_/, /slack/],
];

/** Whether a secret that belongs to one service is on its way to the host of another. */
export function isSecretOfAnother(name: string, host: string): boolean {
  for (const [owner, hosts] of owners) if (owner.test(name)) return host !== '' && !hosts.test(host);
  return false;
}
