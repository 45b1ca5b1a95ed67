// techne webhook, techne callback: programs elsewhere are told what runs do, and answer forms.
import type { DeliveryState, WebhookEvent, WebhookPart } from '../../ports/webhooks.ts';
import type { CommandSpec, PositionalSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

/** The table of commands loads nothing else. */
const events = ['run.ended', 'run.held', 'question.opened'] as const satisfies readonly WebhookEvent[];
const parts = ['body', 'callback'] as const satisfies readonly WebhookPart[];
const states = ['pending', 'delivered', 'dead'] as const satisfies readonly DeliveryState[];

const webhookName: PositionalSpec = {
  name: 'NAME',
  description: 'A webhook: its name or its id',
  required: true,
  repeatable: false,
  complete: 'none',
};

const add: CommandSpec = {
  name: 'webhook add',
  summary: 'Send events of runs to a URL',
  details: [
    'Workers (techne worker) post a small JSON document to the URL for each event: run.ended, run.held (workers do not try a run again), question.opened. It is signed as Standard Webhooks says; the secret is printed once. What is not answered with 2xx is sent again with the same webhook-id, for about three days; 410 disables the webhook; redirects are not followed.',
    'The URL must be https and its host public, unless webhooks.allowHosts in the configuration of the workers names the host. It needs a store in Postgres. --json prints {webhook, secret}.',
  ],
  positionals: [
    {
      name: 'NAME',
      description: 'What the webhook is called',
      required: true,
      repeatable: false,
      complete: 'none',
    },
    { name: 'URL', description: 'Where to post', required: true, repeatable: false, complete: 'none' },
  ],
  options: [
    {
      name: 'event',
      value: 'EVENT',
      repeatable: true,
      choices: events,
      description: 'Which events to send (repeatable)',
    },
    {
      name: 'status',
      value: 'STATUS',
      repeatable: true,
      choices: ['completed', 'failed', 'cancelled', 'partial'],
      description: 'Only runs that ended with this status (repeatable; default all)',
    },
    {
      name: 'audience',
      value: 'WHO',
      repeatable: true,
      choices: ['caller', 'person', 'operator'],
      description: 'Only questions for this audience (repeatable; default all)',
    },
    {
      name: 'skill',
      value: 'NAME',
      repeatable: true,
      complete: 'skill',
      description: 'Only runs of this skill (repeatable; default all)',
    },
    {
      name: 'include',
      value: 'PART',
      repeatable: true,
      choices: parts,
      description:
        'body: also the text of the result or the question; callback: a token to answer a form with (repeatable)',
    },
    {
      name: 'server',
      value: 'URL',
      description: 'The address of techne serve, for links (default: links are paths)',
    },
    storeOption,
  ],
  examples: [
    {
      line: 'techne webhook add ci https://ci.example.org/hooks/techne --event run.ended --status failed',
      what: 'Tell the build server which runs failed',
    },
    {
      line: 'techne webhook add desk https://desk.example.org/techne --event question.opened --audience person --include callback --server https://runs.example.org',
      what: 'Let a service desk answer forms',
    },
  ],
  load: async () => (await import('../commands/webhook.ts')).runWebhookAdd,
};

const list: CommandSpec = {
  name: 'webhook list',
  summary: 'Show webhooks, and how many of their deliveries are pending or dead',
  details: [
    '--json prints {webhooks: [{id, name, url, events, state, pending, dead, …}]}; secrets are never shown.',
  ],
  positionals: [],
  options: [storeOption],
  examples: [{ line: 'techne webhook list', what: 'Which webhooks there are, and whose deliveries fail' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookList,
};

const show: CommandSpec = {
  name: 'webhook show',
  summary: 'Show a webhook',
  details: ['--json prints the webhook. Its secret is never shown; "techne webhook rotate" makes another.'],
  positionals: [webhookName],
  options: [storeOption],
  examples: [{ line: 'techne webhook show ci', what: 'What is sent to it, and how much is queued' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookShow,
};

const pause: CommandSpec = {
  name: 'webhook pause',
  summary: 'Queue the deliveries of a webhook until it is resumed',
  details: ['Nothing is sent, and nothing is lost. --json prints the webhook.'],
  positionals: [webhookName],
  options: [storeOption],
  examples: [{ line: 'techne webhook pause ci', what: 'While its receiver is maintained' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookPause,
};

const resume: CommandSpec = {
  name: 'webhook resume',
  summary: 'Deliver again to a webhook that was paused or disabled',
  details: ['What was queued meanwhile is sent. --json prints the webhook.'],
  positionals: [webhookName],
  options: [storeOption],
  examples: [{ line: 'techne webhook resume ci', what: 'Its receiver is back' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookResume,
};

const remove: CommandSpec = {
  name: 'webhook remove',
  summary: 'Remove a webhook and its deliveries',
  details: ['--json prints the webhook.'],
  positionals: [webhookName],
  options: [storeOption],
  examples: [{ line: 'techne webhook remove ci', what: 'Forget it, and what was not delivered' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookRemove,
};

const rotate: CommandSpec = {
  name: 'webhook rotate',
  summary: 'Replace the secret of a webhook',
  details: [
    'Payloads have the signatures of the old and the new secret until the overlap is over, so the receiver can change over in between. --json prints {webhook, secret}.',
  ],
  positionals: [webhookName],
  options: [
    {
      name: 'overlap',
      value: 'TIME',
      description: 'How long the old secret is used, too, such as 2h (default 1d, at most 30d)',
    },
    storeOption,
  ],
  examples: [
    { line: 'techne webhook rotate ci', what: 'Print a new secret; the old one works for a day' },
    { line: 'techne webhook rotate ci --overlap 0s', what: 'The old secret became known: end it now' },
  ],
  load: async () => (await import('../commands/webhook.ts')).runWebhookRotate,
};

const test: CommandSpec = {
  name: 'webhook test',
  summary: 'Send a test to a webhook, and show its response',
  details: [
    'A delivery of the type webhook.test is queued like any other; a worker must be running. Exit code 1: it was not delivered. --json prints the delivery.',
  ],
  positionals: [webhookName],
  options: [storeOption],
  examples: [{ line: 'techne webhook test ci', what: 'Does it arrive, and is the signature right?' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookTest,
};

const deliveries: CommandSpec = {
  name: 'webhook deliveries',
  summary: 'Show the deliveries of a webhook, and which of them failed',
  details: [
    'Newest first. Delivered ones are kept for a week, dead ones for a month. --json prints {deliveries: [{id, type, run, state, attempts, at, status, fault}]}.',
  ],
  positionals: [webhookName],
  options: [
    { name: 'state', value: 'STATE', choices: states, description: 'Only these' },
    { name: 'limit', value: 'N', description: 'How many (default 50)' },
    storeOption,
  ],
  examples: [{ line: 'techne webhook deliveries ci --state dead', what: 'What never arrived, and why' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookDeliveries,
};

const resend: CommandSpec = {
  name: 'webhook resend',
  summary: 'Send dead deliveries again, or one of any state',
  details: ['They keep their webhook-id and get as many attempts as a new delivery. --json prints {resent}.'],
  positionals: [
    webhookName,
    {
      name: 'DELIVERY',
      description: 'The id of a delivery (default: all that are dead)',
      required: false,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [storeOption],
  examples: [{ line: 'techne webhook resend ci', what: 'The receiver was down for too long' }],
  load: async () => (await import('../commands/webhook.ts')).runWebhookResend,
};

export const webhookCommand: CommandSpec = {
  name: 'webhook',
  summary: 'Send events of runs to other programs',
  details: ['techne webhook without a command is techne webhook list.'],
  positionals: [],
  options: [],
  examples: [...add.examples.slice(0, 1), ...test.examples],
  subcommands: [list, add, show, pause, resume, remove, rotate, test, deliveries, resend],
  load: list.load,
};

const runPositional: PositionalSpec = {
  name: 'RUN',
  description: 'A run: its id, the end of it, or last',
  required: true,
  repeatable: false,
  complete: 'waiting',
};

const create: CommandSpec = {
  name: 'callback create',
  summary: 'Make a token that answers one form of a run',
  details: [
    'The token answers one form, once, until it expires; never an approval or a decision. Its holder needs no other token and posts {"value": {…}} to the printed path of your server (techne serve); GET shows the form. The journal names the token. The token is printed once; the store has only its hash.',
    'It needs a store in Postgres. --json prints {id, token, path, run, question, expiresAt}.',
  ],
  positionals: [
    runPositional,
    {
      name: 'QUESTION',
      description: 'The id of the form (default: the only one that waits)',
      required: false,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [
    { name: 'name', value: 'NAME', description: 'The name of the token in the journal (default callback)' },
    {
      name: 'expires',
      value: 'TIME',
      description: 'How long it works, such as 2h (default 7d, at most 30d)',
    },
    storeOption,
  ],
  examples: [
    {
      line: 'techne callback create 4QXF --name intake --expires 2d',
      what: 'For the form that run …4QXF waits for',
    },
  ],
  load: async () => (await import('../commands/callback.ts')).runCallbackCreate,
};

const listCallbacks: CommandSpec = {
  name: 'callback list',
  summary: 'Show callback tokens, of a run or of all',
  details: [
    'Without a run, the hundred that expire last. --json prints {callbacks: [{id, run, question, name, by, state, expiresAt}]}.',
  ],
  positionals: [{ ...runPositional, required: false }],
  options: [storeOption],
  examples: [{ line: 'techne callback list 4QXF', what: 'Which were made, and which was used' }],
  load: async () => (await import('../commands/callback.ts')).runCallbackList,
};

const revoke: CommandSpec = {
  name: 'callback revoke',
  summary: 'Revoke a callback token',
  details: ['--json prints {id}.'],
  positionals: [
    {
      name: 'ID',
      description: 'Its id (techne callback list)',
      required: true,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [storeOption],
  examples: [{ line: 'techne callback revoke Zx3kQ9aB1cD2eF4g', what: 'It went to the wrong person' }],
  load: async () => (await import('../commands/callback.ts')).runCallbackRevoke,
};

export const callbackCommand: CommandSpec = {
  name: 'callback',
  summary: 'Let someone without a token of the server answer a form',
  details: [
    'A callback token answers one form, once, and can do nothing else. techne callback without a command is techne callback list.',
  ],
  positionals: [],
  options: [],
  examples: create.examples,
  subcommands: [listCallbacks, create, revoke],
  load: listCallbacks.load,
};
