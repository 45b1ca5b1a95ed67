// `git http-backend` behind a server on loopback, as web hosts run it.
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves the repositories in a folder; what is asked of them (`ls-refs`, `fetch`) is added to `commands`. */
export function gitAnswer(
  folder: string,
  commands: string[] = [],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://x');
    const cgi = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: folder,
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-encoding'] === undefined
          ? {}
          : { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      },
    });
    request.on('data', (chunk: Buffer) => {
      const [, command] = /command=([a-z-]+)/.exec(chunk.toString('latin1')) ?? [];
      if (command !== undefined) commands.push(command);
    });
    request.pipe(cgi.stdin);
    cgi.stdin.on('error', () => response.destroy());
    let head = Buffer.alloc(0);
    let isBody = false;
    cgi.stdout.on('data', (chunk: Buffer) => {
      if (isBody) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      isBody = true;
      for (const line of head.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.write(head.subarray(end + 4));
    });
    cgi.on('close', () => response.end());
  };
}
