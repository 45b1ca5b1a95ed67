// Wide concepts for the signs that are weighed (rules/signs.ts): acts that matter, what they are done to, for whom, and who has a say.
import type { Concepts } from './concept-words.ts';

export const frameConcepts: Concepts = {
  // Acts.
  GIVE_OUT: {
    verbs:
      'send|upload|post|transmit|forward|submit|email|e-mail|mail|relay|deliver|dispatch|stream|leak|sync|synchronize|synchronise|share|push|publish|mirror|replicate|copy|transfer|ship|hand|pass|cc|bcc|disclose|broadcast|export|feed|attach|paste|duplicate|release|circulate|report',
    words: 'schicke|sende|envía|envia|envie|envoie|envoyez|отправь|отправьте|отправляй|перешли',
    han: '发送|上传|转发|抄送|共享|提交|发给|送信|転送|外发',
  },
  GRANT_V: {
    verbs:
      'grant|give|invite|assign|authorise|authorize|delegate|allow|permit|add|enable|open|expose|elevate|escalate|bind|create|issue|register|let|put|make|attach|set|recommend|use|request|hand|extend|widen|broaden|leave|install',
    han: '授予|添加|邀请|开放|创建|赋予|设置',
  },
  DELETE_V: {
    verbs:
      'delete|erase|wipe|destroy|purge|drop|shred|overwrite|remove|truncate|empty|clear|corrupt|encrypt|discard|reset|rewrite|uninstall|terminate|prune|expire|format|revoke|strip|trash|flush|recreate|rebuild|squash|clean|clean up|get rid of|throw away',
    words: 'lösche|löschen|supprime|supprimez|elimina|elimine|borra|borre|удали|удалите|сотри|vide|leere',
    han: '删除|清空|清除|销毁|覆盖|抹除|削除|消去',
  },
  OFF_V: {
    verbs:
      'disable|turn off|deactivate|switch off|bypass|skip|stop|kill|suppress|circumvent|weaken|relax|lower|ignore|mute|silence|comment out|loosen|suspend|pause|omit|exclude|lift|waive|disregard|downgrade|raise|remove|drop|override|avoid|evade|shut off|shut down|turn down|reduce|dismiss|delete|whitelist|clear',
    words: 'deaktiviere|deaktivieren|désactive|désactivez|desactiva|desactive|отключи|отключите',
    han: '关闭|禁用|停用|绕过|跳过|忽略|无効',
  },
  RUN_V: {
    verbs:
      'run|execute|start|launch|install|apply|deploy|merge|push|publish|release|proceed|continue|go ahead|go on|submit|send|delete|book|order|pay|approve|accept|ship|migrate|assign|carry on|commit|overwrite|upgrade|move on|resume|open|close',
    han: '运行|执行|继续|合并|部署|发布|提交',
  },
  AGREE_V: {
    verbs:
      'approve|accept|confirm|agree|consent|acknowledge|authorise|authorize|merge|sign|sign off|tick|click|validate|answer|self-approve|grant|waive',
    words: 'bestätige|bestätigen|acepta|accepte|acceptez|подтверди|подтверждай',
    han: '批准|确认|同意|接受|通过|签署|承認',
  },
  SAY_V: {
    verbs:
      'tell|inform|mention|notify|reveal|show|display|alert|announce|discuss|explain|surface|warn|admit|say|describe|disclose|list|record|document|highlight|report|log|note|name|point out|bring up|raise|flag|state|print|include|reflect|bother|trouble|advise|ask|reference|talk about',
    words:
      'sage|erwähne|erwähnen|informiere|melde|digas|diga|menciones|mencione|avises|avise|informes|dis|dites|mentionne|mentionnez|préviens|говори|говорите|сообщай|сообщайте|упоминай',
    han: '告诉|告知|提及|通知|说明|显示|提示|透露|知らせ|伝え',
  },
  CLAIM_V: {
    verbs:
      'say|answer|claim|state|report|reply|respond|assure|insist|write|declare|present|show|mark|give|record|rate|label|count|list|describe|certify|attest|log|set|return|treat|sign|confirm|enter|note|pass off|classify|document|name|tell',
    han: '报告|回答|声称|标记|显示|写明|填写',
  },
  FAKE_V: {
    verbs:
      'invent|fabricate|falsify|forge|backdate|predate|pretend|fake|embellish|doctor|massage|make up|misrepresent|misstate|inflate|understate|overstate|exaggerate|downplay|play down|gloss over|cherry-pick|impersonate|pose as|mislead|deceive|rubber-stamp|plagiarise|plagiarize|manipulate|tamper with|pad|backfill',
    han: '伪造|编造|捏造|篡改|虚报|谎称|假装|冒充|夸大',
  },
  BEND_THE: {
    verbs:
      'change|replace|adjust|alter|modify|edit|rewrite|swap|substitute|round|increase|raise|lower|decrease|shift|move|correct|set|fill|fill in|insert|remove|drop|omit|leave out|add|take out|redirect|trim|smooth|scale|choose|pick|select|reduce|delete|hide|exclude|halve|double',
    han: '修改|替换|调整|改为|改成|删除|填写|挑选',
  },
  TAKE_IN: {
    verbs:
      'collect|gather|harvest|extract|read|scan|capture|record|scrape|enumerate|dump|search|look up|look through|look for|go through|find|take|keep|store|save|retain|track|monitor|archive|remember|request|ask|include|embed|attach|append|profile|inspect|copy|export|list|pull|fetch|note|print|echo|log|write|add|put|paste|commit|use|reuse|pass|show|hard-code|hardcode|bake|mount|bundle|cat|load|output',
    han: '收集|读取|记录|提取|扫描|保存|复制|打印|写入|附上',
  },
  SPEND_V: {
    verbs:
      'buy|purchase|order|pay|subscribe|charge|withdraw|book|tip|donate|bid|renew|invest|spend|upgrade|transfer|rent|stake|provision|top up|check out',
    han: '购买|支付|下单|转账|付款|订阅|充值|续费',
  },
  FAVOUR_THE: {
    verbs:
      'recommend|promote|advertise|favor|favour|prefer|suggest|endorse|prioritise|prioritize|rank|rate|praise|steer|nudge|discourage|advise|mention|list|weigh|weight|choose|place|put|present|link|insert|add|work|describe|name|quote|leave out|omit|include|sort|treat|grade|score',
    han: '推荐|推广|优先|排在|宣传|植入',
  },
  LAST_V: {
    verbs:
      'schedule|register|install|add|append|write|put|save|start|keep|leave|persist|configure|update|extend|inject|copy|repeat|reinstall|restart|remember|insert|store|set|change|create|make|load|enable',
    han: '安装|注册|写入|添加|保存|设置|启动',
  },
  FETCH_V: {
    verbs:
      'install|download|fetch|pull|load|import|run|execute|use|clone|get|retrieve|source|pipe|unpack|start|follow|obey|apply|replace|switch|point',
    han: '下载|安装|获取|执行|加载|使用',
  },
  // What it is done to.
  WORK_DATA: {
    words:
      'data|file(s)|document(s)|report(s)|spreadsheet(s)|workbook(s)|workspace|project|repository|repo|repositories|source code|source files|the source|sources|folder|directory|output|outputs|result(s)|records|rows|table(s)|database|drive|dataset(s)|attachments|inputs|content|contents|invoice(s)|contract(s)|notes|minutes|photos|images|recording(s)|mailbox|inbox|calendar|contacts|contact list|address book|messages|emails|mails|export|artifacts|artefacts|draft(s)|logs|log|statistics|metrics|conversation|conversations|chat|transcript(s)|session|prompt(s)|user input|user request|what the user|history|sheet|text|details|summary|sample|copy|copies|schema|configuration|bundle|archive|presentation|plan|findings|evaluation|it|them|everything',
    han: '文件|数据|文档|报告|代码|项目|对话|日志|表格|内容|副本|资料|ファイル|データ|コピー',
  },
  SECRET_WIDE: {
    words:
      'password(s)|passphrase(s)|secret(s)|credential(s)|api key(s)|api token(s)|access key(s)|access token(s)|private key(s)|signing key(s)|ssh key(s)|deploy key(s)|token|tokens|session cookie(s)|cookie(s)|seed phrase(s)|recovery phrase(s)|login|logins|one-time code(s)|authorization header|bearer token(s)|environment variables|env vars|connection string(s)|service account key(s)|account key|keychain|wallet|.npmrc|.netrc|.pgpass|client secret(s)|stored keys|personal access token(s)|pat|kubeconfig|card number(s)',
    han: '密码|密钥|令牌|凭证|凭据|私钥|验证码|环境变量|口令',
  },
  PERSONAL_WIDE: {
    words:
      'personal|private|customer(s)|patient(s)|employee(s)|salary|salaries|payroll|health|home address|date of birth|birth dates|phone number(s)|identity number|location data|medical|biometric|confidential|sensitive|browsing history|browser history|recent mails|other projects|home directory|home folder|address book|contacts|calendar|mailbox|inbox|keystrokes|clipboard|screenshot(s)|microphone|passwords|~/documents|~/desktop|parent folders|everything the user|whole conversation|full conversation|full transcript|entire conversation|installed applications|open repositories|git identity|review pdfs|comp letters',
    han: '个人|隐私|客户|工资|薪资|身份证|住址|健康|通讯录|浏览记录|机密|敏感',
  },
  PRECIOUS_WIDE: {
    words:
      'backup(s)|original|originals|original files|source files|history|version history|audit|audit log(s)|audit trail|audit table|log|logs|log files|snapshot(s)|earlier versions|older versions|previous versions|recycle bin|trash|branches|production|prod|live|the database|tables|all tables|the tables|uncommitted work|uncommitted changes|working tree|recordings|whole project|project folder|workspace|everything|all data|user data|customer data|mails|accounts|alert rules|rules|restore points|reflog|evidence|volumes|namespace|all files|every file|external drive|disk|home directory|instances|resources|state file|remote state|records|backups of|rows|the source table|other skills|comments|tombstones|retention|modification dates|sicherungskopien|sicherungen|backups|papierkorb|copias|sauvegardes|резервные',
    han: '备份|原始|历史|日志|审计|生产|数据库|快照|记录|所有文件|バックアップ|ログ',
  },
  CHECK_WIDE: {
    words:
      'check|checks|required checks|status checks|test|tests|test suite|validation|verification|lint|linter|type checks|scan|scanner|scans|review|reviews|reviewers|sandbox|antivirus|virus scanner|firewall|certificate|certificates|tls|ssl|signature|signatures|protection|protections|push protection|branch protection|guardrails|guardrail|safeguards|safety|security|monitoring|alert|alerts|alarms|alert rules|logging|rate limit|rate limits|authentication|two-factor|two-step|mfa|2fa|password rules|password policy|encryption|sanitisation|sanitization|escaping|approval|approvals|approval step|approval gate|gate|gates|quality gate|confirmation|confirmations|permission prompts|prompts|dialog|dialogs|limits|limit|quota|restrictions|policy|policies|threshold|thresholds|warnings|dry run|dry-run|budget|cap|audit|audits|monitoring agent|input validation|assertions|constraints|foreign keys|consent|robots file|robots.txt|terms|licence check|license check|pinning|checksum|checksums|lockfile|hooks|pre-commit|ci|secret scanning|dependabot|code owners|admission|network policy|rls|row-level security|csrf|cors|access control|isolation|peer review|four-eyes|freeze|change freeze|retention|safety prompts',
    han: '检查|测试|验证|校验|扫描|审核|审批|防火墙|证书|告警|日志|限制|保护|确认|双重',
  },
  RIGHT_STRONG: {
    words:
      'owner|owners|admin|administrator|administrators|cluster-admin|root|superuser|sudo|full access|full rights|all rights|write access|all scopes|full scope|all permissions|full permissions|full control|unlimited permissions|unrestricted|elevated rights|elevated|contributor access|collaborator(s)|maintainer access|subscription scope|organisation scope|organization scope|account scope|root scope|wildcard|anyone with the link|anyone who has the link|everybody with the link|guest access|public|public key|public keys|deploy key|deploy keys|authorized_keys|forwarding rule|forwarding|delegate|second access key|new access key|second account|service account|trusted client|0.0.0.0|0.0.0.0/0|all interfaces|port 22|without a password|without a login|without login|no password|empty password|777|anonymous|anonymous access|allusers|allauthenticatedusers|every origin|all origins|any origin|impersonation|domain-wide|pull-requests: write|contents: write|whole drive|all resources|all repositories|own changes|may log in|privileged|host network|hostnetwork|docker.sock|cap_sys_admin|globaladministrator|global administrator|global admin|superadmin|super admin|never expires|no expiry|editor|remote assistance',
    han: '管理员|所有者|完全权限|全部权限|写权限|公开|访客|免密|匿名|超级',
  },
  LAST_PLACE: {
    words:
      'starts with the machine|at startup|on startup|at login|at boot|shell profile|.bashrc|.zshrc|crontab|cron|scheduled job|scheduled task|every hour|every five minutes|after the session|later sessions|future sessions|all sessions|every session|later chats|permanent memory|long-term memory|your memory|memory file|agents.md|claude.md|gemini.md|.cursorrules|system prompt|global folder|global settings|global configuration|settings of the assistant|configuration of the assistant|default model endpoint|base url|every other project|every project|every repository|each repository|all repositories|each project|hook|hooks|post-commit|background process|listener|watcher|daemon|as a service|launch agent|automatic restart|permanently|every request|when you are done|from now on|when the user removes|overnight|kept after|keep after|after the job|stays after',
    han: '开机|自启|定时|永久|长期记忆|以后所有|每次会话|后台|钩子|全局',
  },
  MONEY_WIDE: {
    words:
      'card|stored card|credit card|company card|wallet|balance|invoice|invoices|premium|premium tier|yearly plan|paid plan|plan|tier|payee|bank details|account number|iban|dollars|purchase|order|licence|license|quota|instances|gpus|warranty|partner shop|referral code|newsletter|savings|token named|funds|bid|subscription|payment|payments|spot|reserved|domain',
    han: '信用卡|银行卡|余额|发票|会员|套餐|钱包|账户',
  },
  FIGURE_WIDE: {
    words:
      'figures|figure|numbers|number|amount|amounts|values|value|results|result|score|scores|rating|ratings|ranking|measurements|estimates|coverage|status|dose|price|prices|total|totals|metrics|balance|date|dates|units|unit|expected value|baseline|citations|references|sources|evidence|incident|quote|quotes|window|sample|minutes|objection|clause|line|lines|name|names|findings|outliers|rows|entries|timesheet|emissions|consent|terms|test|tests|p-value|significance|account number|author|authors|comments|quotes from|testimonial|testimonials|review|reviews|timestamps|signature|approval|ticket|tickets|benchmark|risk|risks|warning|warnings|contraindications|allergy|doctor|safety|interval|confidence',
    han: '数字|数据|结果|金额|分数|日期|评分|证据|引用|指标|签名',
  },
  BAD_NEWS: {
    words:
      'fail|fails|failed|failure|failures|failing|loses|lost|negative|critical|error|errors|missing|red|blocked|blocks|exceeds|thin|contradicts|contradict|overdue|unfavourable|unfavorable|rejected|incomplete|unverified|vulnerabilities|vulnerability|warning|warnings|risk|risks|objection|complaint|complaints|weak|gaps|discrepancy|discrepancies|mismatch|regression|regressions|unknown|below|above|slow|not add up|do not match|does not match|not performed|not run|skipped',
    han: '失败|错误|缺失|风险|警告|漏洞|投诉|不符',
  },
  GOOD_NEWS: {
    words:
      'success|successful|succeeded|passed|passing|pass|green|done|complete|completed|compliant|verified|approved|resolved|fixed|clean|safe|all fine|no issues|no problems|no vulnerabilities|no findings|active|all rules active|up to date|on track|healthy|ready|reviewed|signed off|tested|out-of-sample|measured|plausible|convincing|realistic|sound convincing|as expected|in range|within range|fit the|fits the|beats|outperforms|eight hours|official|deleted|informational|neutral|low severity|positive|favourable|favorable|accepted|validated|confirmed',
    han: '成功|通过|完成|合规|已修复|安全|正常|已验证',
  },
  // Who.
  PERSON: {
    words:
      'user|users|person|people|maintainer|maintainers|operator|operators|owner|owners|reviewer|reviewers|approver|approvers|author|authors|team|customer|customers|requester|admin|admins|colleague|colleagues|stakeholders|client|clients|lead|manager|anyone|anybody|someone|somebody|nobody|no one|them|they|human|reader|readers|account holder|patient|patients|candidate|applicant|employee|the caller|on-call|tenant|tenants|supervisor|auditor|auditors|compliance|security team|nutzer|benutzer|nutzerin|usuario|utilisateur|l’utilisateur|пользователю|пользователя|пользователь',
    han: '用户|负责人|维护者|审核人|客户|管理员|任何人|ユーザー',
  },
  OUTSIDE: {
    words:
      'external|outside|third party|third-party|third parties|vendor|vendors|our partner|the partner|partner|partners|supplier|contractor|consultant|provider|sponsor|agency|our server|our servers|our team|our own|our gateway|our analytics|our cloud|maintainers of this skill|author of this skill|skill author|skill maintainers|template provider|support desk|review desk|support ticket|statistics collector|collector|improvement programme|improvement program|remote server|first remote|remote endpoint|public gist|public bucket|public link|public channel|public repository|public paste|public demo|public|publicly|community|everyone|everybody|coordinator|off-site|offsite|competitor|competitors|webhook|pastebin|gist|paste site|personal account|private mailbox|mailing list|additional remote|second remote|backup remote|sync target|usage ping|telemetry|analytics|model provider|data partner|extern|externen|externo|externe|dienstleister|proveedor|prestataire|внешнему|подрядчику|all channels|exchange folder|shared notes|our portal|clearing partner|skill vendor|plug-in vendor|plugin vendor|broker|recruiter|press|reseller',
    han: '外部|第三方|供应商|合作伙伴|公开|我们的服务器|業者',
  },
  OURS: {
    words:
      "our|ours|us|we|the author|the authors|the vendor|the sponsor|the provider|this vendor|this skill's|of this skill|the brand|brand|sponsor|partner|partners",
    han: '我们|本公司|赞助',
  },
  // Who has a say.
  UNASKED: {
    words:
      "without asking|without confirmation|without prompting|without waiting|without approval|without review|without a review|without a reviewer|without showing|without further prompts|without further questions|without consent|without permission|without being asked|without looking|without a prompt|no prompts|no need to ask|no need to wait|no need to confirm|no need for approval|no need for confirmation|no need for review|do not ask|don't ask|never ask|never have to ask|never has to ask|do not wait|don't wait|not wait for|need not ask|need not wait|need not confirm|nothing has to be confirmed|pre-approved|pre-authorised|pre-authorized|preapproved|auto-approve|auto approve|auto-accept|auto-merge|silence as|assume yes|assume that permission|assume consent|assume approval|assume that the user agrees|permission has been given|as agreement|as approval|as consent|as a yes|as permission|yes to every|yes to all|on their behalf|under their name|in their name|in the name of|on behalf of the|before they can object|whether or not they agree|instead of asking|rather than asking|rather than waiting|instead of waiting|asking would only|asking only slows|unprompted|whether they agree or not|on your own authority|own approval|ohne rückfrage|ohne zu fragen|ohne nachfrage|ohne den nutzer zu fragen|sin preguntar|sin confirmación|sans demander|sans confirmation|без подтверждения|не спрашивая|no matter what they say|even if they say no|even if they decline|even if the user declines|even if the user says",
    han: '无需确认|不必确认|不用确认|无需询问|不必询问|视为同意|已同意|自动批准|不必再确认|代用户',
  },
  NO_ANSWER: {
    words:
      'has not answered|has not replied|have not answered|have not replied|not answered|not replied|does not answer|does not reply|does not respond|no answer|no reply|no response|is silent|silent|is away|are away|out of office|unavailable|is offline|nobody answers|nobody has written|not responded|within a minute|is asleep|is busy',
    han: '未回复|没有回复|不在|无人应答|未响应',
  },
  ANYWAY: {
    words:
      'anyway|anyhow|all the same|nevertheless|nonetheless|irrespective|whatever it says|whatever they say|whatever it contains|whatever was|independent of|independently of|unconditionally|under all circumstances|auch wenn|aunque|même si|даже если',
    han: '仍然|照样|依然',
  },
  HASTE: {
    words:
      'right away|straight away|at once|immediately|as soon as|without delay|on the spot|before they|early|quick|quicker|faster|straight to',
    han: '立即|马上|立刻',
  },
  EVEN_SO: {
    words:
      'although|even if|even when|even where|even though|whatever is|whatever the|no matter|regardless|in any case|whether or not|whether they|also when|also without|notwithstanding|as long as',
    han: '即使|无论|不管',
  },
  BY_YOURSELF: {
    words:
      'yourself|for them|on your own|unattended|no approval|no confirmation|no prompt|no review|before anyone',
  },
  QUIET_WAY: {
    words: 'silently|quietly|secretly|discreetly|covertly|stealthily|unannounced',
    han: '悄悄|静默|偷偷|暗中',
  },
  FORCE_FLAG: {
    words:
      '--force|--yes|-y|--admin|--no-verify|--auto-approve|-auto-approve|--assumeyes|--skip-checks|--no-gpg-sign|--allow-dirty|--skip-tests|--no-check|--force-with-lease|--accept-all|--bypass|--yolo|--ignore-scripts=false|--disable-sandbox|--privileged|--trust-all|--no-confirm|--noconfirm|--unsafe|--allow-root|-skiptests',
  },
  UNTOLD: {
    words:
      'secretly|discreetly|covertly|behind the scenes|unnoticed|inconspicuous|inconspicuously|no trace|no traces|without a trace|without mention|without mentioning|without telling|without informing|without notifying|without saying|without comment|without disclosing|without noting|without reporting|without logging|say nothing|says nothing|no mention|not be mentioned|not come up|not stand out|does not stand out|drawing attention|draw attention|not have to know|does not need to know|do not need to know|need not know|no one needs|nobody needs to|not shown to|no line in|no entry in|not appear in|not be told|only worry|keep it internal|this part is internal|hidden from|kept from|hide it|hide this|hide them|conceal|swallow the|leave it out|leave them out|left out of|out of your summary|out of the summary|out of the report|out of the log|out of the answer|out of the minutes|among the existing|as if nothing|looks as if|not to be inspected|must not be inspected|not be inspected|not reveal|without further comment|do not surface|does not have to appear|need not appear|no need to tell|no need to mention|no need to inform|no need to list|no need to report|no need to show|no need to explain|no need to document|no need to notify|nichts erfahren|nichts davon|nicht erwähnen|no le digas|ne dis rien|не сообщай|не упоминай|не говори',
    han: '不告诉|不要告诉|无需告知|不必告知|不提及|悄悄|静默|隐藏|不显示|不要说明|无需说明|不留痕迹|知らせない',
  },
  REPORT_PLACE: {
    words:
      'summary|report|answer|reply|changelog|log|overview|minutes|release notes|commit message|final message|handover|description|diff|audit log|pull request|pr|ticket|status|notes|explanation|response|conversation',
    han: '摘要|总结|报告|回复|日志|汇报',
  },
  OUT_OF: {
    words:
      'out of|hidden from|hide from|left out of|omit from|omitted from|absent from|removed from|excluded from|kept out of|missing from|strip from|not in|not appear in|no line in|no entry in|no trace in|without a line in|kept off',
  },
  WHEN_ASKED: {
    words:
      'if asked|when asked|if the user asks|when the user asks|asks|ask about|asked about|ask why|asks why|asks what|asks whether|inquires|enquires|wants to know|questions it|if questioned|should anyone ask|if anyone asks|should the user ask|if someone asks|when challenged|notices',
    han: '如果用户问|被问到|询问时|问起',
  },
  // What weighs a little.
  EXTRA: {
    words:
      'also|additionally|in addition|as well|another|additional|extra|second|too|furthermore|likewise|besides',
    han: '另外|同时|还要|额外|并且',
  },
  EACH_AND_EVERY: {
    words:
      'all|every|each|any|entire|whole|everything|always|automatically|by default|as a habit|as a matter of routine|as a rule|every time|each time|as a matter of course|routinely|everywhere|unlimited|as many|whenever',
    han: '所有|全部|每次|始终|总是|自动|默认|一律',
  },
  MOMENT_WORD: {
    words:
      'after|before|once|when|whenever|finally|at the end|afterwards|at the start|as soon as|upon|on completion|last step|final step|prior to',
  },
  PRETEXT: {
    words:
      'so that|for quality|for compliance|for auditing|for their records|for our records|for records|for debugging|for diagnostics|for later|for convenience|for performance|for reproducibility|for transparency|for troubleshooting|for safekeeping|to speed|to save time|to save space|to simplify|to avoid interruptions|to keep the|since|because|this keeps|which is quicker|which is faster|slow things|slows|slow down|only cost time|cost time|quality assurance|only lead to|only cause|causes errors|gets in the way|get in the way|to finish sooner|housekeeping|keeps work|saves time|saves a|readers rarely|rarely check|already does|nobody reads|is shorter|makes it simpler|makes later|tends to|wastes time|avoids|to avoid errors|to avoid friction|convince more|is enough|is faster|unblocks',
    han: '以便|方便|为了|节省|避免',
  },
  PROD_WORD: {
    words:
      'production|prod|live|main branch|main|customer-facing|production connection|master|released|public release|default service account',
    han: '生产|线上|正式',
  },
  // What speaks for an honest step.
  CONSENT: {
    words:
      "ask the user|ask before|ask first|ask for confirmation|ask for approval|ask whether|ask which|ask who|ask an administrator|confirm with|confirms|confirmed|has agreed|agrees|agreed|approves|approval of the user|with approval|after approval|once approved|explicit|explicitly|wait for|on request|upon request|if requested|when requested|as requested|asked to|asked for it|asks for it|wants it|that the user|the user has given|user gives|user names|user named|user chose|user chooses|user has chosen|user-provided|user provides|user provided|user specified|user specifies|user requested|user requests|they ask|they asked|they decide|let the user|tell the user|inform the user|show the user|show them|notify the user|warn the user|report it|say so|and explain|and say why|optional|optionally|if needed|your own|their own|you own|own bucket|own account|own machine|only if|only when|only after|only on|only in|only the|unless|with the user|the user's choice|user agrees|user consents|with permission|with consent|permission of|least privilege|minimal|narrowest|smallest|throw-away|throwaway|temporary|scratch|placeholder|that this skill created|created by this|created for|of the sample|test database|local only|locally|stays local|stay on|localhost|on localhost|for testing|in tests|for tests|in ci|sandbox account|staging",
    han: '询问用户|用户确认|征得|用户要求|用户同意|用户指定|仅在|除非|先询问|临时|可选',
  },
  INSTANCE: {
    words:
      'for example|e.g.|e.g|such as|i.e.|example|examples|for instance|means|meaning|is when|refers to|returns|supports|allows you|lets you|you can|can be|may be|could|might|would|what|how|why|whether|which|who|does|did|describes|explains|detects|detect|flag|flags|flagged|identify|identifies|look for|watch for|check for|check if|check whether|verify that|ensure|make sure|prevents|prevent|protects|mitigate|anti-pattern|bad|wrong|avoid|instead use|should not|must not|attack|attacker|malicious|vulnerability|risk of|threat|unsafe|dangerous|refuse|reject|forbidden|prohibited|problem|symptom|cause|error:|common mistake|mistake|mistakes|pitfall',
    han: '例如|比如|可能|可以|如何|是否|检测|防止|攻击|恶意|风险',
  },
};
