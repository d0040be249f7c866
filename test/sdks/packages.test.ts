// The SDKs as their users install them: each becomes a package, and the TypeScript and Python packages run the quickstart
// of their README in an empty folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSdks } from '../../scripts/sdks/generate.ts';
import { buildTypescriptPackage } from '../../scripts/sdks/typescript.ts';
import { root } from '../support/contract.ts';
import { isInstalled, itWhere } from '../support/it-where.ts';
import { createInstance, createKeyWithText } from '../support/rows.ts';
import { World } from '../support/world.ts';

let world: World;
let folder = '';
let sdks = '';

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  folder = mkdtempSync(join(tmpdir(), 'gantry-packages-'));
  sdks = join(folder, 'sdks');
  cpSync(join(root, 'sdks'), sdks, { recursive: true });
  generateSdks(sdks);
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program to its end, which must be a success, and returns what it printed. */
async function run(cwd: string, command: readonly string[], environment: object = {}): Promise<string> {
  const [program = '', ...args] = command;
  mkdirSync(cwd, { recursive: true });
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${printed.stdout}${printed.stderr}`);
  return printed.stdout;
}

const quickstartOf = (readme: string, fence: string) =>
  new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(readme, 'utf8'))?.[1] ?? '';

/** The variables that a quickstart reads, for a license with one instance. */
async function environmentOf(): Promise<Record<string, string>> {
  const tenant = await world.createTenant();
  await createInstance(world, tenant, { name: 'main' });
  const permissions = { 'fleet.view': true, 'clusters.manage': true };
  const { key } = await createKeyWithText(world, tenant, { permissions });
  return { GANTRY_URL: world.url, GANTRY_API_KEY: key };
}

const printedByQuickstart = /^main \w+\n[a-z_]+ .+\ndone\n$/;

it('npm packs the TypeScript client, with types that a strict program compiles with', async () => {
  const built = join(folder, 'typescript');
  buildTypescriptPackage(built);
  const packed = await run(built, ['npm', 'pack', '--silent']);
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "type": "module", "private": true }');
  // What the client depends on comes from this repository, so that the test needs no registry.
  const dependencies = ['p-retry', 'is-network-error'].map((name) => join(root, 'node_modules', name));
  const install = ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--install-links'];
  await run(user, [...install, join(built, packed.trim()), ...dependencies]);
  writeFileSync(join(user, 'main.ts'), quickstartOf(join(built, 'README.md'), 'ts'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', ...types];
  await run(user, [process.execPath, compiler, ...options, 'main.ts']);
  expect(await run(user, [process.execPath, 'main.ts'], await environmentOf())).toMatch(printedByQuickstart);
}, 300_000);

/** Debian's Python has the tools of its packages even where another Python comes first. */
const builders = ['python3', '/usr/bin/python3'].filter((python) =>
  isInstalled(python, '-c', 'import setuptools, wheel, pip'),
);

itWhere(builders.length > 0)('pip makes a wheel of the Python SDK, with types', async () => {
  const [python = 'python3'] = builders;
  const wheels = join(folder, 'wheels');
  const offline = ['--no-deps', '--no-index', '--quiet', '--disable-pip-version-check'];
  const source = join(sdks, 'python');
  await run(source, [python, '-m', 'pip', 'wheel', ...offline, '--no-build-isolation', '-w', wheels, '.']);
  const [wheel = ''] = globSync('*.whl', { cwd: wheels });
  expect(wheel).toMatch(/^gantry_sdk-[\d.]+-py3-none-any\.whl$/);
  const installed = join(folder, 'installed');
  await run(wheels, [python, '-m', 'pip', 'install', ...offline, '--target', installed, wheel]);
  for (const file of ['py.typed', 'generated/models.py', 'generated/operations.py'])
    expect(globSync(`gantry/${file}`, { cwd: installed })).toHaveLength(1);
  const user = join(folder, 'python-user');
  mkdirSync(user);
  writeFileSync(join(user, 'main.py'), quickstartOf(join(source, 'README.md'), 'python'));
  const environment = { ...(await environmentOf()), PYTHONPATH: installed };
  expect(await run(user, ['python3', 'main.py'], environment)).toMatch(printedByQuickstart);
});

itWhere(isInstalled('go', 'version'))('go vet finds no fault in the Go SDK', async () => {
  await run(join(sdks, 'go'), ['go', 'vet', './...'], { GOCACHE: join(folder, 'go-cache') });
});

/** Loads every class through the names that composer.json maps to folders. */
const loadAll = `
[$prefix, $folder] = [array_key_first($map = json_decode(file_get_contents('composer.json'), true)['autoload']['psr-4']), reset($map)];
spl_autoload_register(function ($class) use ($prefix, $folder) {
    $file = $folder . str_replace('\\\\', '/', substr($class, strlen($prefix))) . '.php';
    if (is_file($file)) require_once $file;
});
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS));
foreach ($files as $file) {
    $name = $prefix . str_replace('/', '\\\\', substr($file, strlen($folder), -4));
    if (!class_exists($name) && !interface_exists($name) && !trait_exists($name) && !enum_exists($name)) echo "$name\\n";
}`;

itWhere(isInstalled('php', '--version'))(
  'composer.json of the PHP SDK leads to each of its classes',
  async () => {
    const manifest = JSON.parse(readFileSync(join(sdks, 'php/composer.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).toMatchObject({ name: expect.stringMatching(/^[a-z-]+\/[a-z-]+$/), type: 'library' });
    expect(await run(join(sdks, 'php'), ['php', '-r', loadAll])).toBe('');
  },
);
