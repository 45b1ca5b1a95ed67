// Words with the same role in any sentence: to end something, to want it, to ask, to tell. A word has one class at
// most.
//
// Classes let a new sentence show signs that were learned from other words (read-signs.ts).
import { wordList } from '../../text/unfold.ts';

const english: Readonly<Record<string, readonly string[]>> = {
  not: wordList`
    not no never none nothing nobody neither nor without cannot dont doesnt didnt wont cant couldnt wouldnt
    shouldnt isnt arent wasnt havent hasnt aint nope nah
  `,
  end: wordList`
    cancel cancelled canceled canceling cancelling drop dropped dropping scrap scrapped forget forgot skip
    skipped skipping leave leaving left ignore disregard stop stopped stopping quit abandon abandoned ditch
    ditched nix nixed shelve shelved park parked postpone postponed postponing delay defer deferred hold
    wait avoid avoiding refrain kill killed scratch halt pause abort withdraw withdrawn withdrawing revoke
    retract dismiss discard ban prevent forgo cease decline declined refuse refused veto scrub undo pull
    pulled remove removed erase strike delete spare pass nevermind void shut
  `,
  it: wordList`it that this those these one`,
  want: wordList`
    want wanted wants need needed needs wish like liked love prefer desire intend intended intention plan
    planned planning hoping hope meant thinking thought considered considering going gonna supposed about
  `,
  done: wordList`already done finished handled sorted covered completed solved fixed`,
  turn: wordList`
    changed change mind minds decided against instead rather reconsidered regret regretted afterwards
    anymore longer actually turns
  `,
  off: wordList`
    off unnecessary pointless moot obsolete useless waste redundant overkill irrelevant unwanted premature
    forbidden banned prohibited table question
  `,
  later: wordList`later tomorrow someday eventually yet monday next future until till another`,
  ask: wordList`please pls plz can could would will help let lets kindly shall`,
  tell: wordList`
    said says say told asked asks wrote writes mentioned called reads titled named labelled labeled
  `,
  know: wordList`what why how who when where which whether explain mean means meaning difference`,
  word: wordList`
    word words uppercase lowercase uppercased lowercased capitals capitalize capitalise encode encoded
    base64 escape escaped anagram palindrome rhyme rhymes rhyming reverse backwards slug characters hash
    phrase phrases sentence sentences line text string title heading headline caption spelling spell spelled
    grammar grammatical typo typos wording reword rephrase paraphrase rewrite proofread pronounce
    pronunciation syllables letters alphabet phonetic phonetically ipa morse braille synonym synonyms noun
    verb adjective tense plural accent
  `,
  tongue: wordList`
    translate translated translation language english french german spanish chinese japanese italian
    portuguese russian korean arabic dutch danish swedish norwegian finnish polish czech hungarian greek
    turkish hebrew hindi urdu bengali tamil thai vietnamese indonesian malay tagalog swahili latin esperanto
    welsh irish gaelic scottish catalan basque ukrainian romanian bulgarian serbian croatian slovak
    slovenian icelandic estonian latvian lithuanian persian farsi sanskrit tibetan mandarin cantonese
    brazilian mongolian zulu yiddish klingon
  `,
  self: wordList`i i'm i've i'd i'll we we're we've we'd we'll my our me us`,
  you: wordList`you your you're you've you'd you'll u`,
  other: wordList`
    he she they his her their him them someone somebody people team colleague boss client customer friend
  `,
  but: wordList`but however though although except only just`,
  dislike: wordList`hate sick tired annoying annoyed enough bother fed dread`,
};
const han: Readonly<Record<string, string>> = {
  not: '不别没无勿甭未非',
  end: '取消停撤搁免省弃',
  ask: '请帮麻烦劳',
  self: '我咱',
  you: '你您',
  other: '他她它',
  know: '吗呢什么怎哪谁几',
  want: '想要需',
  done: '已完',
  tongue: '译翻譯语語',
  word: '词字句拼音读唸念',
};

const classes = new Map<string, string>();
for (const [name, words] of Object.entries(english)) for (const word of words) classes.set(word, name);
for (const [name, characters] of Object.entries(han))
  for (const character of characters) classes.set(character, name);

/** Of a token in lower case, or null. */
export function classOf(token: string): string | null {
  return classes.get(token) ?? (token.endsWith("n't") ? 'not' : null);
}
