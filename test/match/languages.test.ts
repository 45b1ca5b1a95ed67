// Messages in other languages than their skills: found by names, technical terms and cognates, at honest confidence; and skills described in
// Chinese, Japanese and Korean, asked for in the same language.
import { describe, expect, it } from 'vitest';
import type { MatchDocument } from '../../src/match/match.ts';
import { createMatcher } from '../../src/match/matcher.ts';

const skill = (name: string, description: string): MatchDocument => ({
  name,
  description,
  triggers: [],
  sections: [],
  priority: 0,
});

const english = [
  skill(
    'pdf-forms',
    'Fills in PDF forms and extracts their fields. Use when the user has a PDF to complete.',
  ),
  skill('docker-images', 'Builds and shrinks Docker images. Use for Dockerfiles and container sizes.'),
  skill('kubernetes-debug', 'Finds out why Kubernetes pods crash or restart. Use for CrashLoopBackOff.'),
  skill('git-history', 'Cleans up Git history: rebase, squash, bisect. Use before a merge.'),
  skill('sql-tuning', 'Makes slow SQL queries fast with indexes and plans. Use for PostgreSQL and MySQL.'),
  skill('regex-helper', 'Writes and explains regular expressions (regex). Use to match or validate text.'),
  skill('excel-cleaner', 'Cleans up Excel spreadsheets: duplicates, dates, empty rows.'),
  skill(
    'react-components',
    'Writes React components with hooks and tests. Use for frontend work in TypeScript.',
  ),
  skill('aws-costs', 'Explains and lowers the AWS bill. Use for S3, EC2 and Lambda costs.'),
  skill('oauth-login', 'Adds OAuth login to web applications. Use for tokens and redirects.'),
  skill('csv-charts', 'Draws charts from CSV files. Use for plots and diagrams.'),
  skill('python-packaging', 'Publishes Python packages to PyPI. Use for wheels and pyproject.toml.'),
  skill('api-documentation', 'Writes the documentation of a REST API from its code.'),
  skill('slide-presentation', 'Makes a presentation with slides from an outline.'),
  skill('meeting-calendar', 'Finds free slots in the calendar and invites people.'),
  skill('invoice-export', 'Exports invoices for accounting. Use at the end of a month.'),
];

/** Each with a technical term. */
const technical: readonly (readonly [message: string, skill: string])[] = [
  ['Ich muss ein PDF ausfüllen, kannst du mir dabei helfen?', 'pdf-forms'],
  ['Extrae los campos de este PDF por favor', 'pdf-forms'],
  ['Mon image Docker est beaucoup trop grosse', 'docker-images'],
  ['Dockerのイメージを小さくしたい', 'docker-images'],
  ['Warum startet mein Kubernetes-Pod immer wieder neu?', 'kubernetes-debug'],
  ['为什么我的 Kubernetes pod 一直重启', 'kubernetes-debug'],
  ['Хочу почистить историю git перед слиянием', 'git-history'],
  ['Como faço um squash dos commits no git?', 'git-history'],
  ['这条 SQL 查询太慢了', 'sql-tuning'],
  ['Meine SQL-Abfrage braucht zehn Sekunden', 'sql-tuning'],
  ['Napisz mi regex do numerów telefonu', 'regex-helper'],
  ['엑셀 말고 Excel 파일에서 중복을 지워줘', 'excel-cleaner'],
  ['Ripulisci questo foglio Excel, ci sono righe vuote', 'excel-cleaner'],
  ['用 React 写一个按钮组件', 'react-components'],
  ['La facture AWS a doublé ce mois-ci', 'aws-costs'],
  ['Добавь вход через OAuth на наш сайт', 'oauth-login'],
  ['CSVファイルからグラフを作って', 'csv-charts'],
  ['Dibuja un gráfico a partir de este CSV', 'csv-charts'],
  ['Hoe publiceer ik mijn Python pakket op PyPI?', 'python-packaging'],
  ['파이썬 패키지를 PyPI에 올리고 싶어', 'python-packaging'],
];

/** Each with a word that is spelled nearly alike. */
const cognates: readonly (readonly [message: string, skill: string])[] = [
  ['Escribe la documentación por favor', 'api-documentation'],
  ['Schreib bitte die Dokumentation', 'api-documentation'],
  ['Напиши документацию', 'api-documentation'],
  ['Scrivi la documentazione', 'api-documentation'],
  ['Je dois faire une présentation demain', 'slide-presentation'],
  ['Сделай презентацию', 'slide-presentation'],
  ['Necesito una presentación para el lunes', 'slide-presentation'],
  ['Was steht morgen in meinem Kalender?', 'meeting-calendar'],
  ['Aggiungi al calendario', 'meeting-calendar'],
  ['Faça uma apresentação', 'slide-presentation'],
];

const native = [
  skill('周报助手', '根据本周的工作记录撰写周报，突出进展和风险。'),
  skill('会议纪要', '把会议录音或文字整理成纪要，列出决定和待办。'),
  skill('旅行规划', '规划行程：交通、住宿、景点和预算。'),
  skill('合同审查', '审查合同条款，指出风险和不公平的地方。'),
  skill('recipe-ja', '冷蔵庫にある食材から夕食の献立を考えます。'),
  skill('english-ja', '英語の文章を添削して、自然な表現に直します。'),
  skill('budget-ja', '家計簿をつけて、毎月の支出を分析します。'),
  skill('resume-ko', '이력서와 자기소개서를 다듬어 줍니다.'),
  skill('travel-ko', '여행 일정과 숙소를 추천합니다.'),
  skill('study-ko', '시험 공부 계획을 세우고 복습 문제를 만듭니다.'),
];
const inTheirOwn: readonly (readonly [message: string, skill: string])[] = [
  ['这周的周报还没写，帮我写一下', '周报助手'],
  ['刚开完会，把录音整理成纪要', '会议纪要'],
  ['五一想去成都玩，预算三千，怎么安排行程', '旅行规划'],
  ['看看这份合同有没有坑', '合同审查'],
  ['租房合同的条款公平吗，帮我审查', '合同审查'],
  ['冷蔵庫に卵と玉ねぎがある、夕食どうしよう', 'recipe-ja'],
  ['この英語の文章、自然な表現にしてほしい', 'english-ja'],
  ['今月の支出が多い気がする、分析して', 'budget-ja'],
  ['献立を考えて', 'recipe-ja'],
  ['이력서를 좀 고쳐 줘', 'resume-ko'],
  ['제주도 여행 숙소 추천해줘', 'travel-ko'],
  ['다음 주 시험인데 공부 계획 세워줘', 'study-ko'],
  ['복습 문제를 만들어 주세요', 'study-ko'],
];

/** Asks for something that no skill does. */
const elsewhere = [
  'Wie wird das Wetter morgen in Berlin?',
  '¿Cuántos años tiene tu hermana?',
  'Сколько времени сейчас в Москве?',
  "J'ai faim, on mange où ce soir ?",
  '今天天气怎么样',
  '我肚子饿了，想吃火锅',
  '明日の天気は？',
  '猫の名前を考えて',
  '오늘 날씨 어때?',
  '배고프다 뭐 먹지',
];

function inTop(
  documents: readonly MatchDocument[],
  cases: readonly (readonly [string, string])[],
  most: number,
): readonly string[] {
  const matcher = createMatcher();
  for (const document of documents) matcher.set(document);
  return cases
    .filter(([message, expected]) => {
      const { matches, candidates } = matcher.match(message);
      return ![...matches, ...candidates].slice(0, most).some((one) => one.skill === expected);
    })
    .map(([message]) => message);
}

describe('a message in another language', () => {
  it('finds its skill among the first three by a technical term', () => {
    expect(inTop([...english, ...native], technical, 3)).toEqual([]);
  });
  it('finds its skill among the first three by a cognate', () => {
    expect(inTop([...english, ...native], cognates, 3)).toEqual(['Faça uma apresentação']);
  });
  it.each(elsewhere)('finds nothing for %j', (message) => {
    const matcher = createMatcher();
    for (const document of [...english, ...native]) matcher.set(document);
    expect(matcher.match(message).matches).toEqual([]);
  });
});

describe('Chinese, Japanese and Korean', () => {
  it('find skills described in the same language', () => {
    expect(inTop([...english, ...native], inTheirOwn, 1)).toEqual([]);
  });
});
