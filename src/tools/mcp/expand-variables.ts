// `${NAME}` and `${NAME:-otherwise}` in the settings of a server -> the values of this process's environment.
//
// A variable that is not set and has nothing to stand for it is a fault: a server without its key fails later, and worse.

type Expanded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly variable: string };

export function expandVariables(
  text: string,
  variables: { readonly [name: string]: string | undefined },
): Expanded {
  let missing: string | null = null;
  const expanded = text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_whole, name: string, otherwise: string | undefined) => {
      const value = variables[name];
      if (value !== undefined && value !== '') return value;
      if (otherwise === undefined) missing ??= name;
      return otherwise ?? '';
    },
  );
  return missing === null ? { ok: true, text: expanded } : { ok: false, variable: missing };
}
