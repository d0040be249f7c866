// The one line that installs the agent, from the code to a running agent, on a machine of its own; and each of its faults.
import { execFile } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { cp, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { components } from '../../generated/platform.d.ts';
import {
  agentExecutable as executable,
  agentPlatform as platform,
  builtAgent,
} from '../support/built-agent.ts';
import { createAuthority } from '../support/certificates.ts';
import { TlsProxy } from '../support/tls-proxy.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { BareMachine, type Ran } from './support/bare-machine.ts';

type Schemas = components['schemas'];

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

let directory: string;
let world: World;
let tenant: Tenant;
let machine: BareMachine;
let original: string;
const releaseFile = (name: string) => join(directory, 'release', name);
/** Files of the release that a test has replaced or removed. */
const damaged = new Set<string>();

/** The files are those of the build itself, which other suites use: a test replaces one as a whole. */
async function damage(name: string, content?: Buffer | string): Promise<void> {
  damaged.add(name);
  await rm(releaseFile(name), { force: true });
  if (content !== undefined) await writeFile(releaseFile(name), content);
}

async function restore(name: string): Promise<void> {
  await rm(releaseFile(name), { force: true });
  await link(join(original, name), releaseFile(name));
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-install-'));
  const built = await builtAgent();
  original = built.release;
  await cp(built.key, join(directory, 'key.pem'));
  await mkdir(releaseFile(''));
  for (const name of await readdir(original)) await restore(name);
  world = await World.create({ agentReleaseDirectory: releaseFile(''), heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
});
afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

let machineCount = 0;
async function startMachine(options?: { hasSystemd: boolean }): Promise<BareMachine> {
  const at = join(directory, `machine-${++machineCount}`);
  await mkdir(at);
  return BareMachine.start(at, options);
}

beforeEach(async () => {
  machine = await startMachine();
});
afterEach(async () => {
  await machine.stop();
  for (const name of damaged) await restore(name);
  damaged.clear();
});

const createCode = async () =>
  (await world.call('post', '/api/fleet/enrolment-codes', tenant.owner).expect(201))
    .body as Schemas['EnrolmentCode'];

const lineWith = async (more = '') => `${(await createCode()).commands.linux} ${more}`;

/** Makes the script expect the signature of another key; the platform itself serves no release that is not signed. */
async function withOtherKey(): Promise<string> {
  const bodyOf = (pem: string) => pem.trim().split('\n')[1] ?? '';
  const { publicKey } = generateKeyPairSync('ed25519');
  const own = createPublicKey(await readFile(join(directory, 'key.pem'), 'utf8'));
  const [from, to] = [own, publicKey].map((key) =>
    bodyOf(String(key.export({ type: 'spki', format: 'pem' }))),
  );
  return `sed "s#${from}#${to}#"`;
}

const hostNamed = async (name: string) => {
  const { body } = await world.call('get', '/api/fleet/hosts?limit=100', tenant.owner).expect(200);
  return (body as Schemas['AgentHostPage']).data.find(({ hostname }) => hostname === name);
};

const untilOnline = (name: string) =>
  until(async () => ((await hostNamed(name))?.status === 'online' ? true : undefined));

/** Everything that an installation may change; a running agent makes its lock at any moment. */
const stateOf = async (on = machine) =>
  (
    await on.sh(
      'find /opt /etc/gantry-agent /etc/systemd/system /var/lib/gantry-agent ! -name agent.lock -printf "%M %u %p\\n" 2> /dev/null | sort; cat /etc/passwd',
    )
  ).stdout;

/** The run failed with one line that matches, and the machine is unchanged. */
async function expectRefusal(work: () => Promise<Ran>, line: RegExp, on = machine): Promise<void> {
  const before = await stateOf(on);
  const { status, stderr } = await work();
  const lines = stderr.trim().split('\n');
  expect([status, lines.at(-1)]).toEqual([1, expect.stringMatching(line)]);
  expect(lines.filter((each) => each.startsWith('gantry: '))).toHaveLength(1);
  expect(await stateOf(on)).toBe(before);
}

const agentCount = async (on = machine) =>
  Number((await on.sh('pgrep -fc "^/opt/gantry-agent/bin/gantry-agent" || true')).stdout);

it('installs, enrolls and starts the agent with one line, and does it again without a second agent', async () => {
  const first = await machine.sh(await lineWith('--hostname bare-1'));
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('journalctl -u gantry-agent -f');
  await untilOnline('bare-1');
  expect(await hostNamed('bare-1')).toMatchObject({ agent_version: '0.1.0', platform });

  const owners = await machine.sh(
    'stat -c "%U %a %n" /var/lib/gantry-agent /var/lib/gantry-agent/agent.nk /etc/gantry-agent/gantry-agent.yaml /opt/gantry-agent/launch; ps -o user= -p "$(cat /run/stand-in/main)"; grep -r gantry_ /etc/gantry-agent /var/lib/gantry-agent || true',
  );
  expect(owners.stdout.trim().split('\n')).toEqual([
    'gantry-agent 700 /var/lib/gantry-agent',
    'gantry-agent 600 /var/lib/gantry-agent/agent.nk',
    'root 640 /etc/gantry-agent/gantry-agent.yaml',
    'root 755 /opt/gantry-agent/launch',
    'gantry-agent',
  ]);

  const second = await machine.sh(await lineWith('--hostname bare-1'));
  expect([second.status, second.stderr]).toEqual([0, '']);
  expect(second.stdout).toContain('enrolled already');
  await untilOnline('bare-1');
  expect(await agentCount()).toBe(1);

  await machine.sh('mkdir -p /srv/rust && echo save > /srv/rust/save');
  const removal = await machine.sh(`curl -fsSL ${world.url}/install.sh | sh -s -- --uninstall`);
  expect([removal.status, removal.stderr]).toEqual([0, '']);
  const left = await machine.sh(
    'ls -d /opt/gantry-agent /etc/systemd/system/gantry-agent.service; ls /var/lib/gantry-agent/agent.nk; cat /srv/rust/save',
  );
  expect(left.stdout).toBe('/var/lib/gantry-agent/agent.nk\nsave\n');
  expect(await agentCount()).toBe(0);
});

it('needs only wget, and checks the signature without openssl', async () => {
  const line = (await lineWith('--hostname bare-2')).replace('curl -fsSL', 'wget -qO-');
  expect(line).toContain('wget');
  const { status, stderr } = await machine.sh(`rm -f "$(command -v curl)" "$(command -v openssl)"; ${line}`);
  expect([status, stderr]).toEqual([0, '']);
  await untilOnline('bare-2');
  await machine.sh('systemctl stop');
  const again = await machine.sh(`wget -qO- ${world.url}/install.sh | ${await withOtherKey()} | sh`);
  expect([again.status, again.stderr]).toEqual([
    1,
    expect.stringMatching(/signature of the release is wrong/),
  ]);
});

it('trusts the authorities that curl trusts on the machine, and so does the agent afterwards', async () => {
  const authority = createAuthority(directory, 'Own authority');
  const proxy = await TlsProxy.start(authority, () => Number(new URL(world.url).port));
  try {
    const behind = `https://${proxy.authority}`;
    // The script as a platform with this public URL serves it.
    const script = (await (await fetch(`${world.url}/install.sh`)).text()).replaceAll(world.url, behind);
    const quoted = Buffer.from(script).toString('base64');
    const line = `echo ${quoted} | base64 -d | sh -s -- ${(await createCode()).code} --hostname bare-10`;
    await expectRefusal(() => machine.sh(line), /could not be downloaded; is a proxy in between/);
    const certificate = Buffer.from(await readFile(authority.file)).toString('base64');
    await machine.sh(
      `echo ${certificate} | base64 -d > /usr/local/share/ca-certificates/own.crt; update-ca-certificates`,
    );
    const { status, stderr } = await machine.sh(line);
    expect([status, stderr]).toEqual([0, '']);
    await untilOnline('bare-10');
    const settings = await machine.sh('cat /etc/gantry-agent/gantry-agent.yaml');
    expect(settings.stdout).toContain(`url: '${behind}'`);
  } finally {
    await proxy.close();
  }
});

it('installs without systemd, says how to start the agent, and stops it when it is removed', async () => {
  const other = await startMachine({ hasSystemd: false });
  try {
    const { status, stdout, stderr } = await other.sh(await lineWith('--hostname bare-3'));
    expect([status, stderr]).toEqual([0, '']);
    const start = /start it yourself: (.+)/.exec(stdout)?.[1] ?? 'false';
    await other.sh(`setsid ${start} > /var/log/agent.log 2>&1 < /dev/null &`);
    await untilOnline('bare-3');
    const again = await other.sh(`curl -fsSL ${world.url}/install.sh | sh`);
    expect([again.status, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toMatch(/the former agent runs on with pid (\d+): kill \1, then start the new one/);

    const removal = await other.sh(`curl -fsSL ${world.url}/install.sh | sh -s -- --uninstall`);
    expect([removal.status, removal.stderr]).toEqual([0, '']);
    expect(await agentCount(other)).toBe(0);
    expect((await other.sh('ls -A /opt; ls /var/lib/gantry-agent/agent.nk')).stdout).toBe(
      '/var/lib/gantry-agent/agent.nk\n',
    );
  } finally {
    await other.stop();
  }
});

describe('leaves the host unchanged, with one line, when', () => {
  it('the download was changed', async () => {
    const line = await lineWith();
    const bytes = await readFile(releaseFile(executable));
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await damage(executable, bytes);
    await expectRefusal(
      () => machine.sh(line),
      /is not what this script expects \(SHA-256 [0-9a-f]{64} instead of/,
    );
  });

  it('a proxy replies with a page of its own', async () => {
    const line = await lineWith();
    await damage(executable, '<html>Please sign in</html>');
    await expectRefusal(() => machine.sh(line), /a proxy changed it, or there is a newer release/);
  });

  it('the signature is wrong', async () => {
    const line = await lineWith();
    const other = line.replace('| sh', `| ${await withOtherKey()} | sh`);
    await expectRefusal(() => machine.sh(other), /the signature of the release is wrong/);
  });

  it('the code was used, has expired or was never created', async () => {
    const created = await createCode();
    const line = `${created.commands.linux} --hostname bare-4`;
    await world.database.query('update enrolment_code set expires_at = now() where id = $1', [created.id]);
    await expectRefusal(() => machine.sh(line), /the host is not enrolled; nothing was installed/);
    expect((await machine.sh(line)).stderr).toContain('The code has expired; codes last 15 minutes.');
    const wrong = line.replace(created.code, 'gantry_enrol_wrong');
    await expectRefusal(() => machine.sh(wrong), /the host is not enrolled; nothing was installed/);
  });

  it('another machine has the name', async () => {
    expect((await machine.sh(await lineWith('--hostname bare-5'))).status).toBe(0);
    const other = await startMachine();
    try {
      const line = await lineWith('--hostname bare-5');
      await expectRefusal(() => other.sh(line), /the host is not enrolled; nothing was installed/, other);
      expect((await other.sh(line)).stderr).toContain('hostname_taken');
    } finally {
      await other.stop();
    }
  });

  it('it does not run as root, or without a code', async () => {
    const line = await lineWith();
    await expectRefusal(() => machine.sh(line, { user: 'daemon' }), /this needs root/);
    await expectRefusal(
      () => machine.sh(`curl -fsSL ${world.url}/install.sh | sh`),
      /usage: install.sh CODE/,
    );
  });

  it('the disk is full', async () => {
    const line = await lineWith();
    await machine.sh('mount -t tmpfs -o size=100m tmpfs /opt');
    await expectRefusal(() => machine.sh(line), /\/opt has \d+ MiB free; the agent needs \d+ MiB/);
  });

  it('the agent was set up by other means', async () => {
    const line = await lineWith();
    await machine.sh('echo "[Service]" > /etc/systemd/system/gantry-agent.service');
    await expectRefusal(() => machine.sh(line), /already set up in .+ by other means/);
  });

  it.each([
    ['as one file', '/tmp/gantry-agent-linux-x64 600'],
    ['from a clone', '/tmp/node agent/src/main.ts --config /etc/agent.yaml'],
    ['from npm', '/tmp/node /srv/node_modules/.bin/gantry-agent'],
  ])('an agent runs already, %s', async (_, command) => {
    const line = await lineWith();
    // The stand-in for both programs sleeps with any arguments.
    await machine.sh(
      `cp /bin/sh /tmp/node; cp /bin/sleep /tmp/gantry-agent-linux-x64; mkdir -p /agent/src /srv/node_modules/.bin
       printf 'read -r line < /tmp/endless\n' | tee /agent/src/main.ts > /srv/node_modules/.bin/gantry-agent
       mkfifo /tmp/endless; cd /; ${command} > /dev/null 2>&1 &`,
    );
    await until(async () => (await machine.sh(`pgrep -f '^${command}'`)).status === 0, 'the agent');
    await expectRefusal(() => machine.sh(line), /an agent already runs with pid \d+/);
  });

  it('the script was cut off', async () => {
    const line = await lineWith();
    const lines = (await (await fetch(`${world.url}/install.sh`)).text()).split('\n');
    for (const last of ['set -- $line', 'NODE_USE_SYSTEM_CA=1', 'sync', 'systemctl daemon-reload']) {
      const cut = line.replace('| sh', `| head -n ${lines.indexOf(last) + 1} | sh`);
      const before = await stateOf();
      const { status, stderr } = await machine.sh(cut);
      expect([last, status, stderr]).toEqual([last, 2, expect.stringMatching(/end of file unexpected/)]);
      expect(await stateOf()).toBe(before);
    }
  });

  it('it is enrolled at another platform', async () => {
    expect((await machine.sh(await lineWith('--hostname bare-7'))).status).toBe(0);
    const line = await lineWith('--hostname bare-7');
    await machine.sh('sed -i "s#http:#https:#" /var/lib/gantry-agent/enrolment.json');
    expect((await machine.sh(line)).status).toBe(0); // its settings name this platform
    await machine.sh('sed -i "s#http:#https:#" /etc/gantry-agent/gantry-agent.yaml');
    await expectRefusal(
      () => machine.sh(line),
      /this host is enrolled at https:\S+: if that is another name/,
    );
  });

  it('the disk of the state directory is full', async () => {
    const line = await lineWith();
    await machine.sh('mount -t tmpfs -o size=100k tmpfs /var/lib');
    await expectRefusal(() => machine.sh(line), /the host is not enrolled; nothing was installed/);
    expect((await machine.sh(line)).stderr).toContain('the disk of /var/lib/gantry-agent is full');
  });
});

it('continues where a full disk kept it from writing the unit', async () => {
  const line = await lineWith('--hostname bare-8');
  await machine.sh('mount -t tmpfs -o size=4k,nr_inodes=1 tmpfs /etc/systemd/system');
  const { status, stderr } = await machine.sh(line);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^gantry: \S+gantry-agent.service cannot be written \(No space left on device\); .+\n$/,
    ),
  ]);
  await machine.sh('umount /etc/systemd/system');
  const again = await machine.sh(line);
  expect([again.status, again.stderr]).toEqual([0, '']);
  await untilOnline('bare-8');
});

it('follows no link that the agent’s user has made', async () => {
  const line = await lineWith('--hostname bare-11');
  expect((await machine.sh(line)).status).toBe(0);
  await untilOnline('bare-11');
  await machine.sh('systemctl stop; mkdir /srv/directory; echo mine > /srv/file');
  const links = `
    set -e
    cd /opt/gantry-agent/bin
    executable=$(cat current)
    for name in current "$executable" trial; do rm -f "$name"; ln -s /srv/directory "$name"; done
    mkdir gantry-agent-kept trial.started`;
  expect(await machine.sh(links, { user: 'gantry-agent' })).toMatchObject({ status: 0, stderr: '' });
  // As on a system without fs.protected_hardlinks.
  await machine.sh('ln /srv/file /opt/gantry-agent/bin/file; ln /srv/file /var/lib/gantry-agent/file');
  const again = await machine.sh(line);
  expect([again.status, again.stderr]).toEqual([0, '']);
  expect((await machine.sh('ls -A /srv/directory; stat -c %U /srv/directory /srv/file')).stdout).toBe(
    'root\nroot\n',
  );
  const found = await machine.sh('cd /opt/gantry-agent/bin; stat -c "%U %F %n" *');
  expect(found.stdout.trim().split('\n')).toEqual([
    'gantry-agent regular file current',
    'root regular file file',
    expect.stringMatching(/^gantry-agent regular file gantry-agent-\d/),
  ]);
  await untilOnline('bare-11');
});

it('takes over a state directory that another user has', async () => {
  const line = await lineWith('--hostname bare-12');
  await machine.sh('mkdir -m 700 /var/lib/gantry-agent; echo x > /var/lib/gantry-agent/kept');
  expect((await machine.sh(line)).status).toBe(0);
  expect((await machine.sh('stat -c "%U %a" /var/lib/gantry-agent /var/lib/gantry-agent/kept')).stdout).toBe(
    'gantry-agent 700\ngantry-agent 644\n',
  );
});

it('enrolls a host again whose key was reset, or that was deleted', async () => {
  expect((await machine.sh(await lineWith('--hostname bare-9'))).status).toBe(0);
  await untilOnline('bare-9');
  const id = (await hostNamed('bare-9'))?.id;
  await world.call('post', `/api/fleet/hosts/${id}/reset-key`, tenant.owner).expect(200);
  const afterReset = await machine.sh(await lineWith('--hostname bare-9'));
  expect([afterReset.status, afterReset.stderr]).toEqual([0, '']);
  await until(async () => (await hostNamed('bare-9'))?.key_reset_expires_at === null);
  await untilOnline('bare-9');
  expect((await hostNamed('bare-9'))?.id).toBe(id);

  await machine.sh('systemctl stop');
  await until(async () => (await hostNamed('bare-9'))?.status === 'offline');
  await world.call('delete', `/api/fleet/hosts/${id}`, tenant.owner).expect(204);
  const afterDeletion = await machine.sh(await lineWith('--hostname bare-9'));
  expect([afterDeletion.status, afterDeletion.stderr]).toEqual([0, '']);
  await untilOnline('bare-9');
  expect((await hostNamed('bare-9'))?.id).not.toBe(id);
});

it('continues after it was killed in the middle, with the same code', async () => {
  const created = await createCode();
  const line = `${created.commands.linux} --hostname bare-6`;
  // Killed after the trade of the code, before anything else is in place.
  const killed = line.replace('| sh', '| sed "s/^interrupted=.*before the end.*/kill -9 \\$\\$/" | sh');
  expect((await machine.sh(killed)).status).not.toBe(0);
  expect((await machine.sh('ls /opt/gantry-agent')).status).not.toBe(0);
  const again = await machine.sh(line);
  expect([again.status, again.stderr]).toEqual([0, '']);
  await untilOnline('bare-6');
  expect((await machine.sh('ls -A /opt')).stdout).toBe('gantry-agent\n');
});

it('serves the scripts as text, passes shellcheck, and fills in no value of a request', async () => {
  const script = await fetch(`${world.url}/install.sh?url=evil`, {
    headers: { host: "x'; reboot; '" },
  }).catch(() => fetch(`${world.url}/install.sh?url=evil`));
  expect(script.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8');
  expect(script.headers.get('x-content-type-options')).toBe('nosniff');
  const text = await script.text();
  expect(text).not.toMatch(/evil|reboot|@[A-Z0-9_]+@/);
  const file = join(directory, 'install.sh');
  await writeFile(file, text);
  await run('shellcheck', [
    file,
    join(root, 'src/agent-release/launch.sh'),
    join(import.meta.dirname, 'support/systemctl.sh'),
  ]);
  expect((await fetch(`${world.url}/install.ps1`)).status).toBe(404);
  for (const name of ['key.pem', '..%2fkey.pem', '%2e%2e%2fkey.pem', 'release.json%00'])
    expect((await fetch(`${world.url}/downloads/agent/${name}`)).status).toBeGreaterThanOrEqual(400);
});

it('says how to make a release where there is none', async () => {
  await damage('release.json');
  for (const path of ['/install.sh', '/install.ps1', '/downloads/agent/release.json']) {
    const response = await fetch(`${world.url}${path}`);
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('npm run build:agent'),
    ]);
  }
  expect(await createCode()).toMatchObject({ agent_version: null });
});
