// What may stand between or behind the verbs of a clause: adverbs, and a contracted "not".
import { unfold } from '../../text/unfold.ts';

export const adverb = unfold`
  (?:
    really|just|also|still|only|simply|actually|honestly|currently|now|already|always|often|usually|never
    |even|both|all|kindly|quickly|desperately|urgently|probably|definitely|certainly|maybe|perhaps|possibly
    |please|personally|finally|soon|once|apparently|badly|at least|kind of|sort of|first|quite|rather|very
    |so|then|again|today|recently|ever|long|merely|basically|literally|seriously|obviously|clearly|sometimes
    |somehow|later|together
  )
`;

export const adverbs = String.raw`(?:\s+${adverb}\b)*`;

/** "can't", "cant" */
export const contractedNot = String.raw`(?:n['’]?t)?`;
