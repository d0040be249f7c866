// The two commands of README.md on clean Debian machines with Node and nothing else: as a plain user, and as root in a home
// that only root enters.
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../../src/embedded/run-command.ts';
import { freePort } from '../support/free-port.ts';
import { copyContext, DebianRoot } from '../support/debian-root.ts';
import { until } from '../support/until.ts';

const clone = resolve(import.meta.dirname, '../..');
/** Of each kind: HTTP with database and bus, a page in the browser of npm, the agent, and what needs other programs. */
const suites = ['test/api/auth', 'test/panel/api-keys', 'test/agent/lifecycle', 'test/game-plugins'];
const needingPrograms = 'test/game-plugins';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-bare-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Node and npm of these versions, where an archive of nodejs.org has them. */
async function installNode(
  { path }: DebianRoot,
  { node, npm }: { node: string; npm: string },
): Promise<void> {
  const folder = join(directory, `node-${node}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  // The package `node` would have to run a script that installs this one.
  const name = `node-linux-${process.arch}`;
  await mustRun('npm', ['install', '--no-audit', '--no-fund', `${name}@${node}`, `npm@${npm}`], folder);
  const local = join(path, 'usr/local');
  await cp(join(folder, 'node_modules', name, 'bin/node'), join(local, 'bin/node'));
  await chmod(join(local, 'bin/node'), 0o755);
  await cp(join(folder, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const command of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${command}-cli.js`, join(local, 'bin', command));
}

async function mustRun(command: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe.each([
  { release: 'bookworm', node: '20.20.2', npm: '10.8.2', user: '1000:1000', home: '/home/owner' },
  { release: 'trixie', node: '24.21.0', npm: '11.19.1', user: '0:0', home: '/root' },
] as const)(
  'Debian $release with Node $node, user $user in $home',
  ({ release, node, npm: npmVersion, user, home }) => {
    let root: DebianRoot;
    let port: number;
    const at = `${home}/gantry`;
    const settings = () => ({
      user,
      cwd: at,
      // What this machine's certificates are for Node, as its administrator sets it.
      env: { HOME: home, PORT: String(port), NODE_EXTRA_CA_CERTS: '/etc/gantry-test.pem' },
    });
    const npm = (...args: string[]) => root.run(['npm', ...args], settings());

    beforeAll(async () => {
      root = await DebianRoot.create(join(directory, release), release);
      const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
      await writeFile(
        join(root.path, 'etc/gantry-test.pem'),
        certificates === undefined ? '' : await readFile(certificates),
      );
      await installNode(root, { node, npm: npmVersion });
      await copyContext(clone, join(root.path, at), ['bench', 'test']);
      const [uid = 0, gid = 0] = user.split(':').map(Number);
      if (uid !== 0) await writeFile(join(root.path, 'etc/passwd'), await withUser(root, uid, home));
      await mustRun('chown', ['-R', `${uid}:${gid}`, join(root.path, home)], directory);
      await chown(join(root.path, home), uid, gid);
      await chmod(join(root.path, home), 0o700);
      port = await freePort();
      const { code, output } = await npm('ci', '--no-audit', '--no-fund');
      if (code !== 0) throw new Error(output.slice(-10_000));
    }, 1_800_000);

    it('npm start leads to a ready platform', async () => {
      const child = root.start(['npm', 'start'], settings());
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => (output += data.toString()));
      try {
        await until(
          () => {
            if (child.exitCode !== null) throw new Error(`npm start has ended: ${output}`);
            return output.includes(`Gantry is ready at http://127.0.0.1:${port}`);
          },
          'a ready platform',
          240_000,
        );
        expect(output).toMatch(/Create the first user +http\S+\/setup#/);
        const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
        for (const path of ['/api/docs', '/readyz']) expect(await statusOf(path)).toBe(200);
        // The first start builds the panel meanwhile.
        await until(async () => (await statusOf('/')) === 200, 'the panel', 240_000);
      } finally {
        await root.end(child, 'SIGKILL');
      }
    }, 600_000);

    it('npm test passes, and names what it leaves out', async () => {
      const { code, output } = await npm('test', '--', ...suites, '-w', '2');
      if (code !== 0) throw new Error(output.slice(-10_000));
      expect(output).toMatch(/^\d+ passed, 0 failed, /m);
      for (const suite of suites.filter((name) => name !== needingPrograms))
        expect(output).toMatch(new RegExp(`PASS .*${suite}`));
      expect(output).toMatch(
        new RegExp(`LEFT OUT ${needingPrograms}\\S+ \\(needs mcs, .*apt-get install mono-mcs`),
      );
    }, 1_800_000);
  },
);

async function withUser({ path }: DebianRoot, uid: number, home: string): Promise<string> {
  const users = await readFile(join(path, 'etc/passwd'), 'utf8');
  return `${users}owner:x:${uid}:${uid}::${home}:/bin/sh\n`;
}
