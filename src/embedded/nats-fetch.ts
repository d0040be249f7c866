// Fetches nats-server from the machine's package archive, verified by apt, without root or installation.
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readAptSources, type AptSource } from './apt-sources.ts';
import { errorCode, exists, readIfPresent } from '../process/files.ts';
import { makeScratchDirectory } from '../process/scratch-directory.ts';
import { findOnPath, lastLine, runCommand } from './run-command.ts';

/** Older than the newest suite, newer than Debian 12's own 2.9; its package runs on Debian 12 as well. */
const PREFERRED_DEBIAN_SUITE = 'trixie';
const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DRAFTS = { prefix: '.fetch-', abandonedAfterMs: 3_600_000 };
const COMMAND_TIMEOUT_MS = 120_000;

/** The path of the program in `<cacheDir>/<version>/`, or undefined if this method is unavailable. */
export async function fetchNatsServer(cacheDir: string, log: Logger): Promise<string | undefined> {
  const tools = await Promise.all(['apt-get', 'dpkg-deb'].map(findOnPath));
  if (tools.includes(undefined)) return undefined;
  for (const source of await candidateSources()) {
    log.info({ archive: source.uri, suite: source.suites[0] }, 'Fetching nats-server with apt');
    const draft = await makeScratchDirectory(cacheDir, DRAFTS);
    try {
      return await fetchFrom(source, draft, cacheDir);
    } catch (error) {
      log.warn(
        { detail: error instanceof Error ? error.message : String(error) },
        'This archive gave no nats-server',
      );
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return undefined;
}

/** The machine's main archive, once for each suite to try. */
async function candidateSources(): Promise<AptSource[]> {
  const release = (await readIfPresent('/etc/os-release')) ?? '';
  const codename = /^VERSION_CODENAME="?(\w+)/m.exec(release)?.[1];
  const isDebian = /^ID="?debian"?$/m.test(release);
  const sources = (await readAptSources()).filter(({ uri }) => !uri.startsWith('cdrom:'));
  const own =
    sources.find(({ suites }) => codename !== undefined && suites.includes(codename)) ??
    sources.find(({ suites }) =>
      suites.some((suite) => /^(oldstable|stable|testing|unstable|sid)$/.test(suite)),
    );
  if (own === undefined) return [];
  const ownSuite = own.suites.find((suite) => suite === codename) ?? own.suites[0] ?? '';
  const hasDebianKeys = isDebian && own.signedBy === undefined && (await exists(DEBIAN_KEYRING));
  const source = hasDebianKeys ? { ...own, signedBy: DEBIAN_KEYRING } : own;
  const suites = isDebian ? new Set([PREFERRED_DEBIAN_SUITE, ownSuite]) : [ownSuite];
  return [...suites].map((suite) => ({ ...source, suites: [suite] }));
}

async function fetchFrom(source: AptSource, draft: string, cacheDir: string): Promise<string> {
  await writeAptState(source, draft);
  const options = aptOptions(draft);
  await mustSucceed('apt-get', ['-q', ...options, 'update'], draft);
  await mustSucceed('apt-get', ['-q', ...options, 'download', 'nats-server'], draft);
  const archive = (await readdir(draft)).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded nothing');
  await mustSucceed('dpkg-deb', ['-x', archive, 'unpacked'], draft);

  const ready = join(draft, 'ready');
  await mkdir(ready, { mode: 0o755 });
  await copyFile(join(draft, 'unpacked/usr/sbin/nats-server'), join(ready, 'nats-server'));
  await chmod(join(ready, 'nats-server'), 0o755);
  const { code, stdout, stderr } = await runCommand(join(ready, 'nats-server'), ['--version']);
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) throw new Error(`it does not run here: ${lastLine(stderr)}`);
  const target = join(cacheDir, version);
  try {
    await rename(ready, target);
  } catch (error) {
    // Another process fetched the same version first.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
  return join(target, 'nats-server');
}

async function writeAptState(source: AptSource, draft: string): Promise<void> {
  for (const path of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(draft, path), { recursive: true });
  await writeFile(join(draft, 'status'), '');
  let keyring = source.signedBy;
  if (keyring?.includes('-----BEGIN') === true) {
    await writeFile(join(draft, 'key.asc'), `${keyring.trim()}\n`);
    keyring = join(draft, 'key.asc');
  }
  const options = keyring === undefined ? '' : `[signed-by=${keyring}] `;
  const entry = `deb ${options}${source.uri} ${source.suites.join(' ')} ${source.components.join(' ')}\n`;
  await writeFile(join(draft, 'sources.list'), entry);
}

/** Uses a separate apt state: the machine's package lists are neither needed nor changed. */
function aptOptions(draft: string): string[] {
  const settings = {
    'Dir::Etc::sourcelist': join(draft, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State': draft,
    'Dir::State::lists': join(draft, 'lists'),
    'Dir::State::status': join(draft, 'status'),
    'Dir::Cache': join(draft, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '15',
    'Acquire::https::Timeout': '15',
    // As root, apt would download as its own user, who cannot access a private cache.
    ...(process.getuid?.() === 0 ? { 'APT::Sandbox::User': 'root' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

async function mustSucceed(command: string, args: string[], cwd: string): Promise<void> {
  const { code, stderr } = await runCommand(command, args, { cwd, timeoutMs: COMMAND_TIMEOUT_MS });
  if (code !== 0) throw new Error(`${command} ${args.at(-1) ?? ''} failed: ${lastLine(stderr)}`);
}
