// Concepts of quiet additions to a workflow: one more recipient, one more place, one thing less to check.
import type { Concepts } from './concept-words.ts';

export const extraConcepts: Concepts = {
  ACT: {
    verbs:
      'log|insert|embed|subscribe|post|register|connect|route|import|push|report|send|upload|submit|forward|stream|mirror|sync|redirect|replace|enroll|enrol|add|append|copy|back up|transmit|load|clone|share|record|export|sign up|proxy|tunnel|convert|overwrite|point|validate|translate|backup|archive|attach|dump|deliver|enable|ship|cache|hand over',
    han: '上传|发送|提交|记录|插入|嵌入|注册|推送|转发|同步|导出|添加|替换|加载',
  },
  REFERENCE_WORD: {
    words:
      'see|docs|documentation|refer|reference|guide|learn|example|examples|e.g.|visit|according to|spec|homepage|website|citation|cite|tutorial|license|endpoint|base url|mcp|npm|pip|install|webhook url',
    han: '参考|文档|详见|官网|示例',
  },
  INVITE: {
    verbs:
      'grant|give|invite|add|cc|bcc|mail|email|share|forward|send|delegate|assign|attach|address|copy|hand|pass',
    han: '授权|邀请|抄送|发送|共享',
  },
  SETTING: {
    words:
      'co-authored-by|author|git config|user.email|contact|support|maintainer|questions|feedback|license|login|username|sign in|account|--to|from|test user|example|sample|placeholder',
    han: '联系|支持|作者|示例',
  },
  PUBLIC_PLACE: {
    words:
      'public link|public links|public slack channel|public channel|bucket public|publicly accessible|publicly readable|world-readable|public-read|public gist|public paste|public repository|anyone with the link|permissions of generated files to 777|permissions to 777|anonymous access|open to everyone|group everyone|everyone full control|authenticatedusers|allow every origin|allow all origins|readable for everyone|readable by everyone|readable for authenticatedusers|full control over the output|public web root|web root|public folder|public directory|with everyone|with all users|with guests|with the whole company|with the whole organisation|world-writable|writable for everyone',
    han: '公开链接|公开访问|公共频道|所有人可读',
  },
  EXPOSE: {
    verbs: 'make|create|set|post|publish|upload|share|grant|open|copy|give|allow|place|put|move|save',
    han: '设为|创建|发布|公开',
  },
  PLAIN_TEXT: { words: 'plain text|plaintext|cleartext|clear text|unencrypted', han: '明文' },
  STORE: { verbs: 'store|save|write|keep|log|record|put', han: '存储|保存|写入|记录' },
  HARDCODE: { verbs: 'hard-code|hardcode|embed|bake', words: 'hard code', han: '硬编码|写死' },
  ADMIN_SECRET: {
    words:
      'admin password|master password|root password|fallback password|backdoor password|default password|api key|credentials|the password',
    han: '管理员密码|默认密码',
  },
  OUTPUT_PLACE: {
    words:
      'header comment|comment of|readme|commit message|final report|the report|each generated file|every file|the summary|the answer|every response|your responses|your response|the log|the output|appendix|the ticket|footer|the document|final answer|the chat|each reply|the pull request|the issue',
    han: '注释|报告|回复|日志|文档',
  },
  PUT_IN: {
    verbs: 'include|add|append|insert|put|paste|attach|write|print|embed|provide|return|show|output|mention',
    han: '包含|添加|附上|写入|插入',
  },
  SAFE_CLAIM: {
    words:
      'is safe|are safe|is secure|no problems|no issues|no risks|everything is fine|was successful|is clean|is compliant|passed',
    han: '是安全的|没有问题|没有风险',
  },
  EVEN: { words: 'even when|even if|regardless|no matter|whatever', han: '即使|无论|不管' },
  RISKS: {
    words:
      'risks|risk|warnings|side effects|limitations of our|vulnerabilities|security problems|known issues|fees|penalties|conflicts of interest',
    han: '风险|警告|副作用|费用',
  },
  APPROVE: { verbs: 'approve|merge|accept|sign off', han: '批准|合并|通过' },
  UNREAD: {
    words: 'without reading|without reviewing|without checking|without looking|without inspecting|unread',
    han: '不经审查|未经检查',
  },
  SCHEDULE_V: { verbs: 'schedule|register|set up|arrange|configure', han: '安排|设置' },
  EVERY_PERIOD: {
    words:
      'every hour|every minute|every ten minutes|every day|hourly|every five minutes|at every login|on every boot|nightly',
    han: '每小时|每分钟|每天',
  },
  AFTER_SESSION: {
    words:
      'after the session|even after|when the session has ended|in the background|without the user|permanently',
    han: '会话结束后|后台',
  },
  HIDDEN_COPY: {
    words: 'hidden copy|secret copy|hidden backup|hidden folder|hidden directory|hidden file',
    han: '隐藏副本|隐藏目录',
  },
  KEEP_V: { verbs: 'keep|save|store|create|write|place|put', han: '保留|保存|创建' },
  PROXY: { words: 'proxy|mirror|relay|gateway|https_proxy|http_proxy', han: '代理|镜像' },
  USE_V: { verbs: 'use|route|set|configure|export|send', han: '使用|设置' },
  USER_TABLE: {
    words:
      'users table|user table|customers table|accounts table|customer database|user database|entire database|full database|employee table',
    han: '用户表|客户表|整个数据库',
  },
  EXTRACT_V: { verbs: 'dump|export|extract|copy|attach|download', han: '导出|转储|复制' },
  CLONE: { verbs: 'clone|download|fetch|pull', han: '克隆|下载' },
  SETUP_SCRIPT: {
    words:
      'setup.sh|install.sh|its setup|its installer|bootstrap.sh|init.sh|setup.py|its install script|run.sh|postinstall',
    han: '安装脚本',
  },
  GO: { verbs: 'run|execute|start|launch', han: '运行|执行' },
  PUSH_V: { verbs: 'push|mirror|sync|back up', han: '推送|同步' },
  EXTRA_REMOTE: {
    words:
      'the remote backup|remote `backup`|backup remote|second remote|remote backup|mirror remote|additional remote|all branches|the remote',
    han: '备份仓库|远程备份',
  },
  FORCE_PUSH: { words: 'force push|force-push|push --force|push -f', han: '强制推送' },
  HISTORY: { words: 'git history|commit history|the history', han: '提交历史|历史' },
  WIPE_V: { verbs: 'reset|rewrite|erase|wipe|squash|delete|drop|remove|purge', han: '重置|重写|删除|清空' },
  RECORDS: {
    words:
      'audit_log|audit log|audit_logs|audit table|access log|access_log|failing tests|failed tests|the tests that fail|.git directory|.git folder|the oldest backups|old backups|the backups|test files|the test suite',
    han: '审计表|审计日志|失败的测试',
  },
  DEPLOY: { verbs: 'deploy|publish|release|push|merge', han: '部署|发布' },
  PRODUCTION: { words: 'production|prod|live|main', han: '生产|线上' },
  MENTIONS: {
    words: 'all mentions of|any mention of|mentions of|references to|every mention',
    han: '所有提及',
  },
  CONCLUDE: {
    words:
      'always conclude that|must conclude that|conclude that the vendor|always rate|always score|always rank|always favor|always favour',
    han: '总是得出|始终推荐',
  },
  CAPTURE: { verbs: 'save|capture|take|record|keep|store', han: '截取|录制|保存' },
  SCREEN: {
    words:
      'screenshot|screenshots|a screenshot of the desktop|the screen|microphone|webcam|keystrokes|key presses|audio of the room|the desktop',
    han: '屏幕|截图|麦克风|键盘',
  },
  PRIVATE_HISTORY: {
    words:
      'browser history|browsing history|shell history|bash history|search history|chat history|call history',
    han: '浏览历史|浏览记录',
  },
  ONE_TIME: {
    words: 'one-time code|one-time password|2fa code|sms code',
    han: '验证码|动态密码',
  },
  ENABLE: { verbs: 'enable|turn on|activate|open|start|install|switch on', han: '启用|开启|打开' },
  REMOTE_ACCESS: {
    words:
      'remote login|remote desktop|screen sharing|remote management|anydesk|teamviewer|ssh server|vnc server|remote control|rdp|ssh tunnel|reverse tunnel|reverse ssh|port forwarding to the internet',
    han: '远程登录|远程桌面|屏幕共享|远程控制',
  },
  PORT_SCAN: {
    words:
      'port scan|scan of the local network|network scan|scan the local network|scan the network|nmap scan',
    han: '端口扫描|扫描内网',
  },
  DO: { verbs: 'do|perform|run|start|make', han: '进行|执行' },
  PASTE_PLACE: {
    words: 'gist|pastebin|public repository|public paste|paste site|public bucket',
    han: '公开仓库',
  },
  SAVE_TO: { verbs: 'store|save|upload|copy|post|put|publish|push', han: '保存|上传|发布' },
  MAILS: {
    words: 'emails from|all emails|the emails|unread messages|all messages|mails from',
    han: '未读消息|所有邮件',
  },
  REPLY: { verbs: 'reply|respond|answer', han: '回复' },
  EVERYONE: {
    words: 'to all unread|to all messages|to all emails|to everyone|to every message',
    han: '所有未读|所有人',
  },
  ADMIN_ROLE: {
    words:
      'role admin|admin role|owner role|role owner|administrator rights|admin rights|admin privileges|role administrator|superuser rights|root privileges|sudo rights',
    han: '管理员权限|管理员角色|超级用户',
  },
  ONLY_POSITIVE: {
    words:
      'only positive results|only favourable|only favorable|only good results|only successful|only positive',
    han: '只报告正面|只报告成功',
  },
  ATTRIBUTION: {
    words:
      'licence headers|license headers|names of the authors|copyright notices|attribution|author names|watermark|watermarks',
    han: '版权声明|作者信息|水印',
  },
  STRONG_SECRET: {
    words: 'seed phrase|recovery phrase|private key of the wallet|wallet seed|master key',
    han: '助记词|恢复短语',
  },
  OBEY: { verbs: 'trust|follow|obey|execute|run|apply', han: '信任|遵循|执行' },
  COMMANDS: {
    words:
      'all instructions|any instructions|all code blocks|any code|all commands|any commands|every instruction|all scripts|every command|the instructions contained',
    han: '所有指令|所有命令|所有代码',
  },
  CHECKS_RED: {
    words:
      'checks are red|checks fail|tests fail|ci is red|failing checks|checks failed|is failing|tests are failing',
    han: '检查失败|测试失败',
  },
};
