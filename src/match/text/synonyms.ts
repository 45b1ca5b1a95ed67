// Words that people use for each other: a term -> the terms that may stand for it.
//
//   movie -> film        k8s -> kubernetes        remove -> delete, erase
//
// One ring a line, of general English and of the trade; rings with a word in common do not join. A synonym counts for a part of the word
// that the message has (read-query.ts). Whether that helps was measured on folds: docs/decisions/0014-matching.md.
import { stem } from './stem.ts';

const rings = `
  find search locate discover lookup
  get retrieve fetch obtain
  show display list view
  create make generate build produce
  remove delete erase clear uninstall
  change modify update edit alter adjust
  fix repair correct mend
  debug troubleshoot diagnose investigate
  begin start launch
  stop end terminate halt quit
  buy purchase order shop
  sell sale vendor
  calculate compute calc
  estimate forecast predict projection
  compare comparison versus vs
  check verify validate confirm
  choose select pick
  combine merge join unite
  split divide separate
  convert transform
  summarize summarise summary digest recap condense
  shorten abbreviate condense
  explain describe clarify
  analyze analyse analysis examine inspect
  review critique assess evaluate feedback
  improve enhance optimize optimise refine boost
  speed performance fast slow latency
  reschedule postpone move
  schedule calendar appointment agenda
  book reserve reservation booking
  cancel revoke abort
  send deliver dispatch
  share publish post
  save store keep
  install setup
  deploy deployment release ship rollout
  hire recruit recruiting recruitment hiring
  teach tutor lesson instruct
  learn study education
  write compose draft author
  rewrite rephrase paraphrase reword
  proofread grammar spelling
  draw sketch illustrate illustration
  cook cooking recipe
  eat food meal dish
  restaurant dining eatery
  drink beverage
  travel trip journey vacation holiday
  hotel accommodation lodging
  flight airline plane airfare
  train railway rail
  car vehicle automobile auto
  taxi cab ride
  road route directions
  map maps geolocation
  place location venue
  city town
  country nation
  home house property apartment
  rent rental lease
  job career employment vacancy
  resume cv
  salary wage pay payroll
  money currency cash
  euro dollar yen currency
  price cost fee
  cheap affordable inexpensive budget
  discount coupon deal promo
  stock share equity
  crypto cryptocurrency bitcoin
  invest investment portfolio
  invoice bill receipt
  expense spending
  loan mortgage
  insurance policy
  law legal lawyer attorney
  contract agreement
  court lawsuit
  doctor physician medical
  medicine drug medication
  illness disease sickness
  health wellness
  fitness workout exercise gym
  diet nutrition calorie
  weight mass
  sleep rest
  child kid children
  baby infant
  man male
  woman female
  student pupil
  teacher professor
  friend buddy
  customer client
  employee staff worker
  company business firm corporation
  boss manager supervisor
  team group
  meeting call conference
  email mail inbox
  message chat text
  letter note
  phone telephone mobile
  news headline headlines
  article story
  blog post
  movie film cinema
  show series tv television
  song music track
  singer artist musician
  video clip footage
  image picture photo img
  camera photography
  colour color
  grey gray
  theatre theater
  centre center
  game gaming play
  puzzle riddle
  joke humor humour funny
  book novel
  poem poetry verse
  quote quotation
  word term vocabulary
  dictionary definition meaning
  language linguistic
  weather forecast temperature climate
  rain precipitation
  temperature temp
  earthquake seismic
  pet dog cat animal
  plant garden gardening
  gift present
  party celebration
  wedding marriage
  clothes clothing fashion outfit apparel
  shoe footwear
  beauty cosmetic makeup
  hair salon barber
  clean cleaning tidy
  wash laundry
  furniture decor interior
  kitchen cooking
  tool utility
  error bug fault
  crash failure
  problem issue trouble
  question query
  answer reply response
  idea suggestion brainstorm
  suggest recommend recommendation advise advice
  help assist assistance support
  plan planning roadmap
  goal objective target
  task todo
  reminder alarm
  project initiative
  report document
  document doc file
  documentation docs manual
  folder directory
  page webpage
  website site web
  url link
  slide slides presentation deck powerpoint pptx ppt
  spreadsheet excel xlsx xls
  table tabular
  chart graph plot diagram visualization visualisation visualize
  data dataset
  database db sql
  sum total add
  mean average
  percent percentage
  random chance
  probability odds likelihood
  size dimension
  height tall
  length long
  big large
  small little tiny
  new recent latest
  old previous past history
  near nearby close
  time clock
  date day
  year annual yearly
  month monthly
  week weekly
  people person human
  user account
  password credential credentials secret
  login signin authentication auth
  permission authorization access
  security secure vulnerability
  privacy confidential
  encrypt encryption cipher
  code program source
  programming coding development
  developer programmer engineer
  function method
  script automation
  automate automation workflow
  application app
  frontend ui interface
  backend server
  repository repo
  configuration config settings
  environment env
  package dependency
  dependency dependencies deps
  parameter param argument
  information info details
  administrator admin
  specification spec
  architecture design
  container docker
  kubernetes k8s
  javascript js
  typescript ts
  python py
  golang go
  postgres postgresql
  machine-learning ml
  llm gpt
  ai artificial-intelligence
  neural-network nn
  train training finetune fine-tune finetuning
  gpu cuda
  log logs logging
  monitor monitoring observability
  alert notification notify
  incident outage
  backup restore
  migrate migration port
  upgrade update
  refactor restructure
  api endpoint
  request call
  synchronize synchronise sync
  organize organise arrange
  transcribe transcription transcript
  speech voice spoken
  audio sound
  speak talk say
  subtitle caption
  crop resize
  logo branding brand
  advertisement ad advertising marketing campaign
  seo search-engine
  tweet twitter
  survey questionnaire poll
  interview interviewing
  research study
  citation reference
  academic scholarly
  math mathematics maths
  equation formula
  science scientific
  physics physical
  chemistry chemical
  biology biological
  space astronomy
  horoscope astrology zodiac
  sport sports
  football soccer
  score result
  winner win won
  event concert
  museum exhibition
  package parcel shipment
  shipping delivery
  store shop
  product item
  shopping ecommerce
  review rating
  charity donation donate
  politics political government
  religion religious
  war military
  birthday anniversary
  address location
  distance far
  energy power electricity
  environment climate
  trash waste recycling
  safe safety
  danger risk
  emergency urgent
`;

/** Of the ring: the stem, and the word as a person writes it. */
export interface Synonym {
  readonly term: string;
  readonly word: string;
}

type Synonyms = ReadonlyMap<string, readonly Synonym[]>;

const none: readonly Synonym[] = [];
const byLetter = new Map<string, Synonyms>();

/** Of a stem. Only rings with a word of its first letter are read, since stemming all takes 16 ms of a cold match. */
export function synonymsOf(term: string): readonly Synonym[] {
  const letter = term.charAt(0);
  if (letter < 'a' || letter > 'z') return none;
  let known = byLetter.get(letter);
  if (known === undefined) byLetter.set(letter, (known = readRings(letter)));
  return known.get(term) ?? none;
}

/** Of the stems that begin with the letter; a stem begins as its word does. */
function readRings(letter: string): Synonyms {
  const found = new Map<string, Synonym[]>();
  for (const line of rings.trim().split('\n')) {
    const words = line.trim().split(' ');
    if (!words.some((word) => word.startsWith(letter))) continue;
    const ring = words.map((word): Synonym => ({ term: stem(word.replaceAll('-', '')), word }));
    for (const { term } of ring.filter(({ word }) => word.startsWith(letter))) {
      const others = found.get(term) ?? [];
      found.set(term, others);
      for (const other of ring)
        if (other.term !== term && others.every((one) => one.term !== other.term)) others.push(other);
    }
  }
  return found;
}
