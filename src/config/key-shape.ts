// The shapes that the value of a configuration key can have.

/** What a text in a list must look like. */
export type TextKind =
  | 'home-path'
  | 'workspace-path'
  | 'skill-name'
  | 'word'
  | 'pattern'
  | 'domain'
  | 'host'
  | 'hub'
  | 'run-store'
  | 'note-folder'
  | 'variable';

export type Shape =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'texts'; readonly item: TextKind; readonly orNull?: true }
  | { readonly kind: 'text'; readonly item: TextKind }
  | { readonly kind: 'address' }
  | { readonly kind: 'precedence' }
  | { readonly kind: 'models'; readonly providers: readonly string[] }
  | { readonly kind: 'mcpServers' };
