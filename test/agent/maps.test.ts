// Maps at the agent: fetched whole or not at all, past connections that break, and without holding anything else up.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Backoff } from '../../agent/src/backoff.ts';
import { MapFetcher } from '../../agent/src/maps/map-fetcher.ts';
import type { MapSource } from '../../agent/src/maps/map-fetcher.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { openFiles } from './support/backups.ts';

const content = randomBytes(300_000);
const attempts = 6;

let server: Server;

async function serve(respond: RequestListener): Promise<MapSource> {
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    map_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.byteLength,
    file_name: 'islands.map',
  };
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Gives so much with each response, and then breaks the connection. */
function inPieces(bytes: number, asked: string[] = []): RequestListener {
  return ({ headers: { range } }, response) => {
    asked.push(range ?? 'all');
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const headers = {
      'content-length': content.byteLength - from,
      'content-range': `bytes ${from}-${content.byteLength - 1}/${content.byteLength}`,
    };
    response.writeHead(range === undefined ? 200 : 206, headers);
    response.write(content.subarray(from, from + bytes), () => {
      if (from + bytes < content.byteLength) setImmediate(() => response.destroy());
      else response.end();
    });
  };
}

describe('a download that breaks off', () => {
  let directory: string;
  const maps = () => readdirSync(join(directory, 'root/maps'));
  const fetcher = () =>
    new MapFetcher(openFiles(directory), pino({ level: 'silent' }), () => new Backoff(1, 1));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gantry-maps-'));
    mkdirSync(join(directory, 'root'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('continues for as long as it makes progress', async () => {
    const asked: string[] = [];
    const source = await serve(inPieces(25_000, asked));
    expect(await fetcher().fetch(source)).toBe('maps/islands.map');
    expect(readFileSync(join(directory, 'root/maps/islands.map')).equals(content)).toBe(true);
    expect(asked.length).toBeGreaterThan(attempts);
    expect(asked.slice(0, 2)).toEqual(['all', 'bytes=25000-']);
  });

  it('ends once it has come no further several times in a row', async () => {
    const asked: string[] = [];
    const source = await serve((request, response) => {
      if (asked.length < 3) inPieces(25_000, asked)(request, response);
      else {
        asked.push('in vain');
        response.writeHead(503).end();
      }
    });
    await expect(fetcher().fetch(source)).rejects.toThrow('the response had status 503');
    expect(asked.filter((range) => range === 'in vain')).toHaveLength(attempts);
    expect(maps()).toEqual([]);
  });

  it('ends when each response starts over and none gets further than the first', async () => {
    let responses = 0;
    const source = await serve((request, response) => {
      responses += 1;
      delete request.headers.range;
      inPieces(25_000)(request, response);
    });
    await expect(fetcher().fetch(source)).rejects.toThrow();
    expect(responses).toBe(attempts + 1);
    expect(maps()).toEqual([]);
  });

  it('that brings something else is refused, and leaves what was there', async () => {
    mkdirSync(join(directory, 'root/maps'));
    writeFileSync(join(directory, 'root/maps/islands.map'), 'unchanged');
    const source = await serve((_request, response) => response.end(randomBytes(content.byteLength)));
    await expect(fetcher().fetch(source)).rejects.toThrow('its checksum is wrong');
    expect(maps()).toEqual(['islands.map']);
    expect(readFileSync(join(directory, 'root/maps/islands.map'), 'utf8')).toBe('unchanged');
  });
});

describe('a map that comes slowly', () => {
  let stage: Stage;
  let root: string;

  beforeEach(async () => {
    stage = await Stage.open();
    root = join(stage.agent.directory, 'root');
    mkdirSync(join(root, 'maps'), { recursive: true });
    stage.agent.configure([{ root }]);
    await stage.startAgent();
  });
  afterEach(() => stage.close());

  it('does not delay the packing of files, and other maps wait for it', async () => {
    let finish: () => void = () => undefined;
    const source = await serve((_request, response) => {
      response.write(content.subarray(0, 1000));
      finish = () => response.end(content.subarray(1000));
    });
    const deploy = stage.platform.command('deploy_map', 'main', { args: { map: source } });
    await stage.platform.send(deploy);
    await until(() => readdirSync(join(root, 'maps')).length === 1, 'the beginning of the map');
    const remove = stage.platform.command('remove_map', 'main', { args: { file_name: source.file_name } });
    await stage.platform.send(remove);
    writeFileSync(join(root, 'file'), 'file');
    const args = { paths: ['file'], archive_path: 'all.zip' };
    const zip = stage.platform.command('zip_files', 'main', { args });
    await stage.platform.send(zip);
    expect(await stage.platform.resultOf(zip.id)).toMatchObject({ status: 'succeeded' });
    expect(existsSync(join(root, 'maps/islands.map'))).toBe(false);
    finish();
    expect(await stage.platform.resultOf(deploy.id)).toMatchObject({ status: 'succeeded' });
    expect(await stage.platform.resultOf(remove.id)).toMatchObject({ status: 'succeeded' });
    expect(readdirSync(join(root, 'maps'))).toEqual([]);
  });
});
