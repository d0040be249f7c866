// Checks the contracts: lint, drift of generated files, validity of the 3.0 forms, breaking changes, and the changelog.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { refuseOutdatedEntry } from './api-changelog.ts';
import { generate, httpContracts, messageContracts, redocly } from './generate.ts';
import { inOneSpelling } from './pattern-spelling.ts';
import { withWidenedPatterns } from './widened-patterns.ts';

const root = resolve(import.meta.dirname, '..');
const generatedDirectory = resolve(root, 'generated');

const scratch = mkdtempSync(join(tmpdir(), 'gantry-contract-'));
try {
  for (const { withSource } of httpContracts)
    withSource((source) => redocly(['lint', source, '--config', 'openapi/redocly.yaml']));
  for (const { source } of messageContracts)
    redocly(['lint', source, '--config', 'openapi/redocly-messages.yaml']);
  await checkDrift();
  for (const { name, source } of httpContracts) {
    redocly(['lint', `generated/${name}.openapi-3.0.json`, '--config', 'openapi/redocly-3.0.yaml']);
    for (const form of ['3.1', '3.0'])
      redocly([
        'lint',
        `generated/${name}.openapi-${form}.json`,
        '--config',
        'openapi/redocly-published.yaml',
      ]);
    checkCompatibility(name, source);
  }
  refuseOutdatedEntry();
  console.log('contracts: lint, drift, 3.0 form, compatibility and changelog are fine');
} finally {
  rmSync(scratch, { recursive: true });
}

async function checkDrift(): Promise<void> {
  const fresh = join(scratch, 'generated');
  await generate(fresh);
  const names = new Set([...readdirSync(fresh), ...readdirSync(generatedDirectory)]);
  const drifted = [...names].filter((name) => textOf(fresh, name) !== textOf(generatedDirectory, name));
  if (drifted.length > 0)
    throw new Error(`generated/ differs from the contracts: ${drifted.join(', ')}; run npm run generate`);
}

function textOf(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Fails when the bundle breaks clients of the last committed one that differs from it, within one major
 * version.
 */
function checkCompatibility(name: string, source: string): void {
  const path = `generated/${name}.openapi-3.1.json`;
  const current = readFileSync(join(root, path), 'utf8');
  const previous = committedVersions(path).find((text) => text !== current);
  if (previous === undefined || majorOf(previous) !== majorOf(current)) return;
  const before = join(scratch, `${name}.before.json`);
  const after = join(scratch, `${name}.after.json`);
  writeFileSync(before, inOneSpelling(withWidenedPatterns(previous)));
  writeFileSync(after, inOneSpelling(current));
  try {
    redocly(['diff', before, after, '--fail-on', 'major']);
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\nThis breaks clients (docs/api-policy.md). Deprecate first; or, before 1.0.0, raise the minor version in ${source} and run npm run generate.`,
      { cause: error },
    );
  }
}

/**
 * The part of the version that a breaking change must raise: the first non-zero one, as in npm's caret
 * ranges.
 */
function majorOf(bundle: string): string {
  const [major = '', minor = ''] = (JSON.parse(bundle) as { info: { version: string } }).info.version.split(
    '.',
  );
  return major === '0' ? `0.${minor}` : major;
}

/** Newest first. A bundle that existed only on a branch before its merge needs no compatibility. */
function* committedVersions(path: string): Generator<string> {
  const log = spawnSync('git', ['log', '--first-parent', '--format=%H', '--', path], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const commit of log.stdout.split('\n').filter(Boolean)) {
    const shown = spawnSync('git', ['show', `${commit}:${path}`], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    if (shown.status === 0) yield shown.stdout;
  }
}
