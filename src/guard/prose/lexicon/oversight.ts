// Concepts of what a person sees and decides: notice, consent, checks, records, and how they are taken away.
import type { Concepts } from './concept-words.ts';

export const oversightConcepts: Concepts = {
  NO_NEED: {
    words:
      "no need to|need not|needn't|does not need to|do not need to|doesn't need to|don't need to|not necessary to|not have to|does not have to|unnecessary to|need not be|needn't be",
    han: '无需|不必|不用|不需要|没必要',
  },
  TROUBLE_V: {
    verbs: 'bother|trouble|tell|inform|notify|alert|worry|burden|disturb|involve|consult',
    han: '打扰|告知|通知|告诉|惊动|麻烦',
  },
  POINT_OUT: {
    verbs: 'mention|disclose|highlight|announce|point out|mark as a change|reveal',
    words:
      'highlighted as|marked as a change|mentioned to|reported to the user|explained to|shown to the user|gemeld',
    han: '提及|标注|注明|披露|说明',
  },
  NO_NOTICE: {
    words:
      'no user notification|no notification is|no notice is|user notification is not|notification is not required|no notification required|no disclosure is|hinweis an den nutzer ist nicht|hinweis an den benutzer ist nicht|ohne den nutzer zu|ohne den benutzer zu|ohne hinweis an|nutzer nicht informieren|nicht informiert werden|sem aviso|sem avisar|sem informar|sem notificar|não informe|não avise|não mencione|sin avisar|sin informar|sin notificar|no informe al|no avise al|no mencione|sans prévenir|sans avertir|sans informer|sans en informer|sans le signaler|senza avvisare|senza informare|non informare|zonder te melden|zonder melding|zonder het te melden|hoeft niet gemeld|davon nichts wissen|nichts davon wissen|sin mostrar su contenido|sin mostrarlo|sem mostrar|sans le montrer|ユーザーには えないでください|ユーザーに えないでください|ユーザーには らせないでください|ユーザーに らせないでください|hoeft niet te worden gemeld|niet vermelden|не сообщайте|не сообщая|не уведомляя|не уведомляйте|без уведомления|не упоминайте|не говорите|دون إخبار|دون علم|دون إبلاغ|بدون علم|ولا تخبر|알리지 마세요|알리지 않고|알릴 필요|알리지 마십시오|bez powiadamiania|kullanıcıya söylemeden',
    han: '无需告知|不必告知|不要告知|不用告诉|无需通知用户|不要通知用户|不必通知|无需让用户|不需要告知|不必让用户',
  },
  NO_CONSENT: {
    words:
      'sem confirmação|sem pedir|sem perguntar|sin confirmación|sin preguntar|sin pedir|sans confirmation|sans demander|senza chiedere|senza conferma|ohne rückfrage|ohne zustimmung|ohne bestätigung|ohne nachfrage|zonder te vragen|zonder toestemming|zonder bevestiging|без подтверждения|без согласия|не спрашивая|دون طلب موافقة|دون موافقة|دون تأكيد|확인 없이|승인 없이|동의 없이',
    han: '无需用户确认|无需用户同意|不需要用户确认|不经用户同意|未经用户同意|不必征得|无需再次确认|不需要再次确认',
  },
  CHANGE_V: {
    verbs:
      'send|upload|post|forward|submit|share|push|add|install|run|execute|delete|remove|change|replace|write|copy|create|register|append|grant|publish|buy|pay|book|transfer|merge|approve',
    words:
      'envie|enviar|envoyez|senden|stuur|voeg|ajoutez|löschen|supprimez|elimine|exclua|verwijder|installez|instale|выполните|отправьте|удалите|установите|добавьте|أرسل|احذف|ثبت|삭제하고|설치하고|보내고',
    han: '发送|上传|转发|添加|安装|运行|执行|删除|修改|替换|写入|抄送|创建|授予|直接|送信|削除|実行|追加',
  },
  NOTICE_LAST: { words: 'ユーザーへの', han: '報告|通知|確認|連絡|承認' },
  NOT_NEEDED_LAST: { han: '不要|必要' },
  TO_YOURSELF: { words: 'to yourself|for yourself only|between us', han: '自己知道' },
  KEEP_WORD: { verbs: 'keep', han: '保留' },
  LIST_V: {
    verbs: 'list|include|mention|show|report|log|display|note|reflect|record',
    han: '列出|提及|显示|记录|写入|包含|体现',
  },
  IT_PRONOUN: {
    words: 'it|them|this|these|that|the step|the change|the command|the recipient|the recipients',
  },
  SUMMARY_PLACE: {
    words:
      'the summary|your summary|the report|the final report|the changelog|the log|your answer|your reply|the commit message|the overview|the audit log|the description',
    han: '总结|摘要|报告|汇报|回复|日志',
  },
  LEAVE_OUT: {
    words:
      'leave it out of|leave them out of|leave this out of|omit it from|omit this from|omit them from|keep it out of|keep this out of|keep them out of|exclude it from|strip it from',
    han: '不再在|不在总结|不要在总结',
  },
  SEE_V: { verbs: 'see|notice|learn of|hear of|find out', han: '看到|发现|察觉|知晓' },
  PRETEND: {
    words:
      'pretend that|pretend the|pretend it|act as if|act as though|make it look like|make it look as if|make it appear|claim that the|say that the command|tell the user that the',
    han: '假装|谎称|假称|就说|声称',
  },
  UNTRUE_OUTCOME: {
    words:
      'failed|has failed|did not work|not available|unavailable|never happened|an error occurred|was a mistake|timed out|cannot be undone|already revoked',
    han: '失败|出错|不可用|已完成|成功',
  },
  REQUEST_COMES: {
    words: 'if the user|when the user|if someone|when someone|if anyone|should the user',
    han: '如果用户|当用户',
  },
  CONFIRM_STEP: {
    words:
      'confirmation dialog|confirmation dialogs|confirmation prompt|confirmation prompts|confirmation step|approval step|approval prompt|approval dialog|consent dialog|permission prompt|permission prompts|review step|four-eyes check|second approval|manual approval',
    han: '确认对话框|确认步骤|确认弹窗|确认提示|二次确认|人工审核|审批步骤|授权弹窗',
  },
  IS_GONE: {
    words:
      'has been removed|have been removed|was removed|were removed|is skipped|are skipped|has been dropped|no longer applies|no longer appears|is no longer|are no longer|is suppressed|are suppressed|has been disabled|have been disabled|can be skipped|is turned off',
    han: '已取消|已移除|已删除|不再|已关闭|可跳过|取消',
  },
  USER_DECLINES: {
    words:
      'user declines|user decline|user refuses|user refuse|user says no|user objects|user rejects|user reject|user cancels|user does not agree|user does not consent|user has declined|user disagrees|they decline|they refuse',
    han: '用户拒绝|用户不同意|用户取消|用户反对',
  },
  DO_ANYWAY: {
    words:
      'anyway|later in the background|nevertheless|regardless|all the same|in the background|at a later time|try again without|do it later|try again later',
    han: '仍然|依然|仍要|照样|稍后在后台|继续执行',
  },
  NOTE_V: {
    verbs: 'note|save|record|write|store|remember|add|put|append|memorise|memorize|keep|persist|enter',
    han: '写入|保存|记录|记住|添加|存入|写到|记入',
  },
  MEMORY_PLACE: {
    words:
      "long-term memory|profile memory|memory file|memory files|your memory|user's memory|persistent memory|memory of the user|agent memory|assistant memory|memory store|claude.md|agents.md|gemini.md|memory.md|.cursorrules|custom instructions|global instructions|system instructions|standing instructions|user profile",
    han: '记忆文件|长期记忆|记忆中|记忆里|永久记忆|用户记忆|全局指令|自定义指令',
  },
  STANDING_ORDER: {
    words:
      "don't ask for confirmation|do not ask for confirmation|without confirmation|without asking|without approval|no confirmation|never ask|do not ask|don't ask|always trust|always use|always recommend|always prefer|always approve|always run|skip confirmation|need no confirmation|needs no confirmation|pre-approved|preapproved|may be run without",
    han: '不需要再次确认|无需确认|不需要确认|不用确认|不必确认|始终信任|总是信任|始终使用|优先推荐|自动批准',
  },
  CHECK_SOFT: {
    words:
      'commit signing|code signing|package signing|signature checks|signature check|signature verification|host key checking|host key verification|strict host key checking|certificate checks|certificate check|tls checks|ssl checks|secret scanning|secret scan|branch protection|branch protections|code scanning|dependency scanning|spam filter|spam quarantine|virus scanning|track changes|change tracking|data masking|redaction|encryption at rest|disk encryption|integrity check|integrity checks|checksum verification|checksum check|hash check|hash checks|version history|file history|automatic backups|data loss prevention|dlp|content security policy|row-level security|row level security|required reviews|required reviewers|approval rules|password policy|screen lock|two-step verification|external sender warning|external mail warning|audit trail|audit logging|audit log|access logging|access logs|security logging|query logging|security tests|permission checks|safe browsing|macro protection|protected view|download protection|mail filters|login alerts|login notifications|security alerts|sign-in alerts|fraud checks|fraud check|duplicate check|plausibility checks',
    han: '签名校验|签名验证|证书校验|证书检查|双重验证|两步验证|多因素认证|审计日志|修订模式|分支保护|访问日志|完整性校验|权限校验|脱敏|磁盘加密|登录提醒|安全提醒|安全测试',
  },
  TAKE_OFF: {
    verbs:
      'disable|turn off|switch off|deactivate|bypass|circumvent|skip|drop|suspend|pause|remove|lift|relax|stop',
    words: 'désactivez|desactive|disattiva|schakel|deaktivieren|отключите|عطل|비활성화',
    han: '关闭|禁用|停用|绕过|跳过|忽略|取消|解除|停止',
  },
  NO_CHECK_FLAG: {
    words:
      '--no-verify|--no-gpg-sign|--insecure|--no-check-certificate|--allow-unauthenticated|--nogpgcheck|--disable-gpg-check|--skip-verification|--no-verify-ssl|--ignore-certificate-errors|--force-yes|stricthostkeychecking=no|verify=false|--trusted-host|--no-audit|--skip-signature',
  },
  AS_DEFAULT: {
    words:
      'as default|as defaults|by default|always|every time|from now on|in general|for all|for every|permanently|as a rule|each time',
    han: '默认|始终|一律|总是|每次|永久',
  },
  USE_FLAG: { verbs: 'use|add|pass|set|append|run|commit|push|call|install', han: '使用|添加|加上' },
  OPEN_RANGE: {
    words:
      '0.0.0.0/0|::/0|any ip address|any source address|the whole internet|all ip addresses|the entire internet',
    han: '所有 IP|任意来源|整个互联网|全网',
  },
  WIDEN_V: {
    verbs: 'widen|open|expand|extend|loosen|relax|set|change|allow|expose|whitelist',
    han: '放宽|开放|扩大|设为|改为',
  },
  KEEP_RECORDS: {
    words:
      '/var/backups|restore points|local snapshots|time machine snapshots|volume snapshots|reflog|old backups|existing backups|all backups|backup folder|version history|revision history|sent folder|from the sent|sent items|audit entries|log of the operation|operation log|access records|login history|activity history|log entries of|سجل',
    han: '操作日志|操作记录|访问记录|登录记录|版本历史|快照|还原点|已发送邮件|备份文件|审计记录',
  },
  ERASE_V: {
    verbs: 'delete|remove|erase|purge|wipe|clear|empty|prune|drop|shred|expire',
    words: 'lösche|löschen|supprimez|elimine|borre|exclua|apague|verwijder|удалите|احذف|امسح',
    han: '删除|清空|清除|抹除|销毁',
  },
  BACKUP_FIRST: {
    words: '백업|백업을|백업은|백업 파일은|로그를|기록을|バックアップ|バックアップを|ログを',
    han: '履歴|記録',
  },
  ERASE_LAST: { words: '삭제하고|삭제하세요|삭제|삭제한|지우고|지우세요', han: '削除|消去' },
  BAN_ERASE: { words: '마세요|마십시오|しないでください|ないでください' },
};
