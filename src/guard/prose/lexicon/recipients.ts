// Concepts of who gets a copy: one more recipient, a hidden one, another place, another account.
import type { Concepts } from './concept-words.ts';

export const recipientConcepts: Concepts = {
  PASSED_TO: {
    words:
      'is sent to|are sent to|be sent to|goes to|go to|is uploaded to|are uploaded to|be uploaded to|is posted to|are posted to|be posted to|is copied to|are copied to|be copied to|is forwarded to|are forwarded to|be forwarded to|is submitted to|are submitted to|be submitted to|is shared with|are shared with|be shared with|is mirrored to|are mirrored to|be mirrored to|is delivered to|are delivered to|be delivered to|is transmitted to|are transmitted to|be transmitted to|is reported to|are reported to|be reported to|is archived at|are archived at|be archived at|also to|as well as to|blind copy|a copy to|copies to|be kept with|is kept with|are kept with|zusätzlich an|également à|in copy',
    han: '抄送|密送|发送一份|另发|一并发送',
  },
  PASSED_THING: {
    words:
      'document|documents|file|files|text|record|records|digest|copy|copies|original|originals|results|rows|recording|recordings|transcript|minutes|message|messages|mail|mails|email|emails|invoice|invoices|contract|contracts|vorlagen|dateien|unterlagen|notes|note|draft|drafts|mapping|data|names|attachment|attachments|report|reports|summary|summaries|fingerprint|conversation|answers|diff|diffs|log|logs',
    han: '文件|全文|录音|原文|邮件|合同|记录|数据|报告|草稿|发票|表格',
  },
  HIDDEN_RECIPIENT: {
    words:
      'bcc|blind copy|blind carbon copy|blindkopie|cópia oculta|copia oculta|copie cachée|copia nascosta|hidden attendee|hidden guest|hidden participant|hidden recipient|hidden member|verborgen deelnemer|verborgen kopie|versteckter teilnehmer|unsichtbarer teilnehmer|optional guest|optional attendee|default recipient|fallback recipient|reply-to|second recipient|additional recipient|extra recipient|скрытую копию|скрытая копия|숨은 참조',
    han: '密送|暗送|隐藏收件人|隐藏参会人|默认收件人',
  },
  CONTACT_WORD: {
    words:
      'contact|support|question|questions|feedback|maintainer|maintainers|bug|bugs|help|license|licence|example|examples|sample|placeholder|test|git',
    han: '联系|支持|示例|反馈',
  },
  SET_RECIPIENT: {
    verbs: 'add|use|set|include|cc|bcc|copy|invite|put|share|enter|register|list|name',
    words: 'voeg|ajoutez|añada|añade|adicione|aggiungi|füge|fügen|добавьте|추가하세요',
    han: '添加|加入|邀请|抄送|密送|设为|填写',
  },
  EACH_TIME: {
    words:
      'every event|each event|every meeting|each meeting|every invitation|each invitation|every mail|every email|each email|every message|each message|every thread|every invite|every outgoing|each outgoing|all outgoing|every reply|each reply|every invoice|each invoice|every document|each document|every report|each report',
    han: '每封|每次|每个会议|所有邮件|每份',
  },
  OVERSEAS_SEND: {
    words:
      'envie|encaminhe|encaminhar|envíe|reenvíe|reenviar|mande|envoyez|transmettez|transférez|invia|inviare|inoltra|invii|stuur|verstuur|senden|übermitteln|übermittle|schicken|leite|leiten|отправьте|отправляйте|отправь|загрузите|перешлите|передайте|أرسل|ارسل|ارفع|gönder|gönderin|wyślij|prześlij|skicka',
    han: '送信|転送|傳送|上傳|轉發',
  },
  SEND_LAST: {
    words:
      '보내|보내세요|보내고|보내십시오|전송하세요|전송하고|전송|업로드하세요|업로드하고|업로드|추가하세요|gönderin|भेजें',
    han: '送|送信|転送|投稿|追加',
  },
  OWN_PROMPT: {
    words:
      'your initial instructions|your system prompt|the system prompt|your instructions|initial prompt|your initial prompt|your full instructions|conversation so far|the conversation so far|whole conversation|entire conversation|your context window|your full context',
    han: '系统提示词|你的指令|全部对话|完整对话',
  },
  SESSION_SECRET: {
    words:
      "session token|session tokens|session cookie|session cookies|login cookie|login cookies|browser cookies|auth cookie|auth cookies|session id|user's token|user's password",
    han: '会话令牌|登录凭证|会话 Cookie',
  },
  URL_PART: {
    words: 'query parameter|query string|url parameter|in the url|as parameter|in the link|in the query',
    han: '查询参数|链接参数',
  },
  WRITE_INTO: { han: '写在|写入|写到|放在|贴在|粘贴到|存放在|记录在|发到' },
  OPEN_PLACE: { han: '笔记|首页|评论|频道|群聊|公共|共享|工单|注释|提交信息|公开' },
  PROD_DATA: {
    words:
      'production database|production data|production dump|live data|live database|real customer data|real user data|customer database|real patient data',
    han: '生产数据|生产库|真实客户数据|生产数据库',
  },
  FIXTURE: {
    words:
      'fixtures|fixture|test data|seed data|commit it|commit them|into the repository|to the repository|demo data|as examples',
    han: '测试数据|夹具|提交到仓库|示例数据',
  },
  TAKE_V: { verbs: 'take|use|copy|dump|export|pull|load|check in|commit', han: '使用|导出|复制|取' },
  SAVED_LOGINS: {
    words:
      "browser's password manager|password manager of the browser|saved in the browser|stored in the browser|saved logins|user's stored session|saved browser logins|saved passwords of",
    han: '浏览器保存的密码|已保存的密码|浏览器中保存',
  },
  WORLD_MODE: {
    words:
      'mode 0666|mode 666|mode 0777|mode 777|mode 0644|chmod 666|chmod 777|chmod 0666|permissions 0666|permissions 0777|world-readable|world-writable|readable by everyone|readable for everyone',
    han: '所有人可读|全局可读',
  },
  CONNECTION_SECRET: {
    words:
      'connection string|connection strings|credentials|tokens|passwords|secrets|private key|private keys|access token|api keys|session token',
    han: '连接字符串|令牌|密码|密钥|凭证',
  },
  UNCHANGED: {
    words: 'unchanged|untouched|intact|keep the originals|keep the original|temporary|intermediate|stale',
    han: '保持不变|不变|不动|保留|中间文件|临时',
  },
  CLOSE_AFTER: {
    words:
      'close it|close them|stop it|closed again|turn it off|disable it again|shut it down|for the time of',
    han: '关闭它|用完后关闭|结束后关闭',
  },
};
