import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { parseDeb822, parseSourcesList } from '../../../src/embedded/apt-sources.ts';
import { runCommand } from '../../../src/embedded/run-command.ts';
import { Scratch, writeProgram } from './scratch.ts';

const says = (version: string) => `echo "nats-server: v${version}"`;

describe('the search for a nats-server', () => {
  const scratch = new Scratch();
  const systemPath = process.env['PATH'] ?? '';
  let cacheDir: string;
  let folder: string;

  beforeEach(async () => {
    folder = await scratch.folder();
    cacheDir = join(folder, 'cache');
    for (const version of ['2.9.25', '2.10.27', '2.10.3']) {
      await mkdir(join(cacheDir, version), { recursive: true });
      await writeProgram(join(cacheDir, version, 'nats-server'), says(version));
    }
    await mkdir(join(folder, 'bin'));
  });
  afterAll(() => scratch.remove());

  async function find(options: { cacheDir: string; serverBin?: string; path?: string }): Promise<string> {
    const script = join(import.meta.dirname, 'find-nats-server.ts');
    const args = [script, options.cacheDir, ...(options.serverBin === undefined ? [] : [options.serverBin])];
    const path = options.path ?? [join(folder, 'bin'), systemPath].join(delimiter);
    return (await runCommand(process.execPath, args, { env: { PATH: path } })).stdout;
  }

  it('prefers the configured program', async () => {
    await writeProgram(join(folder, 'bin/nats-server'), says('2.11.0'));
    const serverBin = await writeProgram(join(folder, 'mine'), says('2.9.0'));
    expect(await find({ cacheDir, serverBin })).toBe(serverBin);
  });

  it('reports what is wrong with the configured program instead of using another', async () => {
    expect(await find({ cacheDir, serverBin: '/no/such/program' })).toContain(
      'NATS_SERVER_BIN names /no/such/program, which does not run',
    );
    const serverBin = await writeProgram(join(folder, 'old'), says('2.8.4'));
    expect(await find({ cacheDir, serverBin })).toContain('is 2.8.4, older than 2.9.0');
  });

  it('prefers the program on the PATH to one it downloaded earlier', async () => {
    const onPath = await writeProgram(join(folder, 'bin/nats-server'), says('2.9.10'));
    expect(await find({ cacheDir })).toBe(onPath);
  });

  it('skips one that is too old, and prefers the newest of the downloaded ones', async () => {
    await writeProgram(join(folder, 'bin/nats-server'), says('2.8.4'));
    const installed = /^\/usr\/(local\/)?s?bin\/nats-server$/;
    const found = await find({ cacheDir });
    if (!installed.test(found)) expect(found).toBe(join(cacheDir, '2.10.27/nats-server'));
  });

  it('says in one line what to do when there is none', async () => {
    // Without apt on the PATH nothing can be downloaded.
    await writeProgram(join(folder, 'bin/sh'), 'exec /bin/sh "$@"');
    const found = await find({ cacheDir: join(folder, 'empty'), path: join(folder, 'bin') });
    if (found.startsWith('/usr/')) return;
    expect(found).toBe(
      'failed: ConfigError: No nats-server was found: install nats-server 2.9 or newer, ' +
        'or set NATS_SERVER_BIN to its path or NATS_URL to a running server',
    );
  });
});

describe('apt sources', () => {
  it('are read from one-line entries', () => {
    const text = [
      '# deb http://commented.example/debian bookworm main',
      'deb http://mirror.example/debian bookworm main contrib # comment',
      'deb [arch=amd64 signed-by=/usr/share/keyrings/some.gpg trusted=yes] https://other.example/x stable main',
      'deb-src http://mirror.example/debian bookworm main',
    ].join('\n');
    expect(parseSourcesList(text)).toEqual([
      { uri: 'http://mirror.example/debian', suites: ['bookworm'], components: ['main', 'contrib'] },
      {
        uri: 'https://other.example/x',
        suites: ['stable'],
        components: ['main'],
        signedBy: '/usr/share/keyrings/some.gpg',
      },
    ]);
  });

  it('are read from deb822 paragraphs, with a key written out', () => {
    const text = [
      'Types: deb deb-src',
      '# comment',
      'URIs: http://mirror.example/debian http://second.example/debian',
      'Suites: bookworm bookworm-updates',
      'Components: main',
      'Signed-By:',
      ' -----BEGIN PGP PUBLIC KEY BLOCK-----',
      ' .',
      ' abc',
      ' -----END PGP PUBLIC KEY BLOCK-----',
      '',
      'Types: deb',
      'Enabled: no',
      'URIs: http://off.example/debian',
      'Suites: bookworm',
      'Components: main',
    ].join('\n');
    const source = {
      suites: ['bookworm', 'bookworm-updates'],
      components: ['main'],
      signedBy: '\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabc\n-----END PGP PUBLIC KEY BLOCK-----',
    };
    expect(parseDeb822(text)).toEqual([
      { uri: 'http://mirror.example/debian', ...source },
      { uri: 'http://second.example/debian', ...source },
    ]);
  });
});
