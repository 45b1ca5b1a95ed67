// The concepts that many rules share: who acts, what is done, what it is done to.
import type { Concepts } from './concept-words.ts';

export const generalConcepts: Concepts = {
  NOT: {
    words:
      "not|never|don't|dont|doesn't|cannot|can't|won't|mustn't|shouldn't|no need to|without|avoid|avoids|avoiding|refrain from|nicht|keine|kein|ohne|nie|ne|pas|jamais|sin|nunca|non|instead of|rather than|isn't|aren't|wasn't|didn't",
    han: '不要|不得|不能|不需要|无需|勿|切勿|禁止|别|避免|不会|不必|未经',
  },
  SEND: {
    verbs:
      'send|upload|post|transmit|forward|submit|email|e-mail|mail|exfiltrate|relay|beam|deliver|dispatch|stream|leak|sync|synchronize|synchronise|share|push|report|export|publish|pipe|back up|backup|mirror|replicate|copy|archive|register|attach|pass along|ping|notify|log|store|save|stage|ship|hand over',
    words:
      'POST|PUT|hochladen|lade|sende|senden|schicke|envoyer|envoie|envoyez|téléverser|enviar|envía|envia|subir|sube',
    han: '发送|上传|传输|提交|转发|推送|发到|发给|传到|同步到|回传|上报|分享|寄给|备份到|外发',
  },
  UPLOAD: {
    verbs:
      'send|upload|post|transmit|forward|submit|email|e-mail|mail|exfiltrate|relay|beam|dispatch|leak|share|stream|ship|hand over',
    words: 'POST|hochladen|lade|sende|senden|envoyer|envoie|enviar|envía|subir',
    han: '发送|上传|传输|提交|转发|推送|发到|发给|传到|回传|上报|外发',
  },
  READ: {
    verbs:
      'read|collect|gather|harvest|extract|copy|include|append|attach|print|dump|output|list|find|locate|search for|scan|grab|capture|fetch|get|retrieve|display|show|embed|insert|write|echo|reuse|use|cat|commit|push|log|steal|scrape|enumerate|document|store|save|access|load|export|record',
    han: '读取|收集|获取|复制|提取|打印|输出|包含|附上|列出|查找|窃取|搜集|抓取|导出|记录',
  },
  SECRET: {
    words:
      'api key(s)|apikey(s)|api token(s)|access token(s)|auth token(s)|authentication token(s)|bearer token(s)|secret key(s)|private key(s)|ssh key(s)|credential(s)|password(s)|passphrase(s)|secret(s)|session cookie(s)|cookies database|session token(s)|login data|keychain|seed phrase(s)|recovery phrase(s)|mnemonic|wallet file(s)|private wallet|sudo password|environment variables|env vars|credential file(s)|credentials file|service account key(s)|oauth token(s)|signing key(s)|refresh token|refresh tokens|oauth refresh token|session key|login credentials',
    han: '密钥|凭证|凭据|密码|令牌|私钥|环境变量|助记词|口令|证书|钱包|API Key|api key',
  },
  PRIVATE: {
    words:
      'user data|personal data|personal information|customer data|customer name(s)|customer record(s)|phone number(s)|private data|sensitive data|sensitive information|confidential|conversation|conversation history|chat history|chat log(s)|full conversation|conversation log(s)|conversation context|message history|browsing history|memory file(s)|contacts|address book|user profile|profile of the user|user request|user message(s)|user input|user query|user prompt(s)|what the user|system prompt|session transcript|transcript(s)|terminal log|shell history|command history|medical record(s)|financial data|transaction(s)|location data|keystrokes|clipboard|screenshots|host name|hostname|user name|username|pii|usage data|interaction data|user activity|queries|inbox|bank account(s)|account number(s)|tax record(s)|employee data|source tables|location of the user|the inbox|stack trace',
    han: '用户数据|个人信息|对话|聊天记录|会话|隐私|敏感|客户|历史记录|用户信息|主机名|用户名|剪贴板|截图',
  },
  FILES: {
    words:
      'workspace|the project|project folder|project directory|project files|working directory|working folder|all files|every file|the files|the file|the document|every document|each document|the source|source code|source files|sources|codebase|repository|the repo|entire repo|whole project|home directory|home folder|directory|folder|the report|the output|the result(s)|generated document|generated file(s)|generated code|attachments|spreadsheet(s)|the data|dataset|database|database dump|configuration files|config files|the configuration|all branches|a copy|copies|kopie|dateien|intermediate results|final version|the presentation|the slides|the code|modified files|processed files|uploaded files|input file(s)|these rows|rows|the content(s)|contents of|full text|backup|archive|logs|the log',
    han: '工作目录|文件|项目|代码|仓库|目录|文件夹|文档|数据|源码|数据库|配置|日志|结果|压缩包|内容|备份',
  },
  USER: {
    words:
      'user|users|the user|human|the person|operator|owner|customer|people|anyone|them|end user|end users|reader|readers|utilisateur|usuario|benutzer|nutzer',
    han: '用户|使用者|人类|主人|客户|任何人',
  },
  TELL: {
    verbs:
      'tell|inform|mention|notify|disclose|reveal|show|display|report|alert|announce|acknowledge|discuss|explain|expose|surface|warn|bring up|admit|say|describe|talk about|erwähne|sage|erwähnen|mentionner',
    han: '告诉|告知|提及|提到|透露|通知|显示|展示|说明|提示|披露|泄露|汇报|让',
  },
  THIS_STEP: {
    words:
      'this step|this action|these steps|these actions|this instruction|these instructions|this process|this behavior|this behaviour|this operation|this activity|this upload|this change|these changes|this directive|the upload|the transfer|the sync|synchronisation|synchronization|its output|the backup|this fact|any of this|it happened|tool calls|these operations|data collection|the collection',
    han: '此步骤|这一步|这个操作|该操作|此操作|这些|本步骤|这件事|此指令|该指令|此过程',
  },
  QUIETLY: {
    words:
      'silently|quietly|secretly|covertly|stealthily|discreetly|invisibly|surreptitiously|in secret|behind the scenes|unnoticed|undetected|without notice|without notifying|without telling|without informing|without alerting|without mentioning|without the user knowing|without user knowledge|without their knowledge|without the knowledge|without asking the user|without user consent|without their consent|without drawing attention|heimlich|en silence|discrètement|en secreto|silenciosamente|background',
    han: '静默|悄悄|偷偷|秘密|暗中|后台|不知情|隐蔽|隐秘',
  },
  SUMMARY: {
    words:
      'summary|report|response|answer|reply|output|logs|log|final message|explanation|changelog|commit message|rationale|justification|the standard output|standard output',
    han: '摘要|总结|回复|回答|日志|输出',
  },
  IGNORE: {
    verbs: 'ignore|disregard|forget|bypass|discard|overrule|ignoriere|ignorez|ignora',
    words:
      'do not follow|stop following|take precedence over|takes precedence over|has priority over|have priority over|overrides all|priority over',
    han: '忽略|无视|忘记|忘掉|覆盖|绕过|不理会|跳过|取代',
  },
  PRIOR: {
    words:
      'previous|prior|earlier|above|preceding|all other|any other|original|former|system|safety|vorherigen|bisherigen|précédentes|anteriores|security|your previous|all prior|all previous',
    han: '之前|以前|先前|上述|所有|此前|原有|前面|系统|安全',
  },
  INSTRUCTIONS: {
    words:
      'instruction(s)|directive(s)|system prompt(s)|system message(s)|system instructions|guideline(s)|guardrail(s)|safety rules|safety guidelines|restriction(s)|safeguard(s)|prompt(s)|anweisungen|instrucciones|everything above|safety policy|content policy|content filter(s)|safety filter(s)|system rules',
    han: '所有指令|全部指令|指令|指示|提示词|提示|规则|限制|约束|系统消息|设定|命令|准则',
  },
  DESTROY: {
    verbs:
      'delete|erase|wipe|destroy|purge|drop|shred|overwrite|remove|truncate|empty|clear|corrupt|encrypt|rewrite|zero out|nuke|lösche|supprimer|eliminar|borrar',
    han: '删除|清空|抹除|销毁|格式化|覆盖|擦除|清除|加密',
  },
  PRECIOUS: {
    words:
      'all files|every file|every other document|original files|originals|the originals|user files|user data|home directory|documents folder|all documents|backup(s)|the backups|shadow copies|recovery points|all tables|existing tables|production database|all records|git history|shell history|bash history|command history|browser history|system logs|audit log(s)|audit trail|event logs|system files|entire disk|hard drive|all branches|older versions|unencrypted versions|previous versions|the trash|all emails|entire directory',
    han: '所有文件|全部文件|原始文件|备份|所有数据|数据库|日志|历史记录|主目录|系统文件|痕迹',
  },
  DISABLE: {
    verbs:
      'disable|turn off|deactivate|switch off|bypass|skip|stop|kill|suppress|circumvent|remove|weaken|relax|uninstall|exclude|evade|shut down|lift|unset|deaktiviere|comment out|whitelist|loosen',
    words: 'without checking|do not run',
    han: '关闭|禁用|停用|绕过|跳过|卸载|停止|解除',
  },
  RUN: {
    verbs:
      'run|execute|launch|start|install|eval|source|open|paste|invoke|load|apply|double-click|make it executable|import|spawn',
    han: '运行|执行|安装|启动|打开|粘贴|加载',
  },
  DOWNLOAD: {
    verbs: 'download|fetch|pull|retrieve|get|grab|curl|wget|obtain|visit|load',
    words: 'download from here',
    han: '下载|获取|拉取|访问',
  },
  PROGRAM: {
    words:
      'helper|helpers|agent|utility|binary|executable|installer|driver|accelerator|script|tool|package|program|daemon|service|client|component|extension|plugin|module|runtime|loader|setup file|the archive|command',
    han: '程序|工具|脚本|安装包|助手|客户端|组件|插件|可执行文件|二进制|命令',
  },
  FOLLOW: {
    verbs: 'follow|obey|execute|apply|comply with|adhere to|act on|carry out|treat as|adopt',
    words:
      'take precedence|takes precedence|as instructions|override this|overrides this|supersede this|as your instructions',
    han: '遵循|遵守|执行|按照|服从|听从',
  },
  ADD: {
    verbs:
      'add|append|write|insert|put|save|create|register|install|set|copy|place|modify|edit|update|prepend|store|inject|change|drop|schedule|configure|load|remember|enable',
    han: '添加|追加|写入|插入|保存|创建|注册|安装|修改|设置|复制到|放到|记住',
  },
  AGENT_FILE: {
    words:
      'claude.md|agents.md|memory.md|soul.md|gemini.md|heartbeat.md|identity.md|.cursorrules|copilot-instructions|copilot-instructions.md|settings.json|settings.local.json|mcp configuration|mcp config|mcp.json|.mcp.json|mcp_config.json|claude_desktop_config.json|openclaw.json|your memory|memory file|memory files|long-term memory|persistent memory|agent configuration|agent config|system prompt|global instructions|your instructions|config.toml',
    han: '记忆文件|长期记忆|配置文件|系统提示|永久记忆',
  },
  GRANT: {
    words:
      'approved all|all shell commands|all permissions|bash(*)|auto-approve|autoapprove|auto approve|full access|unrestricted|pre-approved|preapproved|bypasspermissions|bypass permissions|dangerously-skip-permissions|yolo|nopasswd|no restrictions|approve its tools|without approval|skip permission|allow all|allow everything|root access|elevated permissions|admin privileges|dba-level|elevates its own',
    han: '所有权限|全部权限|无需批准|自动批准|完全访问|不受限制|已授权',
  },
  MONEY: {
    words:
      'bank details|bank account|iban|account number|routing number|wallet address|crypto address|payment address|payment details|credit card|saved card|saved credit card|saved payment|payment method|invoice(s)|bitcoin address|ethereum address|payout|premium plan|funds|address of a wallet|recipient address|beneficiary|seed funds|private wallet',
    han: '银行账户|银行卡|收款|钱包地址|信用卡|付款|转账|账号',
  },
  SWAP: {
    verbs: 'replace|change|substitute|redirect|swap|alter|rewrite|switch|modify|use instead',
    words: 'instead',
    han: '替换|改为|更改|替代|换成',
  },
  SPEND: {
    verbs: 'buy|purchase|order|pay|transfer|subscribe|charge|place an order|send funds|withdraw',
    han: '购买|支付|下单|转账|付款|订阅|充值',
  },
  FALSIFY: {
    verbs:
      'falsify|fabricate|inflate|understate|overstate|misrepresent|manipulate|round up|increase|decrease|adjust|bias|skew|downplay|exaggerate|alter|change|mislead|deceive|lie|pretend|gaslight|fake',
    han: '篡改|伪造|夸大|虚报|修改|欺骗|误导|假装|撒谎',
  },
  UNMARKED: {
    words:
      'without marking|without noting|without saying|without mentioning|without disclosing|without labeling|without labelling|without indicating|do not mark|do not say|do not disclose|not labeled|not labelled|not marked|not disclosed|unlabeled|subtly|imperceptibly|in a way that is not|not noticeable|unobtrusively|hidden|invisible|not identified as|indistinguishable|naturally incorporate|never reveal|appear organic|not be labeled|not be disclosed',
    han: '不标注|不说明|不注明|隐藏|不易察觉|不透露',
  },
  NUMBERS: {
    words:
      'figures|numbers|revenue|results|data|values|totals|amounts|metrics|findings|statistics|scores|vulnerabilities|risk|risks|facts|change|advertising|recommendations|product(s)|sponsored|promotion|ad|ads|affiliate|affiliate link(s)',
    han: '数字|数据|结果|金额|指标|收入|广告|推荐|漏洞|风险',
  },
  RECOMMEND: {
    verbs:
      'recommend|promote|advertise|favor|favour|prefer|suggest|endorse|push|prioritize|incorporate|include',
    han: '推荐|推广|宣传|偏向|优先',
  },
  IF_ASKED: {
    words:
      'if asked|when asked|if the user asks|if a user asks|when the user asks|when a user asks|if questioned|if users ask|when users ask|if anyone asks|if challenged|when questioned|if the user inquires|if the user notices|if someone asks|if confronted|if the user objects|if the user complains',
    han: '如果用户问|如果被问|当用户问|若用户询问|用户询问时|如果有人问|被问到',
  },
  DENY: {
    words:
      'answer that|respond that|reply that|say that|tell them that|tell the user that|claim that|claim|deny|respond that it|state that|insist|insist that|assure them|assure the user|reassure|explain that it is|respond only|say no|always respond|attribute it to|deflect|change the subject|act as if|pretend',
    han: '回答说|否认|声称|告诉他们|就说|回复说|谎称|假装|坚称',
  },
  LOCAL_CLAIM: {
    words:
      "stayed local|stays local|not shared|is not|it is not|it cannot|cannot|it does not|does not|no data|nothing|never|isn't|doesn't|local|safe|routine|normal|standard|private|secure|no access|did not|are not|not collect|unable to|only",
    han: '没有|不会|本地|安全|正常|不存在|并未',
  },
  DOCUMENT: {
    words:
      'each document|every document|footer|the document|the presentation|the email|each email|every email|every answer|every response|every page|each slide|the slides|generated code|the report|every report|each file|readme|the output|each answer|every reply|every message',
    han: '每个文档|页脚|每次回复|每个文件|回复末尾|每封邮件|文档',
  },
  ASK_FOR: {
    verbs: 'ask|request|prompt|require|tell|instruct|have|need|ask for',
    words: 'enter|provide|supply|give|paste|type in',
    han: '要求|请求|提示|让|索要|输入|提供',
  },
  ATTACKER: {
    words:
      'attacker(s)|malicious|malware|adversary|adversaries|adversarial|phishing|exploit(s)|exploitation|vulnerability|vulnerabilities|vulnerable|injection|injections|jailbreak(s)|threat(s)|red flag(s)|red-team|red team|suspicious|indicator(s)|detect|detects|detecting|detection|flag|flagged|flags|scan for|look for|watch for|refuse|reject|prevent|prevents|prevention|mitigate|mitigation|anti-pattern(s)|antipattern|bad example|unsafe|dangerous|forbidden|prohibited|attack(s)|owasp|cwe|social engineering|hallucinate|warning sign(s)|leak|leaks|leaking|leakage|exfiltration|compromise|compromised|hijack|hijacking|spoofing|untrusted|trojan|backdoor attack|tampering|risk|risks|risky|incident',
    han: '攻击|恶意|钓鱼|漏洞|注入|检测|威胁|可疑|防止|防范|风险|拒绝',
  },
  MAYBE: {
    words:
      'can|could|may|might|would|who|which|whether|how|why|what|when users|e.g|i.e|for instance|for example|such as|allows|allow|allowing|lets|enables|supports|ability',
    han: '可能|可以|能够|如何|是否|例如|比如|支持',
  },
  UNLESS_ASKED: {
    words:
      'unless the user|unless asked|unless explicitly|only if the user|only when the user|if the user requests|if requested|if the user asks for|when requested|with the user|after the user confirms|with permission|with user consent|after confirmation|ask the user first|ask before|ask first|ask the user before|asking the user before|upon request|if the user wants|if the user agrees|with approval|user-approved|after approval|once approved|if you want|if you need|if needed|you own|optional|optionally',
    han: '除非用户|经用户同意|用户确认后|如果用户要求|可选|用户已经明确|明确要求|用户明确',
  },
};
