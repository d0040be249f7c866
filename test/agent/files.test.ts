// Files of an instance at the agent: no path leads out of the root, and nothing unfinished stays behind.
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deflateRawSync, crc32 } from 'node:zlib';
import type { Schemas } from '../../agent/src/messages.ts';
import { hostilePaths } from '../support/hostile-paths.ts';
import { until } from '../support/until.ts';
import { unzipped } from '../support/zip-files.ts';
import { Stage } from './support/agent.ts';
import { webrconAt } from './support/rust-instance.ts';

type Request = Partial<Schemas['FileRequest']>;
type Reply = Schemas['FileReply'];

let stage: Stage;
let root: string;
let outside: string;

beforeAll(async () => {
  stage = await Stage.open();
  root = join(stage.agent.directory, 'root');
  outside = join(stage.agent.directory, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  stage.agent.configure([
    { root, ...webrconAt(stage, 1) },
    { name: 'wide', root: stage.agent.directory },
  ]);
  await stage.startAgent();
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

const ask = (verb: string, question: Request): Promise<Reply> =>
  stage.platform.request('FileReply', `ask.file-${verb}`, {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
    ...question,
  });

async function codeOf(reply: Promise<Reply>): Promise<string> {
  const { ok, error } = await reply;
  return ok ? 'ok' : (error?.code ?? '');
}

const data = Buffer.from('hostile').toString('base64');

describe('what is the agent’s own', () => {
  async function carriedOut(
    verb: Schemas['CommandVerb'],
    args: object,
    instance = 'wide',
  ): Promise<Schemas['CommandResult']> {
    const command = stage.platform.command(verb, instance, { args: { ...args } });
    expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
    return stage.platform.resultOf(command.id);
  }

  it.each(['state', 'state/agent.nk', 'gantry-agent.yaml', 'rcon-password'])(
    '%s is out of reach',
    async (path) => {
      const hardLink = `hard-link-${path.length}`;
      const linked = path === 'rcon-password' ? path : 'gantry-agent.yaml';
      linkSync(join(stage.agent.directory, linked), join(stage.agent.directory, hardLink));
      for (const place of [path, hardLink]) {
        for (const [verb, question] of [
          ['read', { path: place }],
          ['write', { path: place, data }],
          ['download', { path: place }],
          ['delete', { path: place, recursive: true }],
          ['rename', { path: place, new_path: 'mine' }],
        ] as const) {
          const code = await codeOf(ask(verb, { instance: 'wide', ...question }));
          // A directory is never readable as a file.
          const isRead = verb === 'read' || verb === 'download';
          const wanted = place === 'state' && isRead ? 'wrong_type' : 'refused';
          expect([verb, place, code]).toEqual([verb, place, wanted]);
        }
      }
      expect(await codeOf(ask('list', { instance: 'wide', path: 'state', limit: 1 }))).toBe('refused');
    },
  );

  it.each(['agent.nk', 'instances/main/record.json', 'backups/wide/kept.zip'])(
    'a hard link to %s in its state directory is out of reach',
    async (path) => {
      const own = join(stage.agent.stateDirectory, path);
      mkdirSync(dirname(own), { recursive: true });
      appendFileSync(own, '');
      const link = `linked-${basename(path)}`;
      linkSync(own, join(root, link));
      const before = readFileSync(own);
      for (const [verb, question] of [
        ['read', { path: link }],
        ['stat', { path: link }],
        ['write', { path: link, data }],
        ['download', { path: link }],
        ['upload', { path: link, overwrite: true }],
        ['delete', { path: link }],
        ['rename', { path: link, new_path: 'mine' }],
      ] as const)
        expect([verb, await codeOf(ask(verb, question))]).toEqual([verb, 'refused']);
      expect(
        await carriedOut('unzip_file', { archive_path: link, path: 'out', overwrite: false }, 'main'),
      ).toMatchObject({
        error_code: 'files_refused',
      });
      expect(
        await carriedOut('zip_files', { paths: [link], archive_path: `${link}.zip` }, 'main'),
      ).toMatchObject({
        error_code: 'files_refused',
      });
      expect(readFileSync(own).equals(before)).toBe(true);
      rmSync(join(root, link));
    },
  );

  it('does not keep a game server’s own hard links out of reach', async () => {
    writeFileSync(join(root, 'shared.dll'), 'shared');
    linkSync(join(root, 'shared.dll'), join(outside, 'deduplicated.dll'));
    expect(await ask('read', { path: 'shared.dll' })).toMatchObject({ ok: true });
    expect(await codeOf(ask('write', { path: 'shared.dll', data }))).toBe('ok');
    expect(readFileSync(join(outside, 'deduplicated.dll'), 'utf8')).toBe('shared');
  });

  it('is never packed, and left out of backups', async () => {
    writeFileSync(join(stage.agent.directory, 'beside'), 'beside');
    linkSync(join(stage.agent.stateDirectory, 'agent.nk'), join(stage.agent.directory, 'linked-key'));
    const paths = ['rcon-password', 'beside'];
    expect(await carriedOut('zip_files', { paths, archive_path: 'all.zip' })).toMatchObject({
      error_code: 'files_refused',
    });
    const { command_id } = await carriedOut('create_backup', { kind: 'manual' });
    const archive = join(stage.agent.stateDirectory, 'backups/wide', `${command_id}.zip`);
    const names = [...(await unzipped(readFileSync(archive))).keys()];
    expect(names).toContain('beside');
    for (const secret of ['rcon-password', 'linked-key', 'agent.nk'])
      expect(names.filter((name) => name.includes(secret))).toEqual([]);
  });
});

describe('an upload', () => {
  const content = Buffer.from('what was sent');
  const sha256 = createHash('sha256').update(content).digest('hex');

  async function uploaded(path: string, end: { size: number; sha256: string }): Promise<string> {
    const { transfer = '' } = await ask('upload', { path, overwrite: true });
    const line = JSON.stringify({ v: 1, host_id: stage.platform.hostId, transfer, seq: 0 });
    const subject = `gantry.${stage.platform.hostId}.ask.file-chunk`;
    await stage.platform.nats.request(subject, Buffer.concat([Buffer.from(`${line}\n`), content]));
    return codeOf(ask('finish', { transfer, ...end }));
  }

  it.each([
    ['another checksum', { size: content.byteLength, sha256: '0'.repeat(64) }],
    ['another length', { size: content.byteLength + 1, sha256 }],
    ['an end before anything came', { size: 0, sha256: createHash('sha256').digest('hex') }],
  ])('with %s is refused, and what was there stays', async (_what, end) => {
    writeFileSync(join(root, 'checked'), 'unchanged');
    expect(await uploaded('checked', end)).toBe('checksum');
    expect(await uploaded('new-and-checked', end)).toBe('checksum');
    expect(readFileSync(join(root, 'checked'), 'utf8')).toBe('unchanged');
    expect(existsSync(join(root, 'new-and-checked'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('.gantry-'))).toEqual([]);
  });

  it('that arrives intact takes the place', async () => {
    expect(await uploaded('checked', { size: content.byteLength, sha256 })).toBe('ok');
    expect(readFileSync(join(root, 'checked')).equals(content)).toBe(true);
  });
});

describe('what is unfinished', () => {
  it('is removed by the next agent when this one is killed', async () => {
    const { transfer } = await ask('upload', { path: 'half', overwrite: false });
    const line = Buffer.from(
      `${JSON.stringify({ v: 1, host_id: stage.platform.hostId, transfer, seq: 0 })}\n`,
    );
    await stage.platform.nats.request(
      `gantry.${stage.platform.hostId}.ask.file-chunk`,
      Buffer.concat([line, Buffer.alloc(256 * 1024)]),
    );
    expect(readdirSync(root).some((name) => name.startsWith('.gantry-'))).toBe(true);
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await until(() => !readdirSync(root).some((name) => name.startsWith('.gantry-')), 'the removal');
    expect(existsSync(join(root, 'half'))).toBe(false);
    const gone = await ask('finish', { transfer: transfer ?? randomUUID(), size: 0, sha256: '0'.repeat(64) });
    expect(gone).toMatchObject({ ok: false, error: { code: 'unknown_transfer' } });
  });
});

interface Item {
  name: string;
  content?: Buffer;
  /** Of Unix, the kind of file included. */
  mode?: number;
  /** What the archive says instead of the truth. */
  claimedSize?: number;
  claimedSum?: number;
  isStored?: boolean;
}

/** A zip file that no proper program would make. */
function zipOf(items: Item[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = Buffer.from('x'), mode = 0o100644, ...item } of items) {
    const packed = item.isStored === true ? content : deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(item.isStored === true ? 0 : 8, 4);
    common.writeUInt32LE(item.claimedSum ?? crc32(content), 10);
    common.writeUInt32LE(packed.byteLength, 14);
    common.writeUInt32LE(item.claimedSize ?? content.byteLength, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, rest, Buffer.from(name));
    parts.push(local);
    offset += local.byteLength;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(items.length, 8);
  end.writeUInt16LE(items.length, 10);
  end.writeUInt32LE(central.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

describe('an archive', () => {
  async function unpack(archive: Buffer, path = 'unpacked') {
    writeFileSync(join(root, 'archive.zip'), archive);
    const args = { archive_path: 'archive.zip', path, overwrite: false };
    const command = stage.platform.command('unzip_file', 'main', { args });
    expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
    return stage.platform.resultOf(command.id);
  }

  it('is unpacked into a folder that is there, and beside what is in it', async () => {
    mkdirSync(join(root, 'there/a'), { recursive: true });
    writeFileSync(join(root, 'there/a/kept'), 'kept');
    expect(await unpack(zipOf([{ name: 'a/b' }]), 'there')).toMatchObject({ status: 'succeeded' });
    expect(await unpack(zipOf([{ name: 'c' }]), 'there/deeper/still')).toMatchObject({ status: 'succeeded' });
    expect(await unpack(zipOf([{ name: 'a/b' }]), 'there')).toMatchObject({ error_code: 'files_refused' });
    expect(readdirSync(join(root, 'there'), { recursive: true }).toSorted()).toEqual([
      'a',
      'a/b',
      'a/kept',
      'deeper',
      'deeper/still',
      'deeper/still/c',
    ]);
    rmSync(join(root, 'there'), { recursive: true });
  });

  it('is unpacked whole', async () => {
    expect(
      await unpack(zipOf([{ name: 'a/b' }, { name: 'c/', content: Buffer.alloc(0), mode: 0o040755 }])),
    ).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(root, 'unpacked/a/b'), 'utf8')).toBe('x');
    rmSync(join(root, 'unpacked'), { recursive: true });
  });

  it.each([
    ['a name that leads out', [{ name: 'ok' }, { name: '../escaped' }]],
    ['an absolute name', [{ name: '/escaped' }]],
    ['a name with a drive', [{ name: 'C:/escaped' }]],
    ['a name with backslashes', [{ name: 'a\\..\\..\\escaped' }]],
    ['a reserved name', [{ name: 'aux.txt' }]],
    ['a name of the agent', [{ name: '.gantry-1' }]],
    ['a link', [{ name: 'link', content: Buffer.from('/etc'), mode: 0o120777 }]],
    ['a name that is too deep below its destination', [{ name: `${'d/'.repeat(199)}d` }]],
    ['a name that is too deep anywhere', [{ name: `${'d/'.repeat(400)}` }]],
    ['a device', [{ name: 'device', mode: 0o020666 }]],
    ['the same name twice', [{ name: 'same' }, { name: 'same' }]],
    ['a file where a directory is needed', [{ name: 'same' }, { name: 'same/inner' }]],
    ['a size that is a lie', [{ name: 'liar', content: Buffer.alloc(5_000_000), claimedSize: 10 }]],
    ['content that is damaged', [{ name: 'ok' }, { name: 'damaged', claimedSum: 1 }]],
    ['content that is damaged and not compressed', [{ name: 'damaged', claimedSum: 1, isStored: true }]],
    ['a bomb', [{ name: 'bomb', content: Buffer.alloc(64 * 1024 * 1024) }]],
  ])('with %s changes nothing', async (_what, items) => {
    expect(await unpack(zipOf(items))).toMatchObject({ status: 'failed', error_code: 'files_refused' });
    expect(existsSync(join(root, 'unpacked'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('.gantry-'))).toEqual([]);
    expect(existsSync(join(root, 'escaped'))).toBe(false);
    expect(existsSync(join(stage.agent.directory, 'escaped'))).toBe(false);
  });

  it.each([
    ['../x', 'The archive is broken: it has a name that leads out of it.'],
    ['a/../../x', 'The archive is broken: it has a name that leads out of it.'],
    ['/tmp/x', 'The archive is broken: it has a name that leads out of it.'],
    ['C:/x', 'The archive is broken: it has a name that leads out of it.'],
    ['..\\x', 'The archive is broken: it has a name with a backslash.'],
    ['a\0b', 'The archive has the name "a?b". The path cannot be used'],
  ])('with the name %j is reported to have it', async (name, detail) => {
    expect((await unpack(zipOf([{ name }]))).detail).toContain(detail);
  });

  it.each<[string, Omit<Item, 'name'>, string]>([
    ['a wrong checksum', { claimedSum: 1 }, 'The archive is broken: "x" is not what its checksum says.'],
    [
      'a size that is too small',
      { content: Buffer.alloc(5_000), claimedSize: 10 },
      'another size than it says',
    ],
    ['a size that is too large', { claimedSize: 10 }, 'another size than it says'],
    ['another size, not compressed', { claimedSize: 10, isStored: true }, 'another size than it says'],
  ])('with %s is reported to have it', async (_what, item, detail) => {
    expect((await unpack(zipOf([{ name: 'x', ...item }]))).detail).toContain(detail);
  });

  it('with any hostile path for a name changes nothing', async () => {
    // A directory ends with a slash, and half a character is in no archive.
    for (const name of hostilePaths.filter((path) => path !== 'a/' && path.isWellFormed())) {
      expect([name, await unpack(zipOf([{ name }]))]).toMatchObject([name, { error_code: 'files_refused' }]);
      expect(existsSync(join(root, 'unpacked'))).toBe(false);
    }
  });

  it('whose unpacking is cut short by the end of the agent is reported, and nothing half-unpacked stays hidden', async () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({ name: `many/${index}` }));
    writeFileSync(join(root, 'archive.zip'), zipOf(items));
    const args = { archive_path: 'archive.zip', path: 'cut-short', overwrite: false };
    const command = stage.platform.command('unzip_file', 'main', { args });
    expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
    const unfinished = () => readdirSync(root).filter((name) => name.startsWith('.gantry-'));
    await until(() => {
      const [name] = unfinished();
      return name !== undefined && existsSync(join(root, name, 'cut-short/many/10'));
    }, 'the first files');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(await stage.platform.resultOf(command.id)).toMatchObject({
      status: 'failed',
      error_code: 'interrupted',
      detail: expect.stringContaining('while it unpacked'),
    });
    await until(() => unfinished().length === 0, 'the removal');
    expect(existsSync(join(root, 'cut-short'))).toBe(false);
  });

  it('that is none, or cut off, is refused', async () => {
    for (const bytes of [Buffer.from('no zip'), zipOf([{ name: 'a' }]).subarray(0, 40), Buffer.alloc(0)])
      expect(await unpack(bytes)).toMatchObject({ status: 'failed', error_code: 'files_refused' });
  });
});
