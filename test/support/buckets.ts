// Buckets of an S3 service in memory: the requests that the platform's storage makes for small objects.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '../../src/storage/s3-storage.ts';

export class Buckets {
  /** By `/bucket/key`. */
  readonly objects = new Map<string, Buffer>();
  /** Every request then fails with 503. */
  isDown = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<Buckets> {
    const buckets = new Buckets();
    buckets.#server.listen(0, '127.0.0.1');
    await once(buckets.#server, 'listening');
    return buckets;
  }

  settingsOf(bucket: string): S3Settings {
    const { port } = this.#server.address() as AddressInfo;
    return {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      forcePathStyle: true,
    };
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://buckets');
    const content = await buffer(request);
    const object = this.objects.get(pathname);
    if (this.isDown) response.writeHead(503).end();
    else if (searchParams.has('uploads')) response.end('<ListMultipartUploadsResult/>');
    else if (request.method === 'PUT') {
      this.objects.set(pathname, content);
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'DELETE') {
      this.objects.delete(pathname);
      response.writeHead(204).end();
    } else if (object === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-length': object.length })
        .end(request.method === 'HEAD' ? '' : object);
  }
}
