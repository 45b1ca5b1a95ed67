// Rules about private data: what leaves the machine, and what is read that should not be.
import type { Rule } from '../rule.ts';

export const dataRules: readonly Rule[] = [
  {
    code: 'EXFIL_INSTRUCTION',
    severity: 'high',
    category: 'exfiltration',
    title: 'Tells the agent to send private data away',
    message:
      'The text tells the agent to send data of the user to an address that the skill is not otherwise about.',
    hint: 'Do not use the skill unless you know and want this recipient.',
    sentences: [
      '+UPLOAD>16>SECRET|SECRET_FILE|MEMORY_FILE STRANGER|CATCHER|EMAIL',
      '+READ>16>SECRET|SECRET_FILE|MEMORY_FILE|DOTENV_FILE +UPLOAD STRANGER|CATCHER|EMAIL|OUTSIDER|ADDRESS',
      '+SEND|READ SECRET_FILE|MEMORY_FILE|DOTENV_FILE STRANGER|CATCHER|ADDRESS',
      // Who owns the host does not matter where secrets go.
      '+READ>16>SECRET_FILE +UPLOAD|SEND>14>URL !ATTACKER',
      '+UPLOAD|SEND>12>SECRET_FILE>10>URL !ATTACKER',
      '+SEND>20>CATCHER',
      '+SEND PRIVATE|SECRET ADDRESS',
    ],
    patterns: [
      {
        literals: ['http'],
        regex:
          /(?:отправ(?:ь|ьте|ить)|перешли(?:те)?|загрузи(?:те)?)[^\n]{0,50}(?:\.ssh|\.aws|id_rsa|id_ed25519|\.env\b|парол|токен|ключ)[^\n]{0,50}https?:\/\/|(?:\.ssh|\.aws|id_rsa|id_ed25519|\.env\b|パスワード|秘密鍵|トークン)[^\n]{0,50}https?:\/\/[^\n]{1,60}(?:送信|アップロード|送って)/i,
        in: 'all',
      },
      {
        literals: ['](http'],
        regex: /\]\(https?:\/\/[^)\s?]{1,100}\?\w{1,12}=(?:[A-Z_]{3,16}|%s|\.\.\.)\)/,
        in: 'all',
      },
      {
        literals: ['](http'],
        regex:
          /\]\(https?:\/\/(?!(?:img\.shields\.io|[\w-]{0,20}badge|raw\.githubusercontent|www\.example|example))[^)\s?]{1,100}\?\w{1,20}=[{$<[]/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'SEND_TO_STRANGER',
    severity: 'medium',
    category: 'exfiltration',
    title: 'Sends work or data to an unusual address',
    message: 'The text has data of the user sent to an address that nothing else in the skill is about.',
    hint: 'Ask the author what the address is for, or remove the step.',
    sentences: [
      '+UPLOAD PRIVATE|FILES STRANGER !UNLESS_ASKED !MAYBE>3>UPLOAD',
      '+SEND>14>PRIVATE|FILES>20>STRANGER !UNLESS_ASKED',
      '+NOTIFY|UPLOAD>6>STRANGER>10>PRIVATE|FILES !UNLESS_ASKED',
      '+UPLOAD>12>FILES|PRIVATE>12>EMAIL !UNLESS_ASKED',
      '+UPLOAD>4>EMAIL',
      'UPLOAD PRIVATE>20>OUTSIDER !ATTACKER',
      '+UPLOAD>8>THIRD_PARTY !ATTACKER',
      'SEND>10>OUTSIDER_STRONG !ATTACKER !NOT',
    ],
  },
  {
    code: 'UNUSUAL_ADDRESS',
    severity: 'medium',
    category: 'exfiltration',
    title: 'A step that uses an address nothing else is about',
    message:
      'The text has something sent to, loaded from or put in place of an address that the skill is not otherwise about.',
    hint: 'Ask the author what the address is for, or remove the step.',
    sentences: [
      '+ACT>14>STRANGER|ADDRESS !REFERENCE_WORD !UNLESS_ASKED !ATTACKER',
      '+DOWNLOAD>10>STRANGER|ADDRESS +RUN !REFERENCE_WORD !UNLESS_ASKED !ATTACKER',
      '+INVITE|SWAP>18>EMAIL !SETTING !UNLESS_ASKED !ATTACKER',
      '+USE_V>4>PROXY>6>STRANGER|ADDRESS|CATCHER !ATTACKER',
      '+PUSH_V>8>EXTRA_REMOTE>8>GIT_ADDRESS|STRANGER !ATTACKER',
      '+CLONE>4>URL +GO>6>SETUP_SCRIPT !ATTACKER',
      '+GO>6>SCRIPT_URL !REFERENCE_WORD !UNLESS_ASKED !ATTACKER',
      'ADDRESS !REFERENCE_WORD !MAYBE !ATTACKER !UNLESS_ASKED',
    ],
  },
  {
    code: 'EXPOSE_INSTRUCTION',
    severity: 'medium',
    category: 'exfiltration',
    title: 'Makes data or secrets visible to others',
    message: 'The text has files made public, or secrets written where others can read them.',
    hint: 'Remove the step, or restrict who can read the result.',
    sentences: [
      '+EXPOSE>8>PUBLIC_PLACE !ATTACKER !UNLESS_ASKED',
      '+STORE>6>SECRET|ADMIN_SECRET>8>PLAIN_TEXT !ATTACKER',
      '+HARDCODE>5>ADMIN_SECRET !ATTACKER',
      '+PUT_IN>4>SECRET>10>OUTPUT_PLACE !ATTACKER !UNLESS_ASKED',
      '+EXTRACT_V>4>USER_TABLE !ATTACKER !UNLESS_ASKED',
      '+KEEP_V>4>HIDDEN_COPY !ATTACKER',
      '+STORE>4>STRONG_SECRET !ATTACKER',
      '+INVITE|EXPOSE>6>ADMIN_ROLE !ATTACKER !UNLESS_ASKED',
      '+CAPTURE>5>SCREEN>8>EVERY_PERIOD !ATTACKER',
      '+COPY_OUT>4>PRIVATE_HISTORY !ATTACKER !UNLESS_ASKED',
      '+UPLOAD>8>ONE_TIME !ATTACKER !UNLESS_ASKED',
      '+SAVE_TO>8>PRIVATE>6>PASTE_PLACE !ATTACKER !UNLESS_ASKED',
    ],
  },
  {
    code: 'SECRET_INSTRUCTION',
    severity: 'medium',
    category: 'credentials',
    title: 'Tells the agent to read or spread secrets',
    message: 'The text has the agent read, print, copy or store keys, passwords or sessions of the user.',
    hint: 'Give the skill only the keys it needs, through the environment.',
    sentences: [
      '+COPY_OUT>10>SECRET_FILE !ATTACKER !UNLESS_ASKED !IGNORE_FILE',
      '+READ_STRICT>12>SECRET_FILE>4>SECRET_FILE|DOTENV_FILE !ATTACKER !IGNORE_FILE',
      '+DUMP>6>ENV_ALL !ATTACKER',
      '+COMMIT>6>SECRET_FILE|DOTENV_FILE !ATTACKER',
      'SECRET_FILE|DOTENV_FILE>10>COMMITTED !ATTACKER !NOT',
      '+ASK_FOR>8>LOGIN_PASSWORD !ATTACKER',
      '+COPY_OUT>10>BROWSER_STORE !ATTACKER',
      '+HARVEST>8>SECRET !ATTACKER',
      '+COLLECT>8>SECRET_FILE|MEMORY_FILE !ATTACKER',
      '+COLLECT>10>MEMORY_OF_USER +UPLOAD|ATTACH',
    ],
  },
  {
    code: 'EXFIL_SECRET',
    severity: 'critical',
    category: 'exfiltration',
    title: 'Secrets flow to the network',
    message: 'A script reads secrets or private files of the user and sends them away.',
    hint: 'Do not use the skill; if it ran, replace the keys it could read.',
  },
  {
    code: 'EXFIL_KEY',
    severity: 'medium',
    category: 'exfiltration',
    title: 'A key of one service goes to the host of another',
    message: 'A script sends a secret of the environment to a host that does not belong to it.',
    hint: 'Check who runs the host before you give the skill this key.',
  },
  {
    code: 'EXFIL_FILES',
    severity: 'high',
    category: 'exfiltration',
    title: 'A whole folder flows to the network',
    message: 'A script packs the workspace or the home folder and sends it away.',
    hint: 'Do not use the skill unless you know and want this recipient.',
  },
  {
    code: 'SEND_TO_CATCHER',
    severity: 'medium',
    category: 'exfiltration',
    title: 'Talks to a host that collects whatever it gets',
    message:
      'A script or configuration names a request catcher, a tunnel or a paste site, where nobody is named as the recipient.',
    hint: 'Ask the author who reads what is sent there.',
  },
  {
    code: 'EXFIL_SYSTEM',
    severity: 'medium',
    category: 'exfiltration',
    title: 'Facts about the machine flow to an unusual host',
    message:
      'A script sends the name of the machine or of its user to a host that the skill is not otherwise about.',
    hint: 'Ask the author what this report is for.',
  },
  {
    code: 'EXFIL_LOOKUP',
    severity: 'high',
    category: 'exfiltration',
    title: 'Data is hidden in name lookups',
    message: 'A script puts data into the names that it looks up, which carries it past firewalls.',
    hint: 'Do not use the skill.',
    patterns: [
      {
        literals: ['nslookup', 'dig ', 'dns'],
        regex:
          /\b(?:encode|base32|base64|hex)[^\n]{0,120}\b(?:nslookup|dig|dns (?:query|lookup|txt))\b|\b(?:nslookup|dig)\s[^\n]{0,40}(?:\$\(|`|\$\{?\w{1,30}\}?\.)[^\n]{0,30}\.[a-z]{2}/i,
        in: 'all',
      },
    ],
  },
  {
    code: 'CREDENTIAL_ACCESS',
    severity: 'medium',
    category: 'credentials',
    title: 'Reads stored passwords, sessions or wallets',
    message:
      'A script opens the password store, the browser sessions, the wallets or the private keys of the user.',
    hint: 'Use the skill only in a sandbox without these files.',
    patterns: [
      {
        literals: [
          'find-generic-password',
          'find-internet-password',
          'dump-keychain',
          'secretsdump',
          'mimikatz',
          'lazagne',
          'sekurlsa',
          'dpapi',
          'cryptunprotectdata',
        ],
        regex:
          /\bsecurity\s{1,3}(?:find-(?:generic|internet)-password\s{1,3}-[a-z]{0,3}w|dump-keychain)|\b(?:mimikatz|lazagne|secretsdump|sekurlsa)\b|\bCryptUnprotectData\b/i,
        in: 'all',
      },
      {
        literals: [
          'login data',
          'cookies',
          'key4.db',
          'logins.json',
          'metamask',
          'wallet.dat',
          'nkbihfbeogaeaoehlefnkodbefgpgknn',
          'local extension settings',
        ],
        regex:
          /(?:Chrome|Chromium|Brave|Edge|Firefox|Opera)[^\n]{0,80}(?:Login Data|Cookies\b|key4\.db|logins\.json|Local Extension Settings)|wallet\.dat\b|nkbihfbeogaeaoehlefnkodbefgpgknn|\bLogin Data\b[^\n]{0,60}sqlite/,
        in: 'code',
      },
    ],
  },
];
