// Plain requests find their skill, and other messages find none, in libraries of one skill as of twenty.
import { describe, expect, it } from 'vitest';
import type { MatchDocument } from '../match.ts';
import { createMatcher } from '../matcher.ts';

/** Name, description, a message that it fits. */
const skills: readonly (readonly [name: string, description: string, message: string])[] = [
  [
    'release-notes',
    'Writes release notes from the git history. Use when a version ships.',
    'write the release notes for version 2.4',
  ],
  [
    'pdf-forms',
    'Fills in PDF forms and extracts their fields.',
    'please complete the attached PDF form with my address',
  ],
  ['tides', 'Tells when the tide is high or low at a harbour.', 'tell me the tides for Saturday'],
  [
    'commit-message',
    'Writes a commit message for the staged changes. Use before committing.',
    'write a commit message',
  ],
  [
    'sql-tuning',
    'Makes slow SQL queries faster by reading their query plans.',
    'this SQL query is slow, make it faster',
  ],
  [
    'meeting-minutes',
    'Turns a transcript of a meeting into minutes with decisions and actions.',
    'turn this transcript into minutes',
  ],
  ['image-resize', 'Resizes and converts images, such as PNG to WebP.', 'resize photo.png to half its size'],
  [
    'invoice',
    'Creates an invoice for a customer from hours worked.',
    'I was at the site for 30 hours, make me an invoice',
  ],
  [
    'code-review',
    'Reviews a pull request or a diff for bugs, style and missing tests.',
    'do a review of the branch and tell me about missing tests',
  ],
  [
    'translate-docs',
    'Translates documentation into other languages and keeps the markup.',
    'put the documentation into French and keep the markup',
  ],
  ['deploy-staging', 'Deploys the current branch to the staging server.', 'deploy this branch to staging'],
  [
    'backup-database',
    'Backs up a Postgres database and verifies that the backup can be restored.',
    'make a backup of the postgres database before the migration',
  ],
  ['rename-files', 'Renames many files by a pattern.', 'rename all these files by date'],
  ['calendar', 'Adds appointments to the calendar and finds free slots.', 'find a free slot in my calendar'],
  ['spell-check', 'Checks the spelling and grammar of a text.', 'check the spelling of my letter'],
  [
    'weather-report',
    'Reports the weather and warns of storms.',
    'is a storm coming? give me the weather report',
  ],
  [
    'unit-convert',
    'Converts units of length, weight and temperature.',
    'convert 5 miles into units of kilometres, it is a length',
  ],
  [
    'licence-audit',
    'Lists the licences of all dependencies and finds those that conflict.',
    'which licences do our dependencies have?',
  ],
  ['flashcards', 'Makes flashcards from notes for learning.', 'make flashcards from my biology notes'],
  ['container-debug', 'Finds out why a container does not start.', 'my container does not start, debug it'],
];

const unrelated = [
  'what is the capital of Australia?',
  'tell me a joke',
  'how do I boil an egg?',
  'thanks, that was great',
  'write a poem about the sea',
  'hello, how are you?',
  'my cat is sick, what should I do?',
  'recommend a restaurant near the station',
  'book a flight to Rome on Friday',
  'rename the variable x to count',
  'install numpy',
  'make the button blue',
];

const documentOf = ([name, description]: (typeof skills)[number]): MatchDocument => ({
  name,
  description,
  triggers: [],
  sections: [
    { title: '', text: 'Ask when something is not clear. Say what was done, and list what is left.' },
  ],
  priority: 0,
});

/** Every skill is in one library of `size`, with its neighbours in the list. */
function libraries(size: number): readonly (typeof skills)[] {
  return Array.from({ length: Math.ceil(skills.length / size) }, (_, at) =>
    skills.slice(at * size, (at + 1) * size),
  );
}

describe.each([1, 2, 5, 20])('a library of %i', (size) => {
  it.each(
    libraries(size).flatMap((library) =>
      library.map(([name, , message]) => [message, name, library] as const),
    ),
  )('finds for %j %s', (message, name, library) => {
    const matcher = createMatcher();
    for (const skill of library) matcher.set(documentOf(skill));
    expect(matcher.match(message).matches[0]?.skill).toBe(name);
  });

  it.each(unrelated)('abstains for %j', (message) => {
    for (const library of libraries(size)) {
      const matcher = createMatcher();
      for (const skill of library) matcher.set(documentOf(skill));
      expect(matcher.match(message).matches).toEqual([]);
    }
  });
});
