// An entry -> a link that adds it to VS Code or Cursor when it is opened: one for the program, one for web pages, which do not
// always let links of programs through.
import type { JsonObject } from '../../base/json.ts';

export const linkedHosts = ['vscode', 'cursor'] as const;
export type LinkedHost = (typeof linkedHosts)[number];

export interface DeepLink {
  readonly link: string;
  readonly web: string;
}

export function deepLink(host: LinkedHost, name: string, entry: JsonObject): DeepLink {
  switch (host) {
    case 'vscode': {
      const config = encodeURIComponent(JSON.stringify(entry));
      return {
        link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`,
        web: `https://vscode.dev/redirect/mcp/install?name=${encodeURIComponent(name)}&config=${config}`,
      };
    }
    case 'cursor': {
      // Standard base64, whose "+", "/" and "=" mean something else in a query.
      const config = encodeURIComponent(
        btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(entry)))),
      );
      const query = `name=${encodeURIComponent(name)}&config=${config}`;
      return {
        link: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
        web: `https://cursor.com/en/install-mcp?${query}`,
      };
    }
  }
}
