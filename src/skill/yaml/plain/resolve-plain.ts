// What a plain scalar means: YAML 1.2 core schema.
//
//   source text -> null | boolean | number | string
//
// The core schema of the `yaml` package, except that a number which JSON cannot represent exactly stays text: .nan, .inf,
// 1e999, an integer past 2^53. `-0` is 0. Almost every scalar is prose, so the first character decides before any pattern
// is tried.

const nullWord = /^(?:~|[Nn]ull|NULL)?$/;
const trueWord = /^(?:[Tt]rue|TRUE)$/;
const falseWord = /^(?:[Ff]alse|FALSE)$/;
const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** A longer number could not be carried exactly anyway, and a digit run is not worth scanning. */
const longestNumber = 400;

export function resolvePlain(raw: string): null | boolean | number | string {
  if (raw.length === 0) return null;
  const first = raw.charCodeAt(0);
  if (first > 57 /* 9 */) {
    if (raw.length > 5) return raw;
    switch (first) {
      case 126 /* ~ */:
      case 110 /* n */:
      case 78 /* N */:
        return nullWord.test(raw) ? null : raw;
      case 116 /* t */:
      case 84 /* T */:
        return trueWord.test(raw) ? true : raw;
      case 102 /* f */:
      case 70 /* F */:
        return falseWord.test(raw) ? false : raw;
      default:
        return raw;
    }
  }
  const mayBeNumber =
    first >= 48 /* 0 */ || first === 45 /* - */ || first === 43 /* + */ || first === 46; /* . */
  return mayBeNumber && raw.length <= longestNumber ? resolveNumber(raw) : raw;
}

function resolveNumber(raw: string): number | string {
  if (integer.test(raw)) {
    const value = Number(raw);
    return Number.isSafeInteger(value) ? value + 0 : raw;
  }
  if (!float.test(raw)) return raw;
  const value = Number(raw);
  return Number.isFinite(value) ? value + 0 : raw;
}
