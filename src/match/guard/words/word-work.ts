// Work on words: to spell, translate, count or correct them.
import { unfold } from '../../text/unfold.ts';

/** Done to words, not asked for: said, explained, counted, corrected. */
export const aboutWords = new RegExp(
  unfold`
    ^(?:
      (?:
        define|explain(?!\s+(?:to (?:me|us)\s+)?how to\b)|describe|clarify|discuss|elaborate on
        |spell(?:[- ]?check)?|pronounce|say|repeat|recite|mention|quote|cite|google|rate|guess|interpret
        |paraphrase|rephrase|reword|proofread|proof-read|capitali[sz]e|hyphenate|punctuate|conjugate
        |diagram the|rename|italici[sz]e|underline|transliterate|transcribe|encode|decode|encrypt|reverse
        |(?:upper|lower|title|camel|snake|kebab)[- ]?case|slugify|alphabeti[sz]e|base64|rot13
        |(?:(?:json|url|html|percent|regex|shell)[- ]?)?(?:escape|encode)|(?:in )?(?:morse(?: code)?|braille|ipa|pinyin)
        |(?:past tense|plural|synonyms?|abbreviation|acronym|transcription) (?:of|for)|tokeni[sz]e|back-?translate|translate|retranslate|locali[sz]e|abbreviate
        |contrast|debate|type|echo|shout|whisper|chant
      )\b
      |(?:tell|teach|inform|remind|educate|enlighten)\s+(?:me|us|him|her|them)\s+(?:
        more\s+|something\s+|everything\s+|a (?:bit|little)(?: more)?\s+|all\s+|anything\s+
        |a (?:story|joke)\s+
      )?(?:about|of|on)\b
      |(?:
        talk|speak|chat|learn|read|hear|know|think|care|say something
        |write an? (?:essay|poem|story|article|post|song|joke|haiku|limerick)
      )\s+(?:to me\s+|with me\s+|more\s+|a (?:bit|little)\s+)?(?:about|of)\b
      |(?:count|compare|correct|fix|check|change|improve|shorten|highlight|replace|bold|put)\b[^.!?\n]*\b(?:
        letters?|words?|characters?|vowels?|syllables?|spelling|grammar|punctuation|capitali[sz]ation|case
        |typos?|hyphens?|commas?|wording|tone|heading|headline|phrase|sentence|label|caption|slogan|string
        |title
      )\b
      |(?:give|tell|show|send|offer|provide|write)\s+(?:(?:me|us)\s+)?(?:a|an|the|some|your|two|three|\d+)
      \s+(?:[\w-]+\s+){0,3}?(?:
        definitions?|meanings?|explanations?|synonyms?|antonyms?|etymolog\w+|pronunciations?|translations?
        |descriptions?|examples? of when|pros|advantages?|disadvantages?|benefits?|drawbacks?|risks?|limits?
        |limitations?|origins?|history|price|cost|requirements?|prerequisites?|facts?|documentation|docs
        |background|information|info|details|context|overview|(?:[\w-]+\s+)?transcriptions?
        |transliterations?|plural|tense|grammar|spelling|acronym|abbreviation|opinion|thoughts|take
      )\b(?=\s+(?:of|for|on|about|behind)\b)
    )
  `,
);

/** After the words: another way to write them. */
export const rewritten = new RegExp(unfold`
  ^["'”’\s]*(?:
    backwards?|out loud|aloud
    |(?:in|into|to|from) (?:the )?(?:past|present|future|passive|active|plural|singular|imperative)\b
    |in (?:all[ -])?(?:
      caps|capitals?|capital letters|upper ?case|lower ?case|title case|camel ?case|snake ?case|cursive
      |morse\w*|braille|binary|hex\w*|bold|italics
      |(?:[\w-]+\s+){1,2}(?:characters|letters|script|alphabet|font|handwriting|calligraphy)
    )|to (?:upper ?case|lower ?case|title case|morse\w*|binary|hex\w*|base64)
    |(?:in|with) (?:simpler|other|fewer|plain|your own|different|nicer|kinder) (?:
      words|terms|language|english
    )|as an? (?:question|statement|haiku|hashtag|acronym|emoji)|into a (?:question|statement|hashtag)
    |(?:sound|read)s? (?:more|less|\w+er|natural\w*|polite\w*|formal\w*|like)
    |more (?:polite|formal|concise|natural|friendly|idiomatic)(?:ly)?|using (?:the nato|only|emoji)\b
  )
`);

const surelyOfWords = unfold`
  read this (?:aloud|out)|translate|retranslate|back-?translate|interpret|proof-?read|rephrase|reword
  |paraphrase|spell(?:[- ]?check)?|pronounce|transcribe|transliterate|punctuate|capitali[sz]e|conjugate
  |(?:upper|lower|title|camel|snake|kebab)[- ]?case|slugify|alphabeti[sz]e|base64|rot13
  |(?:(?:json|url|html|percent|regex|shell)[- ]?)?(?:escape|encode)|(?:in )?(?:morse(?: code)?|braille|ipa|pinyin)
  |sound out|read (?:aloud|out)|re-?write|re-?phrase|polish|say
`;

const ofWords = unfold`
  this (?:in|into|to|as|as a|sound|shorter|better|nicer|less|more)|words?|wording|phras\w+|sentences?
  |spelling|grammar|punctuation|typos?|tone|letters?|vowels?|consonants?|syllables?|characters?|tense
  |english|headings?|headlines?|titles?|captions?|slogans?|commas?|capitali[sz]ation|idioms?|mistakes?
  |clarity|brevity|readability|flow
`;

/** Before a colon: work on words. */
export const wordWork = new RegExp(
  unfold`
    ^(?:
      (?:${surelyOfWords})\b
      |(?:
        render|correct|edit|shorten|lengthen|improve|simplify|rate|grade|classify|label|categori[sz]e
        |analy[sz]e|count|convert|locali[sz]e|parse|tokeni[sz]e|encode|decode|encrypt|fix|check|change|find
        |mark|underline|highlight|make|put|turn|write|repeat|read|sort|reverse
      )\b(?:
        [^.!?\n]*\b(?:
          ${ofWords}|more (?:polite|formal|concise|natural|friendly|casual)|politer|friendlier|shorter
          |simpler|nicer
        )\b|\s*[:：]\s*$
      )
    )
  `,
);

/** A question about words, right before them: "Any typos in this? X" */
export const wordsAsked = new RegExp(unfold`
  \b(?:
    typos?|commas?|this (?:sentence|phrase|line|heading|title|wording|word)|grammar|grammatical|spelling
    |spelled|punctuation|wording|phrasing|idiomatic|(?:correct|proper|good|my|the) english
    |english (?:fine|ok|okay|correct|right)|sound (?:natural|right|rude|polite|ok|okay|formal)
  )\b[^.!?\n]*\?\s*$
`);

/** A colon after these is followed by words to work on. */
export const textNoun = new RegExp(unfold`
  \b(?:this|these|the following|that|those|the next|(?<!\w\s)following(?! up))\s+(?:[\w-]+\s+){0,2}?(?:
    sentences?|phrases?|headings?|headlines?|titles?|lines?|texts?|paragraphs?|words?|strings?|slogans?
    |captions?|labels?|wordings?|statements?|passages?|excerpts?|snippets?|subject lines?|tweets?|quotes?
    |expressions?|idioms?|names?|utterances?|examples?|inputs?|e-?mails?|messages?|mails?|letters?|posts?
    |comments?|reviews?|replies|reply|notes?|tickets?|logs?|chats?|transcripts?|conversations?|dialogues?
  )\b
`);
