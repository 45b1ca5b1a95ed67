// The filters, tests and methods that a template can use: those of the language, and filters of the embedder's.
import { filters } from './filters/filters.ts';
import { tests } from './filters/tests.ts';
import { methods } from './methods/methods.ts';
import type { HostFilter } from './options.ts';
import { fromData, toData } from './value/data.ts';
import type { FilterFunction, Library } from './value/evaluation.ts';
import { TemplateError } from './value/template-error.ts';
import { emptyObject } from '../base/json.ts';

const own: Library = { filters, tests, methods };

export function libraryWith(given: { readonly [name: string]: HostFilter }): Library {
  const names = Object.keys(given);
  if (names.length === 0) return own;
  const all = new Map(filters);
  for (const name of names) all.set(name, hostFilter(name, given[name] as HostFilter));
  return { ...own, filters: all };
}

function hostFilter(name: string, apply: HostFilter): FilterFunction {
  return (e, value, args, named) => {
    const record = emptyObject();
    for (const [key, each] of named) record[key] = toData(e, each);
    const data = toData(e, value);
    const list = args.map((each) => toData(e, each));
    try {
      return fromData(apply(data, list, record));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new TemplateError('EVAL_HOST', `the filter "${name}" failed: ${message}`, null, null, { cause });
    }
  };
}
