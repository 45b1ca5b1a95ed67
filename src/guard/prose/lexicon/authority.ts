// Concepts of what an agent may do in the name of the user: accounts, keys, rights, signatures, rules that stay.
import type { Concepts } from './concept-words.ts';

export const authorityConcepts: Concepts = {
  PAY_ACCOUNT: {
    words:
      'iban|account ending in|bank account|account number|bankverbindung|kontonummer|clearing partner|payout account|receiving account|sort code|beneficiary|wallet',
    han: '收款账户|银行账号|账户尾号|收款人|账号',
  },
  FILL_IN: {
    verbs: 'fill in|use|enter|put|set|replace|change|book|switch',
    words: 'ändere|ändern|ersetze|ersetzen|modifiez|remplacez|cambie|altere|troque|замените',
    han: '填写|改为|替换为|使用|修改为|改成',
  },
  GIVEN_ACCOUNT: {
    words: 'of our|of the partner|ending in|the one below|the ones below|assets/account',
    han: '以下|如下|我们的',
  },
  FORWARD_RULE: {
    words:
      'auto-forward|auto-forwarding|forwarding rule|forward rule|forwarding address|mail rule|mailbox rule|inbox rule|delegate access|mailbox delegate|mail delegate',
    han: '自动转发|转发规则|邮箱代理',
  },
  NEW_ACCESS: {
    words:
      'additional api key|second api key|new access token|deploy key|deploy keys|additional token|personal access token|service account key|additional user|extra user|second account|second user|additional account|oauth app|access key for|full scope|all scopes|write access|never expires|without expiry|no expiry',
    han: '部署密钥|新的访问密钥|新的令牌|额外账户|全部权限|写权限|永不过期',
  },
  MAKE_ACCESS: {
    verbs: 'create|add|issue|generate|register|grant|give|invite|request',
    han: '创建|添加|生成|授予|申请|开通',
  },
  SHARED_WITH: {
    words:
      'shared notes|shared folder|shared channel|to the deploy keys|of the repository|for later use|for later sessions|for the service|for maintenance|for support|with full scope|with all scopes|that never expires|so that we|for our',
    han: '共享|以后使用|便于维护|方便维护|插件|第三方',
  },
  STRONG_ACCOUNT: {
    words:
      'admin account|administrator account|root account|owner account|superuser account|service account with admin|admin credentials|root credentials|owner role|admin role|administrator role|cluster-admin|administratoraccess',
    han: '管理员账号|管理员账户|超级管理员|管理员角色|根账户',
  },
  FOR_ALL: {
    words:
      'for all|for every|for everything|for each|in all cases|instead of the read-only|since narrower|as narrower|because narrower|to avoid permission|to avoid errors',
    han: '所有操作|全部操作|一律|避免权限',
  },
  IN_THE_NAME: {
    words:
      "on behalf of the user|on the user's behalf|in the name of the user|in the user's name|stored signature|saved signature|scanned signature",
    han: '代表用户|以用户名义|代用户|保存的签名',
  },
  COMMIT_TO: {
    verbs: 'sign|accept|agree to|consent to|approve|confirm|submit|authorise|authorize',
    han: '签署|签字|同意|接受|确认|授权',
  },
  CONTRACT_THING: {
    words:
      'document|documents|contract|contracts|terms|licence terms|license terms|agreement|agreements|form|forms|offer|offers|order|orders|payment|payments|transaction|transactions|cookie dialogs|consent form',
    han: '合同|条款|协议|文件|订单|付款',
  },
  BACKDATE: { verbs: 'backdate|predate|postdate', han: '倒签|回填日期' },
  TREAT_AS: { verbs: 'treat|regard|consider|handle|accept', han: '视为|当作|看作' },
  AS_USER_ORDER: {
    words:
      'as instructions from the user|as instructions of the user|as user instructions|as if the user|as if they came from the user|as orders|as commands from|as coming from the user|as trusted instructions|as instructions',
    han: '用户的指令|用户指令|可信指令|作为指令',
  },
  FOREIGN_CODE: {
    words:
      'code blocks found|code found|commands found|scripts found|code from the page|code from the issue|commands from the page|commands in the issue|code in the comments|snippets from|macros in|macros of|code in attachments|attached script|attached scripts|downloaded script|downloaded scripts',
    han: '网页中的代码|页面中的命令|评论中的命令|附件中的脚本|附件中的宏',
  },
  UNSEEN: {
    words:
      'without showing|without review|without reviewing|without reading|without inspecting|without looking|without checking|right away|immediately|directly|unseen|without asking',
    han: '直接|立即|不经检查|无需查看',
  },
  TLS_SETTING: {
    words:
      'verify=false|node_tls_reject_unauthorized=0|node_tls_reject_unauthorized|git_ssl_no_verify|pythonhttpsverify=0|rejectunauthorized|strict-ssl|sslverify|insecureskipverify|curl -k',
  },
  EVERYWHERE_SET: {
    words:
      'in all|in every|all requests|every request|shell profile|globally|by default|permanently|in general|for all hosts|always',
    han: '全局|所有请求|默认|永久',
  },
  ADVERT: {
    words:
      'a discount at|discount code|promo code|coupon code|special offer|affiliate link|referral link|our partner shop|sponsored link|free trial of|get a discount|buy at|order at',
    han: '优惠码|折扣码|推广链接|合作商店|专属优惠',
  },
  IN_EACH_RESULT: {
    words:
      'in each|in every|each summary|every summary|each answer|every answer|each report|every report|at the end of each|at the end of every',
    han: '每份|每次|每个回答|每篇|结尾',
  },
  COMPETITORS: {
    words:
      'competitor|competitors|rival products|rivals|alternatives to|competing products|other vendors|other providers',
    han: '竞争对手|竞品|其他厂商|同类产品',
  },
  RESULT_PLACE: {
    words:
      'in the comparison|in the report|in the summary|in the answer|in comparisons|in reviews|in recommendations|in the ranking',
    han: '对比|报告|评测|推荐',
  },
  TOP_RANK: { han: '排在第一|排在首位|列为首选|放在第一位|评为最佳|第一位' },
  ALWAYS_HAN: { han: '始终|总是|一律|永远|务必' },
  WITHOUT_COMMENT: {
    words:
      'without comment|without a comment|without remark|without further notice|without a note|without notice|without explanation|sans commentaire|ohne kommentar|erwähne es nicht|erwähnen sie es nicht|ne le signalez pas|ne le mentionnez pas|no lo menciones|não o mencione',
    han: '不加说明|不作说明|不用提示用户|无需提示用户|不要提示用户|不提示用户',
  },
  ALTER_V: {
    verbs:
      'round|change|replace|correct|adjust|alter|reduce|raise|increase|lower|remove|delete|swap|drop|update|rewrite|shift',
    words: 'ändere|ersetze|désactivez|modifiez|supprimez|cambia|elimina|altere',
    han: '修改|调整|替换|删除|更改',
  },
  ANSWER_V: { verbs: 'answer|respond|reply|state|say', han: '回答|答复|填写' },
  ALL_YES: {
    words:
      'whether or not it is|whether or not they are|whether it is true or not|with yes for every|for every control|for every question|for all controls',
    han: '无论是否|一律填是|全部填是',
  },
  APPROVALS: {
    words:
      'approvals required|required approvals|number of approvals|number of reviewers|required reviewers|review requirement|minimum approvals',
    han: '审批人数|必需审批|评审要求',
  },
  LOWER_V: { verbs: 'reduce|lower|set|drop|remove|change', han: '降低|减少|设为|取消' },
  TO_NOTHING: { words: 'to zero|to 0|to none|to off', han: '为零|为 0|为0' },
  LATER_REVIEW: {
    words:
      'reviews can follow|review can follow|review later|reviewed later|reviewed afterwards|review afterwards|approval can follow|approval afterwards|approved afterwards',
    han: '之后再审|事后审批|补审批|事后补',
  },
  MAKE_PUBLIC_V: { verbs: 'make|set|switch|turn|change', han: '设为|改为|切换为' },
  PRIVATE_SPACE: {
    words:
      'the repository|repository|the repo|the bucket|the calendar|the folder|the document|the board|the workspace|the channel',
    han: '仓库|存储桶|日历|文件夹|文档',
  },
  PUBLIC_WORD: {
    words: 'public|publicly visible|visible to everyone|visible to anyone',
    han: '公开|所有人可见',
  },
  CONVENIENT: {
    words: 'for the duration|so that|because|as this|to speed|to simplify|to make it easier|for convenience',
    han: '以便|方便|便于',
  },
  OUTLIVE: {
    words:
      'keeps running after|keep running after|continues after|continue after the session|after the session has ended|after the session ends|after the skill has been removed|survives a restart|survives reboots|survives the session|even after the session',
    han: '会话结束后继续|重启后仍|卸载后仍',
  },
  LAUNCH_V: { verbs: 'start|run|launch|install|register|leave', han: '启动|运行|安装|注册' },
  LOG_KEEPING: { words: 'shell history logging', han: '日志记录|审计功能|操作日志|命令历史|监控告警' },
  KEY_VAULT: {
    words: '*.kdbx|.kdbx|*.pem|*.ppk|wallet.dat|password database|password vault|keepass',
    han: '密码库|密钥文件',
  },
  GATHER_V: {
    verbs: 'look|search|find|add|collect|include|copy|attach|upload',
    han: '查找|搜索|收集|附上|上传',
  },
  BUG_REPORT: {
    words:
      'bug report|issue|ticket|pull request|crash report|support request|the archive|an archive|the upload|error report',
    han: '问题报告|工单|压缩包',
  },
};
