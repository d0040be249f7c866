// The structure of the manager: scripts parse, the contract has one name for each area, and the version has a
// changelog entry.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import contract from '../../generated/local-manager.openapi.json' with { type: 'json' };
import { areas } from '../../local-manager/src/handlers/index.ts';
import { composed } from '../../local-manager/src/powershell/host-bridge.ts';
import { problems } from '../../local-manager/src/problems.ts';
import { powerShellScript } from '../../src/agent-release/install-scripts.ts';
import { readTechCatalog } from '../../local-manager/src/characters/tech-catalog.ts';

const folder = resolve(import.meta.dirname, '../../local-manager');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const scripts = globSync('powershell/*.ps1', { cwd: folder }).toSorted();
const product = globSync('src/**/*.ts', { cwd: folder }).toSorted();

describe('the PowerShell scripts', () => {
  let parser: Parser;

  beforeAll(async () => {
    await Parser.init();
    const grammar = dirname(createRequire(import.meta.url).resolve('tree-sitter-powershell/package.json'));
    parser = new Parser();
    parser.setLanguage(await Language.load(join(grammar, 'tree-sitter-powershell.wasm')));
  });

  afterAll(() => parser.delete());

  it('are exactly those that the bridge knows', () => {
    const source = read('src/powershell/host-bridge.ts');
    const known = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, name]) => name);
    expect(scripts.map((path) => basename(path, '.ps1')).filter((name) => name !== 'frame')).toEqual(
      known.toSorted(),
    );
  });

  it.each(scripts.filter((path) => basename(path) !== 'frame.ps1'))('%s parses, and names itself', (path) => {
    const text = read(path);
    const whole = composed(read('powershell/frame.ps1'), text, { mark: 'm' });
    const tree = parser.parse(whole);
    const faults = tree?.rootNode
      .descendantsOfType('ERROR')
      .map((node) => `${node?.startPosition.row}: ${node?.text}`);
    expect(faults).toEqual([]);
    expect(tree?.rootNode.hasError).toBe(false);
    tree?.delete();
    expect(text).toMatch(new RegExp(`^# gantry: ${basename(path, '.ps1')}\n`));
  });

  it('parse, like the one that installs the agent', async () => {
    const file = { platform: 'win-x64', name: 'gantry-agent-win-x64.exe', size: 1, sha256: '0'.repeat(64) };
    const release = { version: '0.1.0', commit: '', files: [file], keyPem: "-----\nit's\n", directory: '' };
    const text = (await powerShellScript(release, "https://panel.example.com/it's")) ?? '';
    expect(text).not.toMatch(/@[A-Z0-9_]+@/);
    for (const [script, isRight] of [
      [text, true],
      [text.replace('} finally {', '} finally'), false],
    ] as const) {
      const tree = parser.parse(script);
      expect(tree?.rootNode.hasError).toBe(!isRight);
      tree?.delete();
    }
  });

  it('reach no network drive and follow no links', () => {
    for (const path of scripts) {
      expect(read(path)).not.toMatch(/Get-PSDrive/);
      expect(read(path)).not.toMatch(/Remove-Item.*-Recurse/);
    }
    for (const name of ['get-reset-plan', 'remove-folder', 'get-preflight'])
      expect(read(`powershell/${name}.ps1`)).toContain('DriveType.ToString() -');
  });

  it('use only commands of Hyper-V and of the network that the self-test looks for', () => {
    const wanted = new Set(
      read('powershell/check-commands.ps1').match(/(?<=^ {2}')[A-Z][a-z]+-\w+(?=' =)/gm),
    );
    for (const path of scripts) {
      const used = read(path).match(/\b[A-Z][a-z]+-(?:VM|VHD|NetA|NetN|Cim)\w*/g) ?? [];
      expect([path, ...new Set(used)].filter((name) => name !== path && !wanted.has(name))).toEqual([]);
    }
  });

  it('fit on the command line of Windows', () => {
    for (const path of scripts) {
      const text = composed(read('powershell/frame.ps1'), read(path), { value: 'x'.repeat(1000) });
      expect(Buffer.from(text, 'utf16le').toString('base64').length).toBeLessThan(30_000);
    }
  });

  it('quote values so that they stay data', () => {
    const text = composed('<#values#>|<#work#>', 'work', { name: "'; Remove-Item C:\\ #$& <#work#>" });
    expect(text).toMatch(/^[A-Za-z0-9+/=]+\|work$/);
  });
});

describe('the contract', () => {
  const operations = Object.values(contract.paths).flatMap((item) =>
    Object.values(item).filter(
      (operation): operation is { operationId: string; tags: string[]; security: object[] } =>
        typeof operation === 'object' && operation !== null && 'operationId' in operation,
    ),
  );

  it('has one handler for each operation, in the file of its area', () => {
    for (const { operationId, tags } of operations) {
      const area = (tags[0] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect(Object.keys(areas[area as keyof typeof areas])).toContain(operationId);
    }
    expect(Object.values(areas).flatMap((area) => Object.keys(area))).toHaveLength(operations.length);
  });

  it('requires the token everywhere', () => {
    for (const { security } of operations) expect(security).toEqual([{ session: [] }, { token: [] }]);
  });

  it('declares every problem of the manager', () => {
    expect(Object.keys(problems.kinds).toSorted()).toEqual(
      contract.components.schemas.ProblemCode.enum.toSorted(),
    );
  });

  it('has the version of the package, and a changelog entry for it', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(contract.info.version).toBe(version);
    const newest = /^## (\d+\.\d+\.\d+) · (\d{4}-\d{2}-\d{2})$/m.exec(read('CHANGELOG.md'));
    expect(newest?.[1]).toBe(version);
  });
});

describe('the files', () => {
  it('do not know the stand-ins', () => {
    expect(product.filter((file) => /stand-?in/i.test(read(file)))).toEqual([]);
  });
});

it('list 356 nodes of the tech tree', () => {
  const catalog = readTechCatalog();
  expect(catalog).toHaveLength(356);
  expect(new Set(catalog.map(({ key }) => key)).size).toBe(356);
  expect(catalog.filter(({ kind }) => kind === 'group')).toHaveLength(56);
});
