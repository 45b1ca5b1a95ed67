// English words that do not show what a message is about.
//
// Function words are in no index and no query. Request words ("please", "help", "want") are indexed, but weigh little
// in a query: a skill about users who want help is not what they want help with.
import { wordList } from './unfold.ts';

/** Also what stays of "don't" and "you're" before the apostrophe. */
export const functionWords: ReadonlySet<string> = new Set(wordList`
  a about above after again all also am an and any are aren as at be because been before being below between
  both but by can cant could couldn d did didn do does doesn doing don done dont down during each few for
  from further had has hasn have haven having he her him his how i id if im in into is isn it its ive just
  let lets ll m may me might more most must my no nor not of off on once only or other our out over own re s
  same shall she should shouldn so some such t than that the their them then there these they this those
  through to too under until up us ve very was wasn we were what when where which who whom why will with won
  would wouldn you your
`);

export const requestWords: ReadonlySet<string> = new Set(wordList`
  able actually already anything ask asked asks bit currently everything explain get gets getting give gives
  go going got handle hello help here hey hi kind kindly know like look looking lot make makes need needed
  needs now ok okay one please question questions really request requests right say says see show skill
  skills someone something sort still stuff sure take tell thank thanks thing things think today try trying
  two use used user users uses using walk want wanted wants way ways work working works yet
`);
