// The agent as one executable, and the signed list of a release.
import { execFile } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openReleaseKey } from '../../scripts/agent-release/release.ts';
import {
  agentExecutable,
  agentPlatform as platform,
  builtAgent,
  type BuiltAgent,
} from '../support/built-agent.ts';
import { runGuide } from '../support/guide.ts';
import { Stage, isAlive } from './support/agent.ts';

interface Release {
  version: string;
  commit: string;
  files: { platform: string; name: string; size: number; sha256: string }[];
}

const run = promisify(execFile);

let directory: string;
let built: BuiltAgent;
let release: Release;
const at = (name: string) => join(built.release, name);
const executable = () => at(agentExecutable);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-release-'));
  built = await builtAgent();
  release = JSON.parse(await readFile(at('release.json'), 'utf8')) as Release;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('the release names its executable, which has the size and the checksum that it gives', async () => {
  const bytes = await readFile(executable());
  expect(release).toMatchObject({ version: '0.1.0', commit: expect.stringMatching(/^[0-9a-f]{12}/) });
  expect(release.files).toEqual([
    {
      platform,
      name: agentExecutable,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  ]);
  expect(bytes.length).toBeLessThanOrEqual(130_000_000);
});

test('the list is signed with the key of the release, which later builds use again', async () => {
  const isSigned = async (change: (bytes: Buffer) => Buffer = (bytes) => bytes) => {
    const [bytes, signature, key] = await Promise.all(
      ['release.json', 'release.json.sig', 'release-key.pem'].map((name) => readFile(at(name))),
    );
    return verify(
      null,
      change(bytes as Buffer),
      createPublicKey(key as Buffer),
      Buffer.from(String(signature), 'base64'),
    );
  };
  expect(await isSigned()).toBe(true);
  expect(await isSigned((bytes) => Buffer.from(String(bytes).replace('0.1.0', '0.1.1')))).toBe(false);
  expect((await stat(built.key)).mode & 0o777).toBe(0o600);
  const again = createPublicKey(await openReleaseKey(built.key)).export({ type: 'spki', format: 'pem' });
  expect(await readFile(at('release-key.pem'), 'utf8')).toBe(again);
});

test('docs/operations.md builds one, checks its signature and runs it', async () => {
  const { status, output } = await runGuide('docs/operations.md', {}, [], 'The agent as one file');
  expect([status, output]).toEqual([0, expect.stringContaining('Signature Verified Successfully')]);
  expect(output).toContain(`gantry-agent ${release.version} (`);
});

test('it runs without Node, and prints its version', async () => {
  const { stdout } = await run(executable(), ['--version'], { cwd: directory, env: {} });
  expect(stdout).toBe(
    `gantry-agent ${release.version} (${release.commit}, ${platform}, Node ${process.versions.node})\n`,
  );
  const failure = await run(executable(), [], { cwd: directory, env: {} }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^gantry-agent: .+ missing: .+\n$/),
  });
});

test('it starts game servers, which outlive it, finds them again and stops them', async () => {
  const stage = await Stage.open();
  try {
    const { agent, platform: server } = stage;
    agent.configure([{ args: ['ticking'] }]);
    await stage.startAgent({ executable: executable() });
    expect(await server.run('start')).toMatchObject({ status: 'succeeded' });
    const [pid = 0] = agent.starts();
    await server.untilLine('tick 5');
    expect(agent.rssBytes()).toBeLessThan(130 * 1024 * 1024);
    await agent.end('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    await stage.startAgent({ executable: executable() });
    expect(await server.run('start')).toMatchObject({ detail: 'already running' });
    expect(await server.run('stop')).toMatchObject({ status: 'succeeded' });
    expect(isAlive(pid)).toBe(false);
    expect(server.violations).toEqual([]);
  } finally {
    await stage.close();
  }
});
