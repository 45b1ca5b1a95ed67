// JSON that is safe to show in a terminal.
//
// The value is unchanged: characters that would command a terminal or hide text are written as `\uXXXX`,
// which every JSON reader turns back.

// DEL, C1, soft hyphen, bidi and zero-width, invisible operators, BOM, interlinear, and the surrogates of tags.
const unsafe = /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDFFF]/g;

/** `indent` as of JSON.stringify. */
export function renderJson(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, null, indent));
}

/** The same for text that is JSON already. */
export function escapeUnsafe(json: string): string {
  return json.replace(unsafe, escapeUnits);
}

function escapeUnits(found: string): string {
  let escaped = '';
  for (let at = 0; at < found.length; at += 1) escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
