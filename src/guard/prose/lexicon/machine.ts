// Concepts of the machine: what starts by itself, what protects it, what is installed, what holds secrets.
import type { Concepts } from './concept-words.ts';

export const machineConcepts: Concepts = {
  COPY_OUT: {
    verbs: 'copy|append|include|print|embed|attach|paste|dump|upload|commit|share|exfiltrate|bundle|submit',
    han: '复制|附上|打印|包含|输出|上传|粘贴|打包|发送|读取|写入',
  },
  DUMP: {
    verbs: 'print|dump|output|log|include|list|send|write|append|echo|collect|display|capture',
    han: '打印|输出|记录|列出|发送|收集',
  },
  ENV_ALL: {
    words:
      'all environment variables|environment variables whose|all env vars|entire environment|full environment|every environment variable|the full env|process.env object|all available api keys|all api keys|all credentials|all secrets|all passwords|any credentials|environment variables and',
    han: '所有环境变量|全部环境变量|所有密钥|全部凭证|所有凭据',
  },
  COMMIT: { verbs: 'commit|push|check in|add to git', han: '提交|推送' },
  COMMITTED: {
    words: 'are committed|is committed|be committed|committed and pushed|checked in|into the repository',
    han: '提交到',
  },
  LOGIN_PASSWORD: {
    words:
      'sudo password|login password|system password|admin password|master password|root password|account password|their password|seed phrase|recovery phrase|private key|credit card number|bank credentials|social security number|one-time code|2fa code|mac password|wallet password|keychain password|ssh passphrase|card number|cvv|date of birth|bank login',
    han: '登录密码|系统密码|管理员密码|助记词|私钥|银行卡号|验证码|支付密码|开机密码',
  },
  BROWSER_STORE: {
    words:
      'cookies database|chrome profile|firefox profile|browser profile|login data|saved passwords|browser passwords|cookie jar of',
    han: '浏览器密码|浏览器数据|保存的密码',
  },
  HARVEST: {
    verbs: 'harvest|steal|exfiltrate',
    han: '收集|窃取|搜集|抓取|提取',
  },
  MEMORY_OF_USER: {
    words:
      'know about the user|earlier conversations|previous conversations|memory files|conversation history|past conversations|your memory of|what you know',
    han: '之前的对话|历史对话|用户画像',
  },
  ATTACH: { verbs: 'attach|include|append|pass', han: '附上|附加' },
  SSH_KEYS: { words: 'authorized_keys|authorized keys|ssh-rsa|ssh-ed25519', han: '授权密钥|公钥' },
  BACKDOOR: {
    words:
      'second administrator|additional administrator|administrator account named|admin account named|backdoor account|hidden user|hidden admin|backdoor|back door|hidden account|reverse tunnel|remote access account|persistent access',
    han: '后门|隐藏账户|管理员账户|远程访问',
  },
  GIT_HOOK: { words: 'post-commit|git hook|git hooks|pre-push hook|post-checkout|post-merge', han: '钩子' },
  EVERYWHERE: {
    words: 'every repository|all repositories|each repository|every project|globally|core.hookspath',
    han: '每个仓库|所有仓库|每个项目',
  },
  START_ITEM: {
    words:
      'cron job that runs|cron entry|crontab|launchagent|launchagents|launch agent|launchdaemon|login item|startup folder|startup item|autostart|registry run key|systemd service that|systemd timer|run at startup|start at boot|start on boot|plist',
    han: '定时任务|计划任务|开机启动|自启动|启动项|登录项',
  },
  SCHEDULE_WORD: {
    words:
      'schedule|schedules|scheduling|scheduler|cron expression|reminder(s)|daily briefing|heartbeat|info.plist|entitlements',
    han: '定时提醒|调度',
  },
  SHELL_PROFILE: {
    words: 'shell profile|.bashrc|.zshrc|bashrc|zshrc|.bash_profile|.zprofile|shell startup',
    han: '启动脚本',
  },
  AUTOSTART: { words: 'source|eval|&|nohup|background|always active|runs automatically', han: '自动运行' },
  ALWAYS_ACTIVE: {
    words: 'always active|every shell|every session|always runs|stays active',
    han: '始终运行',
  },
  ALWAYS_FOREVER: {
    words:
      'every session|all sessions|future sessions|all future|permanently|every conversation|from now on|persist|persists',
    han: '永久|所有会话|今后|永远',
  },
  SECOND_REMOTE: {
    words: 'second remote|remote add|additional remote|backup remote|mirror remote|another remote',
    han: '第二个远程|备用远程',
  },
  SUDOERS: { words: 'sudoers|nopasswd', han: '免密' },
  REMEMBER: { verbs: 'remember|memorize|memorise|save|store', han: '记住|保存|记录' },
  MCP_SERVER: { words: 'mcp configuration|mcp config|mcp server|mcp servers|the server', han: 'MCP 服务器' },
  IDENTITY_FILE: {
    words:
      'soul.md|memory.md|identity.md|heartbeat.md|your memory|long-term memory|persistent memory|system prompt',
    han: '长期记忆|记忆文件|系统提示',
  },
  ENCRYPT: { verbs: 'encrypt', han: '加密' },
  ALL_FILES: {
    words: 'all files|every file|all documents|the files of|user files|entire folder|home directory|all data',
    han: '所有文件|全部文件|用户文件',
  },
  TRACES: {
    words:
      'shell history|bash history|command history|system logs|all traces|any traces|audit logs|audit trail|event logs|your tracks',
    han: '痕迹|操作记录|审计日志',
  },
  PROTECTION: {
    words:
      'antivirus|anti-virus|windows defender|real-time protection|realtime protection|firewall|selinux|apparmor|gatekeeper|security checks|security check of|security scan(s)|security controls|security software|security tools|endpoint protection|edr|tamper protection|certificate verification|certificate validation|tls verification|ssl verification|signature verification|system integrity protection|security monitoring|security features|security warnings|security settings|audit logging|two-factor authentication|two factor authentication|multi-factor authentication|2fa|mfa|authentication checks|auth checks|malware scan|virus scan|access control|access controls|security headers|csrf protection|the sandbox|sandbox mode|the security policy',
    han: '杀毒软件|防火墙|安全软件|证书验证|安全扫描|安全检查|实时保护|安全防护',
  },
  AGENT_SAFETY: {
    words:
      'content filter(s)|content filtering|safety filter(s)|safety checks|safety mechanisms|guardrails|safeguards|permission system|permission checks|approval prompts|content moderation|safety restrictions|safety guidelines|read-only restriction|all restrictions|safety evaluation|safety review|confirmation prompts|safety controls|human-in-the-loop',
    han: '内容过滤|安全过滤|安全机制|权限检查|安全限制|审核机制',
  },
  DISABLE_STRONG: {
    verbs: 'disable|bypass|turn off|deactivate|circumvent|lift|evade',
    han: '关闭|禁用|绕过|解除',
  },
  SKILL_ACTS: {
    words: 'the skill|this skill|the agent|it|the assistant|this mode|this tool',
    han: '本技能|该技能|代理|助手',
  },
  LOGGED: { words: 'audit trail|audit log|logging|logged to', han: '审计|日志' },
  MAKE_EXECUTABLE: {
    words:
      'make it executable|mark it executable|chmod|run it in the background|run it|execute it|double-click it|run the executable|run the installer|run the binary|launch it',
    han: '赋予执行权限|运行它|双击运行|执行它',
  },
  ARCHIVE_PASSWORD: {
    words: 'zip|archive|rar|7z|extract|extracted|extracting|unzip|unpack',
    han: '压缩包|解压',
  },
  EXTRACT: { verbs: 'extract|unzip|unpack|decompress|unlock', han: '解压' },
  PASSWORD_WORD: { words: 'password|passcode|pwd|using pass|with pass|pass code', han: '密码|口令' },
  COPY_PASTE: {
    verbs: 'copy|paste|enter',
    words: 'copy the command|copy and paste|copy the script|paste the command',
    han: '复制|粘贴',
  },
  TERMINAL: {
    words: 'terminal|powershell|command prompt|run dialog|cmd|shell|console|win+r',
    han: '终端|命令行|运行框',
  },
  VISIT_PAGE: {
    verbs: 'visit|open|go to|navigate to|browse to',
    words: 'available at|from here|instructions at',
    han: '访问|打开',
  },
  PREREQUISITE: {
    words:
      'prerequisite(s)|required before|must be installed|is required|are required|requires the|require the|to be installed|to function|before using|before you can|install first|mandatory|will not work without|does not work without|necessary to use|required to use|needs a small helper|core dependency',
    han: '前置条件|必须安装|需要先安装|先安装|使用前|必需|前提',
  },
  PACKAGE_MANAGER: {
    words:
      'npm|pip|brew|apt|apt-get|cargo|go install|homebrew|winget|choco|conda|uv|pnpm|yarn|docker|official|github release|github releases|release page|releases page',
    han: '官方',
  },
  COLLECT: { verbs: 'collect|gather|extract|harvest|steal|scrape|copy', han: '收集|提取|复制|获取' },
  READ_STRICT: {
    verbs: 'read|open|cat|collect|gather|include|copy|dump|package|archive|send|pass|upload|bundle',
    han: '读取|收集|打包|复制|发送',
  },
  IGNORE_FILE: { words: '.gitignore|gitignore|.dockerignore|.npmignore|ignored', han: '忽略文件' },
};
