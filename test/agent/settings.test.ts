// Settings: every mistake ends the start with one line that names it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentProcess } from './support/agent.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-agent-settings-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const token = { GANTRY_COMPANION_TOKEN: 'gtc_test' };
const instance = (more: string) => `instances:\n  - { name: main, command: ./server, ${more} }`;

test.each<[string, string, Record<string, string>, string[], RegExp]>([
  ['no token', '', {}, [], /GANTRY_COMPANION_TOKEN .*is missing/],
  [
    'a wrong URL',
    '',
    { ...token, GANTRY_URL: 'ftp://x' },
    [],
    /--url \(GANTRY_URL, url\) must be .* not "ftp:\/\/x"/,
  ],
  ['an unknown flag', '', token, ['--frobnicate'], /--frobnicate/],
  [
    'a missing file that was named',
    '',
    token,
    ['--config', 'absent.yaml'],
    /--config .*absent\.yaml: there is no such file/,
  ],
  ['no YAML', 'instances: [', token, [], /gantry-agent\.yaml: .*at line 1/],
  ['an unknown key', 'instanzes: []', token, [], /gantry-agent\.yaml \/: unknown key "instanzes"/],
  [
    'a bad name',
    'instances: [{ name: Main, command: x }]',
    token,
    [],
    /\/instances\/0\/name: must match pattern/,
  ],
  [
    'addresses of the bus over TCP and over WebSockets',
    "bus_urls: ['tls://one:4222', 'wss://two']",
    token,
    [],
    /gantry-agent\.yaml \/bus_urls/,
  ],
  ['no command', 'instances: [{ name: main }]', token, [], /\/instances\/0: "command" is missing/],
  [
    'a wrong signal',
    instance('stop: { signal: SIGNONE }'),
    token,
    [],
    /\/instances\/0\/stop\/signal: must be one of \["SIGTERM"/,
  ],
  [
    'two ways to stop',
    instance('stop: { signal: SIGINT, command: quit }'),
    token,
    [],
    /\/instances\/0\/stop: must NOT have more/,
  ],
  [
    'a wrong port',
    instance('webrcon: { port: 0, password_file: x }'),
    token,
    [],
    /\/instances\/0\/webrcon\/port: must be >= 1/,
  ],
  [
    'a name used twice',
    `${instance('')}\n  - { name: main, command: x }`,
    token,
    [],
    /\/instances\/1\/name: "main" is used twice/,
  ],
  ['an absent token file', 'token_file: none', {}, [], /token_file .*none: ENOENT/],
  [
    'an impossible state directory',
    '',
    { ...token, GANTRY_AGENT_STATE: '/dev/null/x' },
    [],
    /GANTRY_AGENT_STATE .*ENOTDIR/,
  ],
])('%s', async (name, yaml, environment, args, line) => {
  const agent = new AgentProcess(mkdtempSync(join(directory, 'case-')));
  writeFileSync(join(agent.directory, 'gantry-agent.yaml'), yaml);
  agent.start(environment, { args, isFileNamed: !args.includes('--config') });
  expect(await agent.exit()).toBe(1);
  expect(agent.output).toMatch(/^gantry-agent: [^\n]+\n$/);
  expect(agent.output).toMatch(line);
  expect(name).not.toBe('');
});

test('without a file it starts with no instances and says how to add one', async () => {
  const agent = new AgentProcess(mkdtempSync(join(directory, 'case-')));
  agent.start({ ...token, GANTRY_URL: 'http://127.0.0.1:9' }, { isFileNamed: false });
  await agent.untilOutput('no instances');
  expect(agent.output).toContain('gantry-agent.example.yaml');
  await agent.untilOutput('agent started');
  expect(await agent.end('SIGTERM')).toBe(0);
});

test('two agents do not share a state directory', async () => {
  const environment = { ...token, GANTRY_URL: 'http://127.0.0.1:9' };
  const first = new AgentProcess(mkdtempSync(join(directory, 'case-')));
  const second = new AgentProcess(first.directory);
  first.start(environment, { isFileNamed: false });
  await first.untilOutput('agent started');
  second.start(environment, { isFileNamed: false });
  expect(await second.exit()).toBe(1);
  expect(second.output).toMatch(new RegExp(`is in use by the agent with pid ${first.pid}\n$`));
  await first.end('SIGKILL');
  second.start(environment, { isFileNamed: false });
  await second.untilOutput('agent started');
  await second.end('SIGKILL');
});
