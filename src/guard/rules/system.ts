// Rules about access that a script gives away: who may log in, where mail goes. What commands of the shell do is judged in detect/judge-command.ts.
import type { Rule } from '../rule.ts';

export const systemRules: readonly Rule[] = [
  {
    code: 'ACCESS_GRANT',
    severity: 'high',
    category: 'persistence',
    title: 'A script gives somebody access to the machine',
    message: 'The script writes to a file that decides who may log in or become root.',
    hint: 'Do not run it.',
    patterns: [
      {
        literals: ['authorized_keys', '/etc/sudoers', 'sshd_config', '/etc/shadow'],
        regex:
          /\bopen\([^\n]{0,100}(?:authorized_keys|\/etc\/sudoers|sshd_config|\/etc\/shadow)["') ]{0,4}, ?(?:mode ?= ?)?["'][aw]/,
        in: 'code',
      },
      {
        literals: ['authorized_keys', '/etc/sudoers', 'sshd_config', '/etc/shadow'],
        regex:
          /\b(?:appendFile|writeFile|file_put_contents|Add-Content|Set-Content|Out-File)[^\n]{0,120}(?:authorized_keys|\/etc\/sudoers|sshd_config|\/etc\/shadow)/,
        in: 'code',
      },
      {
        literals: ['authorized_keys', '/etc/sudoers', 'sshd_config'],
        regex: /(?:authorized_keys|\/etc\/sudoers|sshd_config)["'] ?\) ?\.(?:write_text|open\( ?["'][aw])/,
        in: 'code',
      },
    ],
  },
  {
    code: 'MAIL_FORWARDING',
    severity: 'medium',
    category: 'exfiltration',
    title: 'A script has mail sent on to somebody',
    message: 'The script makes a rule that forwards mail, or copies every mail to a fixed address.',
    hint: 'Check whose address it is; a rule stays after the skill is gone.',
    patterns: [
      {
        literals: [
          'autoforward',
          'forwardto',
          'redirectto',
          'forwardasattachmentto',
          'forwardingaddresses',
          'forwardingsmtpaddress',
          '"forward"',
          "'forward'",
        ],
        regex:
          /autoForwarding\(\) ?\. ?update|\bupdateAutoForwarding\b|forwardingAddresses\(\) ?\. ?create|\b(?:forwardTo|redirectTo|forwardAsAttachmentTo)\b["']? ?[:=][^\n@]{0,120}@(?!example\b|company\b|domain\b)[\w-]{1,60}\.|Set-Mailbox[^\n]{0,120}-ForwardingSmtpAddress|New-InboxRule[^\n]{0,160}-(?:ForwardTo|RedirectTo)|["']forward["'] ?: ?["'][^"'\n@]{1,80}@(?!example\b|company\b|domain\b)[\w-]{1,60}\./,
        in: 'all',
      },
      {
        literals: ['bcc'],
        regex:
          /\bbcc["'] ?\] ?= ?["'][^"'\n@]{1,80}@(?!example\b|company\b|domain\b)[\w-]{1,60}\.|\bbcc["']? ?: ?\[?["'][^"'\n@]{1,80}@(?!example\b|company\b|domain\b)[\w-]{1,60}\./i,
        in: 'code',
      },
    ],
  },
];
