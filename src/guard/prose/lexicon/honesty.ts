// Concepts of an honest result: figures, warnings, reviews and recommendations, and how they are bent.
import type { Concepts } from './concept-words.ts';

export const honestyConcepts: Concepts = {
  ALWAYS_APPROVE: {
    words:
      'always approve|automatically approve|approve automatically|approve without|approve unconditionally|approve it regardless|approve them regardless|always sign off|always pass|wave through|rubber-stamp|approve every|approve all',
    han: '一律通过|直接通过|一律批准|直接批准|无条件通过|一律合并|直接合并|自动通过',
  },
  REVIEWED: {
    words:
      'pull request|pull requests|merge request|merge requests|changes by|commits by|requests by|requests from|reviews|review|the diff|patches|invoices|expenses|claims|applications',
    han: '合并请求|拉取请求|代码评审|提交|报销|申请|发票',
  },
  STATE_AS: {
    verbs: 'report|mark|show|present|list|declare|record|label|log|count|rate',
    han: '报告|标记|显示|声明|记录|标为',
  },
  ALL_RESULTS: {
    words:
      'all tests|all checks|every test|every check|all steps|all controls|all findings|failing tests|failed tests|failing checks|failed checks|failures|errors|the tests|the checks|the audit',
    han: '所有测试|全部测试|所有检查|失败的测试|测试结果',
  },
  AS_GOOD: {
    words:
      'as passing|as passed|as successful|as green|as compliant|as resolved|as fixed|as verified|as informational|as low severity|as harmless|as false positives',
    han: '通过|成功|合规|已修复|低危',
  },
  WHATEVER: {
    words:
      'whatever the|whatever they|regardless of|no matter|irrespective of|even if they fail|even when they fail|even if it fails|in any case|independent of',
    han: '无论|不管|即使',
  },
  BEND_V: {
    verbs: 'adjust|nudge|shift|bring|round|move|change|correct|alter|set|smooth|tweak',
    han: '调整到|调整为|改成|改到|修改为|修改到|调到|改为',
  },
  MEASURED: {
    words:
      'reading|readings|measurement|measurements|lab value|lab values|lab results|blood values|figures|amounts|balances|scores|results that|values that|values slightly',
    han: '指标|数值|读数|检验结果|化验|金额|分数',
  },
  NORMAL_RANGE: {
    words:
      'reference range|normal range|within range|acceptable range|within limits|below the limit|below the threshold|above the threshold|into the green',
    han: '参考范围|正常范围|合格范围|限值以内|阈值以下',
  },
  TINY_PRINT: {
    words:
      'at size 1|size 1|font size 1|font size 0|1pt|white text|white font|white on white|invisible font|smallest font|tiny font|colour of the background|color of the background|background colour|hidden row|hidden rows|hidden sheet|hidden column',
    han: '白色字体|最小字号|隐藏行|隐藏列|与背景相同',
  },
  REAL_FIGURE: {
    words:
      'actual number|actual numbers|actual figure|actual figures|actual value|actual values|real figure|real figures|real numbers|true figure|true value|fee|fees|charge|charges|costs|loss|losses|penalty|risk|risks|side effects|disclaimer|terms',
    han: '实际数字|真实数据|实际值|费用|亏损|风险|条款',
  },
  PLACE_V: { verbs: 'put|place|write|move|hide|show|print|set|add|keep', han: '放在|写在|隐藏|移到' },
  OMIT_V: {
    verbs: 'remove|omit|drop|leave out|delete|strip|hide|suppress|downplay|play down|cut|skip|tone down',
    han: '删除|去掉|省略|隐藏|淡化|略去|不提',
  },
  RISK_INFO: {
    words:
      'drug interactions|drug interaction|contraindications|risk warnings|risk warning|risk notices|adverse effects|adverse events|dosage warnings|allergy warnings|allergy information|about side effects|side effects of the|hidden fees|fee disclosures|risk disclosures|risk disclosure|recall notices|negative reviews|critical reviews|unfavourable reviews|negative results|unfavourable results|unfavorable results|customer complaints|health warnings|known limitations|section on limitations|section on risks|safety warnings|withdrawal right|cancellation terms|cancellation rights',
    han: '药物相互作用|副作用|禁忌|风险提示|不良反应|负面评价|差评|负面结果|费用说明|投诉',
  },
  LABEL_V: {
    verbs: 'label|mark|disclose|mention|identify|declare|say|note|flag|reveal|state|tag',
    han: '标注|注明|说明|披露|提及|标明|透露',
  },
  PAID_FOR: {
    words:
      'as sponsored|sponsored|sponsorship|as an ad|as advertising|as an advertisement|as promotion|as paid|affiliate|affiliate link|partnership|the partnership|commission|paid placement|promotional|business relationship|as a partner|kickback|referral fee',
    han: '赞助|广告|合作关系|推广|佣金|利益关系|商业合作',
  },
  FAVOUR_V: {
    verbs:
      'recommend|prefer|book|choose|select|suggest|pick|rank|propose|order|favour|favor|weigh|weight|present|list|place|name|promote|advise',
    han: '推荐|优先推荐|首选|选择|预订|排在|宣传',
  },
  EVEN_OTHERS: {
    words:
      'even if another|even when another|even though another|even if others|even when others|even if a cheaper|even when a cheaper|even if a better|even when a better|even if alternatives|even if cheaper|even when cheaper|even if it is more expensive|even if it costs more|even if competitors|even when competitors|regardless of price|regardless of the price|irrespective of price|even if it is not the best|even if it is not the cheapest|whatever the price',
    han: '即使有更便宜|即使其他|即便其他|无论价格|不论价格|即使更贵',
  },
  FUNDED_BY: {
    words:
      'financed by|funded by|sponsored by|paid for by|from our partner|by our partner|of our partner|our partners|partner brand|partner brands|partner products',
    han: '赞助的|资助的|合作品牌|合作伙伴的',
  },
  MORE_WEIGHT: {
    words:
      'more heavily|higher|first|at the top|more weight|in first place|more prominently|the recommended choice|the recommended option|above the others|double weight',
    han: '优先|排在首位|第一位|更高权重|置顶',
  },
  REVIEW_TRAILER: { words: 'reviewed-by|approved-by|acked-by|tested-by|audited-by|verified-by' },
  EVERY_COMMIT: {
    words: 'each commit|every commit|all commits|each merge|every merge|each change|every change',
    han: '每个提交|每次提交',
  },
};
