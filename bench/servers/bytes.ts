// The baseline of shared responses: a bare Express handler that sends the same bytes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { serveParent, settingsOfChild } from '../support/child.ts';

const { text, path } = settingsOfChild<{ text: string; path: string }>();

const app = express();
app.get(path, (_request, response) => {
  response.type('json').send(Buffer.from(text));
});
const server = createServer(app);
server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
