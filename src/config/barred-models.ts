// The models that a file without authority names -> faults in their place.
//
// Such a file is that of an untrusted workspace, which takes models away by `null`, or the user's own when others can
// write or replace it, so that no entry of it can be believed. A model that is only left out would be replaced by another, which
// may be remote or paid; a fault is not (types.ts).
import type { Json, JsonObject } from '../base/json.ts';
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { LayerFile } from './merge-config.ts';

interface BarredModel {
  readonly name: string;
  readonly fault: string;
  readonly hint: string;
}

/** `lower` is what the layers below have at `path`. */
export function barredModels(
  path: string,
  lower: Json,
  { layer, file, held }: LayerFile,
): readonly BarredModel[] {
  const given = file.values.get(path)?.value as JsonObject;
  if (layer === 'user' && held !== undefined)
    return Object.entries(given)
      .filter(([, entry]) => entry !== null && !isFaulty(entry))
      .map(([name]) => ({
        name,
        fault: `${held.reason}, so "${path}.${name}" is not asked, nor is another in its place`,
        hint: held.hint,
      }));
  return Object.entries(lower as JsonObject)
    .filter(([name, entry]) => given[name] === null && !isFaulty(entry))
    .map(([name]) => ({
      name,
      fault: `"${path}.${name}" is null in "${file.path}", a workspace that is not trusted; nothing is asked in its place`,
      hint: 'trust the workspace with "techne trust", or name who answers',
    }));
}

/** `kept` with the barred models and with the faults of `lower` and `own`, in their order. */
export function withBarred(kept: Json, lower: Json, own: Json, barred: readonly BarredModel[]): Json {
  const models = emptyObject();
  for (const [name, entry] of [
    ...Object.entries(lower as JsonObject),
    ...Object.entries(own as JsonObject),
  ]) {
    const bar = barred.find((one) => one.name === name);
    if (bar !== undefined) models[name] = Object.assign(emptyObject(), { fault: bar.fault, hint: bar.hint });
    else if (Object.hasOwn(kept as JsonObject, name)) models[name] = (kept as JsonObject)[name] as Json;
    else if (isFaulty(entry)) models[name] = entry;
  }
  return models;
}

function isFaulty(entry: Json | undefined): boolean {
  return isJsonObject(entry) && entry['fault'] !== undefined;
}
