// The baseline of file transfers: one HTTP hop. It stores a body as a file, synced, and sends the file back.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { serveParent, settingsOfChild } from '../support/child.ts';

const { path } = settingsOfChild<{ path: string }>();

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(path, { flush: true }));
    response.end();
  } else {
    response.setHeader('Content-Length', statSync(path).size);
    await pipeline(createReadStream(path), response);
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
