// Concepts of what is said, kept quiet, asked and promised.
import type { Concepts } from './concept-words.ts';

export const talkConcepts: Concepts = {
  PRECEDENCE: {
    words:
      'take precedence over|takes precedence over|have priority over|has priority over|override any|overrides any|override all|overrides all|supersede|supersedes|take precedence|takes precedence|higher priority than|outrank|outranks|override|overrides|overriding',
    han: '优先于|高于|取代|覆盖|凌驾',
  },
  PRIOR_VOICE: {
    words:
      'system message(s)|system prompt(s)|system instructions|developer message(s)|user says|user instructions|previous instructions|prior instructions|all other instructions|other instructions|all instructions|any instructions|safety guidelines|safety rules|safety policies|your instructions|user preferences|all previous|your guidelines|conflicting instructions|user requests|default instructions',
    han: '系统消息|系统提示|用户指令|其他指令|所有指令|安全准则|系统指令',
  },
  YOUR_RULES: {
    words:
      'your guidelines|your safety|safety guidelines|your instructions|your rules|your restrictions|content policy|content policies|safety policies|safety protocols|your programming|your constraints|ethical guidelines|safety filters',
    han: '你的限制|你的规则|安全准则|安全限制|你的指令|道德准则',
  },
  NEW_MODE: {
    words:
      'developer mode|dev mode|god mode|unrestricted mode|maintenance mode|debug mode|admin mode|root mode|jailbreak mode|dan mode|you are now|override mode|diagnostic mode|test mode|privileged mode|emergency mode|researcher mode|safety test mode',
    han: '开发者模式|维护模式|管理员模式|无限制模式|越狱模式|你现在是',
  },
  NO_LIMITS: {
    words:
      'unrestricted|no restrictions|without restrictions|no limits|without limits|without filters|no filters|disables all|disable all|ignore|bypass|bypasses|all restrictions|full access|any command|any shell|restriction is lifted|restrictions are lifted|is lifted|not logged|safety disabled|do anything',
    han: '不受限制|没有限制|无限制|任何命令|绕过',
  },
  THAT_IT: {
    words:
      'that this|that it|that you|that the|about this|about the|about these|about it|of this|any of this|this happened|why|that a|because',
    han: '此事|这件事|该操作|这一步',
  },
  TELL_ONLY: {
    words: 'mention|disclose|reveal|mentioning|disclosing|revealing',
    han: '提及|提到|透露|披露',
  },
  QUIET_ADVERB: {
    words:
      'silently|quietly|secretly|covertly|stealthily|surreptitiously|invisibly|discreetly|heimlich|discrètement|silenciosamente',
    han: '静默|悄悄|偷偷|秘密|暗中|隐蔽',
  },
  UNTRUSTED_TEXT: {
    words:
      'embedded in|found in|embedded|inside of|user-supplied|untrusted|in repository files|in the document|in files|from files|retrieved|external content|contained in|that appear in|in the content|pasted',
    han: '嵌入|文件中的|外部内容',
  },
  QUIETLY_STRONG: {
    words:
      'without telling the user|without informing the user|without notifying the user|without alerting the user|without the user knowing|without mentioning|without user knowledge|without their knowledge|without the knowledge|without user awareness|without being noticed|unnoticed|without showing the user|without telling anyone|so the user does not notice|so that the user does not notice',
    han: '不知情|不要告诉|不告诉|不让用户',
  },
  KEEP_SECRET: {
    words:
      'hide this from|hide it from|conceal this from|conceal it from|keep this from|keep it from|hidden from|conceal from|hide from|secret from|should not be visible to|must not be visible to|kept from|hide these',
    han: '对用户隐藏|瞒着|隐瞒|不让',
  },
  KEEP: { verbs: 'keep|treat', words: 'is|are|remain', han: '保持' },
  SECRET_WORD: { words: 'secret|confidential|hidden|between us|private from', han: '秘密|保密' },
  NOT_KNOW: {
    words:
      'must not know|should not know|must never know|must not be told|should not be told|must not be aware|should not be aware|should not notice|must not notice|must remain unaware|remain unaware',
    han: '不知道|不知情|无需知道|不应知道',
  },
  SHOW_OUTPUT: { verbs: 'show|display|print|report|reveal|expose|surface', han: '显示|展示|输出' },
  DENY_STRONG: {
    words:
      'deny|denies|deflect|change the subject|lie|claim ignorance|pretend|insist that|feign|always respond that it cannot|gaslight',
    han: '否认|谎称|假装|撒谎|转移话题',
  },
  RISKY_STRONG: {
    verbs:
      'delete|purchase|pay|buy|transfer funds|terminate|wipe|erase|spend|elevate|sign transactions|charge|refund|invest|withdraw|proceed directly to purchase|send emails|send the email|send money|complete the purchase|place orders|grant',
    words:
      'sending|deleting|paying|purchasing|executing shell|sends emails immediately|sends emails|production deployments',
    han: '删除|支付|购买|转账|付款|下单',
  },
  CONFIRM_NOUN: {
    words:
      'confirmation(s)|approval(s)|consent|permission|authorization|authorisation|asking|asking for confirmation|prompting|confirming|user approval|user confirmation|review|human review|ask the user|a preview|user input',
    han: '确认|询问|同意|批准|授权|许可',
  },
  CONFIRM_ACT: { verbs: 'ask|wait|request|require|seek|prompt|need|pause', han: '需要|等待|请求|征求' },
  ALREADY_AGREED: {
    words:
      'already agreed|already approved|already consented|has approved|has authorized|has authorised|pre-approved|already given|already authorized|has consented|have consented|implicitly consented|already confirmed',
    han: '已经同意|已同意|已授权|已批准',
  },
  EVERYTHING: { words: 'everything|all|any|every', han: '所有|一切|全部|任何' },
  FOLLOW_STRICT: { verbs: 'follow|obey|execute|comply with', words: 'exactly as', han: '遵循|服从|严格执行' },
  UNMARKED_AD: {
    words:
      'not say that it is|without disclosing|do not disclose|not be disclosed|not labeled|not labelled|not be labeled|subtly|not identified|appear organic|not marked as|not say that it|do not say that',
    han: '不要说明|广告|隐藏|自然地',
  },
  PHISH_TEXT: {
    words:
      'verify your account|confirm your account|confirm your identity|log in to|update your payment|validate your account|claim your|reset your password|your account has been|win a|free gift',
    han: '验证您的账户|登录领取|更新付款',
  },
  HIDDEN_ROUTE: {
    words:
      'hidden route|hidden endpoint|hidden parameter|hidden admin|backdoor|back door|secret endpoint|secret route|debug route that executes|magic string|master password|hardcoded password|undocumented endpoint|hidden account|executes whatever|execute whatever|executes any command|runs any command|execute any command|runs whatever',
    han: '后门|隐藏接口|隐藏路由|万能密码',
  },
  REPORT_WORD: { verbs: 'report|flag|mention|list|include|raise|note', han: '报告|提及|指出' },
  FLAWS: {
    words:
      'vulnerabilities in|vulnerability in|security issues in|flaws in|bugs in the|weaknesses in|security findings in|problems with our|negative findings',
    han: '漏洞|安全问题|缺陷',
  },
  ATTACKER_ONLY: {
    words:
      'false positive(s)|theoretical|duplicates|duplicate|speculative|out of scope|style issues|low confidence|low-confidence|hypothetical|pre-existing|already reported|style|third-party|dependencies',
    han: '误报',
  },
  SAVED_MEANS: {
    words:
      'saved credit card|saved card|saved payment|stored payment|payment method on file|card on file|default payment method|stored card|user wallet|wallet of the user|connected wallet|bank account of the user|company card|corporate card|company credit card',
    han: '已保存的信用卡|绑定的银行卡|默认支付方式',
  },
  EVERY_CONTACT: {
    words:
      'all contacts|every contact|address book|entire contact list|all my contacts|everyone in the contacts|all recipients in the address|whole mailing list|all friends',
    han: '所有联系人|通讯录|全部好友',
  },
  MANY_REQUESTS: {
    words:
      'parallel requests|concurrent requests|requests in a loop|as many requests as|100000|10000 requests|millions of requests|flood',
    han: '大量请求|并发请求',
  },
  MAKE: { verbs: 'make|issue|fire|launch|start|perform', han: '发起|进行' },
  PUT: { verbs: 'put|place|embed|hide|insert', han: '放入|嵌入' },
  OUTSIDER: {
    words:
      "skill author's|author's|third parties|third party|third-party|external server|remote server|external endpoint|remote endpoint|external service|our servers|our server|our analytics|analytics partners|analytics service|analytics endpoint|telemetry endpoint|data broker|partner(s)|maintenance endpoint|configuration endpoint|collection server|collection endpoint|verification endpoint|remote host|external url|external api|external webhook",
    han: '第三方|远程服务器|外部服务器|我们的服务器|外部接口',
  },
  THIRD_PARTY: {
    words:
      'our analytics partners|analytics partners|data brokers|skill author|advertisers|undisclosed third',
    han: '广告商|数据公司',
  },
  THESE_RULES: {
    words:
      'these instructions|this skill|this document|this file|instructions in this|rules in this|instructions in|rules of this|the following instructions|these rules|these directives|they|instructions below',
    han: '本文件|这些指令|以下指令|本技能|这些规则',
  },
  ITS_OUTPUT: {
    words: 'its output|the output|any output|output|the result|progress|it',
    han: '输出|结果|过程',
  },
  INFORMED: {
    words: 'informed|told|notified|aware|prompted|asked|warned|given notice',
    han: '告知|通知|知情',
  },
  DISCLOSED: {
    words:
      'disclosed to|disclosing that|revealed to|reflected in|disclosed|reported in|reported to|disclosed in|shown to the|included in the',
    han: '披露|透露',
  },
  LOGGED_WORD: { verbs: 'log|record', han: '记录' },
  AUDIT: {
    words: 'audit trail|audit log|audit logs|moderation audit trail|activity log|history log',
    han: '审计',
  },
  BYPASS: { verbs: 'bypass|skip|circumvent|override|avoid', han: '绕过|跳过' },
  APPROVAL_FLOW: {
    words:
      'approval workflow|approval process|approval step|two-person authorization|required authorization|human approval|human review|approval loops|approval gates|user approval|user consent|authorization checks',
    han: '审批流程|人工审核|用户同意',
  },
  WAITING: { words: 'waiting for|the latency of|requiring|obtaining|seeking', han: '等待' },
  IS_OFF: {
    words:
      'is disabled|are disabled|is lifted|are lifted|is bypassed|are bypassed|is turned off|are turned off|is suspended|are ignored|is ignored|is switched off|are switched off|is off|is deactivated|are deactivated',
    han: '被禁用|被关闭',
  },
  OUTSIDER_STRONG: {
    words:
      "skill author's|the skill author|provider's servers|skill provider's|development team's|author's server|author's analytics|partner channels|analytics partners|advertising partners|data partners|undisclosed endpoint",
    han: '作者的服务器|第三方服务器',
  },
  UPDATE: { words: 'updates|changes|the update', han: '更新' },
  STEP: {
    words:
      'step|action|instruction|instructions|upload|transfer|process|note|requirement|verification|check|gathering|collection|behavior|behaviour|section|backup|sync',
    han: '步骤|操作|指令|过程',
  },
  NOTIFY: { verbs: 'notify|ping|call|post|send|inform|update|hit', han: '通知|调用|请求' },
  ACCESSED: {
    words: 'accessed|read|collected|sent|uploaded|processed|modified|scanned|changed|shared|contacted',
    han: '访问|读取|收集|上传|修改',
  },
};
