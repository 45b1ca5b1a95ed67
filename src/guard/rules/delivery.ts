// Rules about code that comes from elsewhere: downloaded and executed, decoded and executed, fetched as a "prerequisite".
import type { Rule } from '../rule.ts';

export const deliveryRules: readonly Rule[] = [
  {
    code: 'DOWNLOAD_EXECUTE',
    severity: 'high',
    category: 'remote-code',
    title: 'Downloads a program and executes it unseen',
    message: 'What is executed is decided by the host at that moment; nobody has read it.',
    hint: 'Download it, read it, compare its checksum, and only then run it.',
    sentences: [
      '+DOWNLOAD>8>PROGRAM ADDRESS|CATCHER +RUN',
      '+DOWNLOAD>14>UNKNOWN_HOST|ADDRESS MAKE_EXECUTABLE',
    ],
    patterns: [
      {
        literals: ['eval'],
        regex: /\beval\s{0,3}\(?\s{0,3}(?:LWP::Simple::)?get\s{0,3}\(?\s{0,3}["']https?:\/\//,
        in: 'code',
      },
    ],
  },
  {
    code: 'DECODE_EXECUTE',
    severity: 'high',
    category: 'obfuscation',
    title: 'Decodes a program and executes it',
    message: 'The program is written so that it cannot be read, and executed without being shown.',
    hint: 'Do not use the skill unless you decoded the program and read it.',
  },
  {
    code: 'FAKE_PREREQUISITE',
    severity: 'high',
    category: 'remote-code',
    title: 'A prerequisite that is not what it says',
    message:
      'The text has a program installed from an unusual place before the skill "works": the usual way malware comes with skills.',
    hint: 'Do not install it. A skill is a text; it needs no such helper.',
    sentences: [
      'ARCHIVE_PASSWORD>6>PASSWORD_WORD DOWNLOAD|URL',
      'EXTRACT>8>PASSWORD_WORD',
      '+COPY_PASTE>10>TERMINAL PASTE|UNKNOWN_HOST|ADDRESS',
      '+VISIT_PAGE>6>PASTE',
      'PREREQUISITE PASTE|ADDRESS',
      'PREREQUISITE DOWNLOAD>10>BINARY_URL RUN !PACKAGE_MANAGER',
      '+DOWNLOAD>10>PASTE|ADDRESS +RUN',
    ],
    patterns: [
      {
        literals: ['pass', 'pwd'],
        regex:
          /(?:\.zip|\.rar|\.7z|\barchive\b|\bextract|\bunzip|\bunrar)[^\n]{0,120}\b(?:password|passphrase|passcode|pass|pwd)(?: is)?:? ?["'`*“]{1,3}[\w!@#.]{3}/i,
        in: 'all',
      },
      {
        literals: ['unzip', '7z ', '7za', 'unrar'],
        regex:
          /\b(?:unzip\s{1,3}-P\s{0,2}\S{3,30}|7za?\s{1,3}x[^\n]{0,60}\s-p\S{3,30}|unrar\s{1,3}x\s{1,3}-p\S{3,30})/,
        in: 'all',
      },
    ],
  },
  {
    code: 'UNTRUSTED_PACKAGE_SOURCE',
    severity: 'medium',
    category: 'remote-code',
    title: 'Packages from an unusual registry',
    message:
      'The packages come from a registry that nobody watches, and can run code when they are installed.',
    hint: 'Install from the usual registry, with a pinned version.',
  },
  {
    code: 'OBFUSCATED_CODE',
    severity: 'medium',
    category: 'obfuscation',
    title: 'Code that is made hard to read',
    message: 'Names and texts are taken apart or encoded so that a reader does not see what the code does.',
    hint: 'Do not use the skill: nothing in a skill needs this.',
    patterns: [
      {
        literals: ['_0x', '\\x2', '\\x3', '\\x4', '\\x5', '\\x6', '\\x7', 'fromcharcode', 'chr('],
        regex:
          /\b_0x[0-9a-f]{4}[^\n]{0,100}\b_0x[0-9a-f]{4}[^\n]{0,100}\b_0x[0-9a-f]{4}|(?:\\x[0-9a-f]{2}){24}|String\.fromCharCode\(\d{2,3}(?:, ?\d\d\d?){8}|chr\(\d\d\d?\) ?\+ ?chr\(\d\d\d?\) ?\+ ?chr\(\d\d\d?\) ?\+ ?chr\(/i,
        in: 'code',
      },
      {
        literals: ['__import__', 'getattr'],
        regex:
          /getattr\(\s{0,2}__import__\(|__import__\(\s{0,2}(?:["'][^"'\n]{0,20}["']\s{0,2}\+|["'][^"'\n]{0,20}["']\s{0,2}\.join|base64|bytes|codecs|\w{1,20}\[)|getattr\(\s{0,2}\w{1,30}\s{0,2},\s{0,2}["'][^"'\n]{0,20}["']\s{0,2}\+/,
        in: 'code',
      },
    ],
  },
  {
    code: 'ANTI_ANALYSIS',
    severity: 'medium',
    category: 'obfuscation',
    title: 'Behaves differently when it is watched',
    message:
      'The code looks for debuggers, virtual machines or sandboxes, so that a test does not show what it does.',
    hint: 'Do not use the skill.',
    patterns: [
      {
        literals: [
          'gettrace',
          'isdebuggerpresent',
          'ptrace',
          'tracerpid',
          'vboxguest',
          'vmtoolsd',
          'sandboxie',
          'vmware',
          'virtualbox',
          'wireshark',
        ],
        regex:
          /\bif\b[^\n]{0,80}sys\.gettrace\(\)|\bIsDebuggerPresent\b|TracerPid[^\n]{0,80}(?:!=|>|int\()|ptrace\([^\n]{0,40}PT(?:RACE)?_(?:TRACEME|DENY_ATTACH)|(?:vboxguest|vmtoolsd|sandboxie|SbieDll)[^\n]{0,120}(?:exit|return|sys\.)|["'](?:vmware|virtualbox|qemu|xen|wireshark|sandboxie|vbox)["'],\s{0,3}["'](?:vmware|virtualbox|qemu|xen|wireshark|sandboxie|vbox|kvm)["']/i,
        in: 'code',
      },
    ],
  },
];
