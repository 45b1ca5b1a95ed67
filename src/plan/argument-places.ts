// The words of a command, as written -> what each of them is read as.
//
// The first word is the program. A word after `--`, or after a constant option that takes a value, is not read as an
// option. What an interpreter is given to run (`sh -c …`, `python -c …`, `ssh host …`) is a command line of its own.

interface WordPlace {
  readonly as: 'program' | 'argument' | 'code';
  /** Something before it keeps it from being read as an option. */
  readonly guarded: boolean;
}

const interpreters =
  /^(?:(?:ba|da|z|k|a|fi|c|tc)?sh|busybox|su|python[\d.]*|pypy3?|node(?:js)?|deno|bun|perl|ruby|php|lua|rscript|osascript|pwsh|powershell|cmd)(?:\.exe)?$/i;
/** Every argument is joined to a command line, here or on another machine. */
const joiners = /^(?:ssh|rsh|watch|eval)$/;
/** Options that code follows, alone or as the last of several letters: `-c`, `-lc`, `-ne`. */
const codeOption =
  /^(?:-[A-Za-z]*[ceE]|-[pr]|--(?:eval|print|command|exec)|-(?:enc|encoded)?command|\/[ck])$/i;
const codeInside = /^(?:--(?:eval|print|command|exec)=|-[ceE](?=\{\{))/;

/** `words`: templates and all; `null` is a word that is not text. `before`: words of the command from elsewhere. */
export function placesOfWords(
  words: readonly (string | null)[],
  before: readonly (string | null)[] = [],
): readonly WordPlace[] {
  const all = [...before, ...words];
  let ended = false;
  const places = all.map((word, index): WordPlace => {
    const previous = all[index - 1] ?? null;
    const place: WordPlace = {
      as: index === 0 ? 'program' : isCode(all, index) ? 'code' : 'argument',
      guarded: ended || takesNext(previous),
    };
    if (word === '--') ended = true;
    return place;
  });
  return places.slice(before.length);
}

/** `--path`, but not `--path=x`, which has its value. */
function takesNext(word: string | null): boolean {
  return isConstant(word) && /^--?[A-Za-z]/.test(word) && !word.includes('=');
}

function isConstant(word: string | null): word is string {
  return word !== null && !/\{[{%]/.test(word);
}

function isCode(words: readonly (string | null)[], index: number): boolean {
  const [word, previous] = [words[index] ?? null, words[index - 1] ?? null];
  const follows = isConstant(previous) && codeOption.test(previous);
  const holds = word !== null && codeInside.test(word);
  return words.slice(0, index).some((one, at) => {
    if (!isConstant(one)) return false;
    const name = one.replace(/^.*[/\\]/, '');
    return (
      joiners.test(name) ||
      ((follows || holds) &&
        interpreters.test(name) &&
        hasNoScript(words.slice(at + 1, holds ? index : index - 1)))
    );
  });
}

/** Behind the name of a script, options are the script's own. */
function hasNoScript(words: readonly (string | null)[]): boolean {
  return words.every(
    (word, index) => word?.startsWith('-') === true || words[index - 1]?.startsWith('-') === true,
  );
}
