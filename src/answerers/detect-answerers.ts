// The answerers of this machine, which of them is used, and why. It looks at names only: no network, no program is
// started, and of a key only whether it is set.
//
//   configured models, environment, PATH, terminal -> Candidate[], the chosen one first
//
// The default is the model "default"; else the first configured model whose key is set; else a key in the usual
// variables; else a person at the terminal; else the caller. A model whose entry has an error is not replaced by
// another answerer unless one is named: it may have been meant to stay on this machine. An entry with an error in its
// name may have been meant as any of them. An agent program is used only on request, because it cannot be fenced and
// costs money. Where a host starts techne, a key in the usual variables is the host's own: it is used only on request.
import type { Config, FaultyEndpoint, ModelEndpoint } from '../config/types.ts';
import { nearest } from '../base/nearest.ts';

/** One line of `techne doctor`. */
export interface AnswererFact {
  readonly name: string;
  readonly available: boolean;
  readonly chosen: boolean;
  /** What it is, or why it cannot be used. */
  readonly detail: string;
  /** What would make it usable, or how it is asked for. */
  readonly hint: string | null;
}

export type Candidate = {
  readonly name: string;
  readonly available: boolean;
  readonly detail: string;
  readonly hint: string | null;
} & (
  | {
      readonly kind: 'model';
      readonly label: string;
      readonly endpoint: ModelEndpoint;
      /** By a key in the usual variables, not by the configuration. */
      readonly inherited: boolean;
    }
  /** A model whose entry has an error. Never available. */
  | { readonly kind: 'faulty-model' }
  | { readonly kind: 'agent-cli'; readonly program: AgentProgram; readonly path: string | null }
  | { readonly kind: 'person' }
  | { readonly kind: 'caller' }
);

export type UsableCandidate = Exclude<Candidate, { readonly kind: 'faulty-model' }>;

const agentPrograms = ['claude', 'codex'] as const;
export type AgentProgram = (typeof agentPrograms)[number];

interface Surroundings {
  readonly config: Pick<Config, 'models'>;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly hasTerminal: boolean;
  readonly findProgram: (name: string) => string | null;
}

/** In order of precedence. */
export function detectAnswerers(surroundings: Surroundings): readonly Candidate[] {
  const { hasTerminal } = surroundings;
  return [
    ...modelCandidates(surroundings),
    {
      kind: 'person',
      name: 'person',
      available: hasTerminal,
      detail: hasTerminal ? 'at this terminal' : 'there is no terminal to ask at',
      hint: hasTerminal ? null : 'with "--answer person" the run waits for "techne answer"',
    },
    {
      kind: 'caller',
      name: 'caller',
      available: true,
      detail: 'the run waits, and the caller answers',
      hint: null,
    },
    ...agentPrograms.map((program): Candidate => {
      const path = surroundings.findProgram(program);
      return {
        kind: 'agent-cli',
        name: `agent-cli:${program}`,
        program,
        path,
        available: path !== null,
        detail: path ?? 'not on PATH',
        hint:
          path === null
            ? null
            : `only when asked for, with "--answer agent-cli:${program}": its tools cannot be fenced`,
      };
    }),
  ];
}

/** The default. `inheritedKeys`: whether a key in the usual variables is enough. */
export function firstChoice(candidates: readonly Candidate[], inheritedKeys = true): UsableCandidate {
  const faulty = candidates.findIndex(({ kind }) => kind === 'faulty-model');
  const isBarred = (at: number): boolean => faulty !== -1 && faulty < at;
  const first = candidates
    .filter(isUsable)
    .find(
      (candidate) =>
        candidate.available &&
        candidate.kind !== 'agent-cli' &&
        !(
          candidate.kind === 'model' &&
          (isBarred(candidates.indexOf(candidate)) || (candidate.inherited && !inheritedKeys))
        ),
    );
  if (first === undefined) throw new Error('the caller can always answer');
  return first;
}

function modelCandidates({ config, variables }: Surroundings): readonly Candidate[] {
  const names = Object.keys(config.models);
  const rankOf = (name: string): number => {
    const endpoint = config.models[name] as ModelEndpoint | FaultyEndpoint;
    return 'fault' in endpoint && endpoint.misnamed === true ? 0 : name === 'default' ? 1 : 2;
  };
  const ordered = names.toSorted((a, b) => rankOf(a) - rankOf(b));
  const configured = ordered.map((name) =>
    modelCandidate(name, config.models[name] as ModelEndpoint | FaultyEndpoint, variables, false),
  );
  return [
    ...configured,
    ...usualModels(variables)
      .filter(([name]) => !names.includes(name))
      .map(([name, endpoint]) => modelCandidate(name, endpoint, variables, true)),
  ];
}

function modelCandidate(
  label: string,
  endpoint: ModelEndpoint | FaultyEndpoint,
  variables: Surroundings['variables'],
  inherited: boolean,
): Candidate {
  if ('fault' in endpoint)
    return {
      kind: 'faulty-model',
      name: label === '' ? 'models' : `model:${label}`,
      available: false,
      detail: endpoint.fault,
      hint: endpoint.hint ?? 'fix it in the configuration',
    };
  const { provider, model, apiKeyEnv, baseUrl } = endpoint;
  const fault = faultOf(endpoint, variables);
  const key = apiKeyEnv === null ? 'no key' : `key in ${apiKeyEnv}`;
  return {
    kind: 'model',
    name: `model:${label}`,
    label,
    endpoint,
    inherited,
    available: fault === null,
    detail: `${model} (${provider}${baseUrl === null ? '' : ` at ${hostOf(baseUrl)}`}), ${fault?.message ?? key}`,
    hint: fault?.hint ?? null,
  };
}

function faultOf(
  { apiKeyEnv, baseUrl }: ModelEndpoint,
  variables: Surroundings['variables'],
): { readonly message: string; readonly hint: string } | null {
  if (apiKeyEnv !== null && isUnset(variables[apiKeyEnv]))
    return { message: `${apiKeyEnv} is not set`, hint: `set ${apiKeyEnv}` };
  if (baseUrl === null) return null;
  // Configured addresses were judged before; those in the environment were not.
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    return {
      message: 'its address is not an http or https address',
      hint: 'write the whole address, such as http://127.0.0.1:11434/v1',
    };
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && apiKeyEnv !== null && !isLoopback)
    return { message: 'the key would be sent over plain http', hint: 'use https' };
  return null;
}

const usualModelIds = { anthropic: 'claude-sonnet-5', openai: 'gpt-5' };

/** The models of the usual variables; none if no key is set. */
function usualModels(variables: Surroundings['variables']): readonly (readonly [string, ModelEndpoint])[] {
  const given = (name: string): string | null =>
    isUnset(variables[name]) ? null : (variables[name] as string);
  const models: [string, ModelEndpoint][] = [];
  if (given('ANTHROPIC_API_KEY') !== null) {
    models.push([
      'anthropic',
      {
        provider: 'anthropic',
        baseUrl: versioned(given('ANTHROPIC_BASE_URL')),
        model: given('ANTHROPIC_MODEL') ?? usualModelIds.anthropic,
        apiKeyEnv: 'ANTHROPIC_API_KEY',
      },
    ]);
  }
  const openAiUrl = given('OPENAI_BASE_URL');
  if (given('OPENAI_API_KEY') !== null) {
    models.push([
      'openai',
      {
        provider: 'openai-compatible',
        baseUrl: openAiUrl,
        model: given('OPENAI_MODEL') ?? usualModelIds.openai,
        apiKeyEnv: 'OPENAI_API_KEY',
      },
    ]);
  }
  return models;
}

/** Claude Code takes the address without `/v1`, and both are found in environments. */
function versioned(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return url;
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith('/v1') ? bare : `${bare}/v1`;
}

function isUnset(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** `model`, `model:fast`, `agent-cli` … -> the candidate, or why there is none. */
export function resolveWish(
  wish: string,
  candidates: readonly Candidate[],
): UsableCandidate | { readonly message: string; readonly hint: string } {
  if (wish === 'model' || wish === 'agent-cli') {
    const those = candidates.filter(
      ({ kind }) => kind === wish || (wish === 'model' && kind === 'faulty-model'),
    );
    const found = those.find((candidate) => candidate.available || !isUsable(candidate));
    // An entry with an error is not replaced by another answerer.
    if (found !== undefined)
      return isUsable(found)
        ? found
        : { message: unusable(found), hint: found.hint ?? 'fix it in the configuration' };
    if (wish === 'agent-cli')
      return { message: 'no agent program is on PATH', hint: `install one of: ${agentPrograms.join(', ')}` };
    const [first] = those;
    return first === undefined
      ? {
          message: 'there is no model to ask',
          hint: 'set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model under "models" in ~/.techne/config.json',
        }
      : { message: unusable(first), hint: first.hint ?? 'see "techne doctor"' };
  }
  const found = candidates.find(({ name }) => name === wish);
  // A person who is not here can answer later.
  if (found !== undefined && isUsable(found) && (found.available || found.kind === 'person')) return found;
  if (found !== undefined) return { message: unusable(found), hint: found.hint ?? 'see "techne doctor"' };
  const names = [...candidates.map(({ name }) => name), 'model', 'agent-cli', 'script:FILE', 'replay:FILE'];
  const meant = nearest(wish, names);
  const label = /^model:(.+)$/.exec(wish)?.[1];
  if (label !== undefined) {
    const how = `name it in ~/.techne/config.json: "models": { ${JSON.stringify(label)}: { "provider": …, "model": … } }`;
    return {
      message: `there is no model "${label}"`,
      hint: meant === null || meant === 'model' ? how : `did you mean "${meant}"? If not, ${how}`,
    };
  }
  return {
    message: `"${wish}" is not an answerer`,
    hint: meant === null ? `one of: ${names.join(', ')}` : `did you mean "${meant}"?`,
  };
}

export function isUsable(candidate: Candidate): candidate is UsableCandidate {
  return candidate.kind !== 'faulty-model';
}

function unusable({ name, detail }: Candidate): string {
  return `${name} cannot be used: ${detail}`;
}

export function factOf({ name, available, detail, hint }: Candidate, chosen: Candidate | null): AnswererFact {
  return { name, available, chosen: name === chosen?.name, detail, hint };
}
