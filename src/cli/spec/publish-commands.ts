// Publish skills as a hub, serve and search hubs, keep keys; the group `hub` is in hub-commands.ts.
import type { CommandSpec } from './command-spec.ts';

export const publishCommand: CommandSpec = {
  name: 'publish',
  summary: 'Build a static hub of skills for any web host',
  details: [
    'Checks each skill as techne check --strict does and scans it; if one has an error or is dangerous, nothing is published. Then writes the hub to SITE: the index /.well-known/agent-skills/index.json, one archive for each skill and version, and pages for people. Copy SITE to any web host; techne hub serve SITE shows it on this machine.',
    'The version is "version" or "metadata.version" of the frontmatter, or 0.0.0- and 12 digits of the digest of the content. A published version never changes: the same content is left as it is, other content under its number is refused. Older versions stay listed. The index is replaced last and as a whole, so readers see the old hub or the new one.',
    '--json prints {site, changed, sequence, listed, keyId, skills: [{name, version, status, digest, tree, size, verdict}]}, or {refused: "check" | "scan", …}; the exit code is then 1.',
  ],
  positionals: [
    {
      name: 'DIR',
      description: 'A folder of a skill, or a folder with skills in it',
      required: true,
      repeatable: true,
      complete: 'folder',
    },
  ],
  options: [
    { name: 'out', value: 'SITE', complete: 'folder', description: 'The folder of the hub; made if missing' },
    {
      name: 'sign',
      value: 'KEY',
      complete: 'path',
      description: 'Sign the index with this key: a name of techne hub keys, or a PEM file',
    },
    {
      name: 'url',
      value: 'URL',
      description: 'Where the hub will be, for the commands on its pages (default: as before)',
    },
    { name: 'title', value: 'TEXT', description: 'The title of the hub (default: as before, or "Skills")' },
  ],
  examples: [
    { line: 'techne publish skills/changelog --out site', what: 'One skill' },
    {
      line: 'techne publish skills --out site --sign work --url https://skills.example.org',
      what: 'Every skill of a folder, signed',
    },
  ],
  load: async () => (await import('../commands/publish.ts')).runPublish,
};

export const hubSearch: CommandSpec = {
  name: 'hub search',
  summary: 'Search hubs for skills',
  details: [
    'Looks in the hubs of hub.indexes (techne config), or in those that --hub names. Skills that have every word in their name or description come first, then skills that fit the words as a message. Without words, lists every skill. The signature of a signed hub is verified: a hub whose signature is broken, missing or by another key than before is refused.',
    '--json prints {query, total, hubs, results: [{name, description, version, publisher, hub, add, reason}], failures: [{hub, code, message, hint}]}. If a hub could not be read, the others are still searched, and the exit code is that of the failure.',
  ],
  positionals: [
    {
      name: 'WORDS',
      description: 'What to look for',
      required: false,
      repeatable: true,
      complete: 'none',
    },
  ],
  options: [
    {
      name: 'hub',
      value: 'URL|SITE',
      repeatable: true,
      complete: 'folder',
      description: 'Search this hub instead: an address or a folder (repeatable)',
    },
    { name: 'limit', value: 'N', description: 'At most N results, 1 to 1000 (default 20)' },
  ],
  examples: [
    { line: 'techne hub search release notes', what: 'In the hubs of the configuration' },
    { line: 'techne hub search tides --hub https://skills.example.org', what: 'In one hub' },
    { line: 'techne hub search --hub site --json', what: 'Everything in a folder, for a program' },
  ],
  load: async () => (await import('../commands/hub-search.ts')).runHubSearch,
};

export const hubServe: CommandSpec = {
  name: 'hub serve',
  summary: 'Serve a hub on this machine',
  details: [
    'Serves the folder SITE over HTTP until Ctrl-C: files only, no listings, nothing outside the folder. Other machines cannot reach it unless --host says so.',
    'To add or search from it, allow the host once: "hub.allowHosts": ["127.0.0.1"] in ~/.techne/config.json.',
  ],
  positionals: [
    {
      name: 'SITE',
      description: 'A folder that techne publish made',
      required: true,
      repeatable: false,
      complete: 'folder',
    },
  ],
  options: [
    { name: 'port', value: 'PORT', description: 'The port to listen on (default 8485; 0: any free port)' },
    { name: 'host', value: 'ADDRESS', description: 'The address to listen on (default 127.0.0.1)' },
  ],
  examples: [
    { line: 'techne hub serve site', what: 'At http://127.0.0.1:8485/' },
    { line: 'techne hub serve site --port 0 --json', what: 'Prints {url} first, for a program' },
  ],
  load: async () => (await import('../commands/hub-serve.ts')).runHubServe,
};

export const hubKeys: CommandSpec = {
  name: 'hub keys',
  summary: 'Make and trust the keys that sign hubs',
  details: [
    'new NAME makes an Ed25519 key to sign with: the private part in ~/.techne/keys/NAME.pem, for you alone, and the public part in NAME.pub.pem, to give to others. list shows your keys, the keys you trust, and the hubs that were signed when you read them.',
    'trust WHAT shows a key and asks whether to trust it; only a person at a terminal can. WHAT is the file of a public key, the address of a signed hub, or "sha256:" and 64 digits. Compare the fingerprint with one that the publisher gave you another way. forget WHAT removes a trusted key by name or id, or what is remembered of a hub by its address, after a change of key that its publisher announced.',
    '--json prints {own, trusted, hubs} for list, and what was made, trusted or forgotten for the others.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), new, trust or forget',
      required: false,
      repeatable: false,
      choices: ['list', 'new', 'trust', 'forget'],
      complete: 'none',
    },
    {
      name: 'WHAT',
      description: 'A name for new; a file, address, name or id for trust and forget',
      required: false,
      repeatable: false,
      complete: 'path',
    },
  ],
  options: [{ name: 'as', value: 'NAME', description: 'With trust: what to call the owner of the key' }],
  examples: [
    { line: 'techne hub keys new work', what: 'Make a key to sign with' },
    { line: 'techne hub keys trust https://skills.example.org', what: 'Trust the key of a hub' },
    { line: 'techne hub keys forget https://skills.example.org/', what: 'After the hub changed its key' },
  ],
  load: async () => (await import('../commands/hub-keys.ts')).runHubKeys,
};
