// Turns the hand-written contracts into the bundles and types under generated/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { problems as managerProblems } from '../local-manager/src/problems.ts';
import { problems as platformProblems } from '../src/platform-contract/problems.ts';
import { busProtocol } from './bus-protocol.ts';
import { downConvert } from './down-convert.ts';
import { withEnumDescriptions } from './enum-descriptions.ts';
import { operationTraits } from './operation-traits.ts';
import { writePluginConfigContract } from './plugin-config-contract.ts';
import { withPluginDefaults } from './plugin-defaults.ts';
import { withProblemResponses } from './problem-responses.ts';

const root = resolve(import.meta.dirname, '..');
const redoclyBin = resolve(root, 'node_modules/@redocly/cli/bin/cli.js');

/** Contracts in OpenAPI; each becomes a bundle, its 3.0 form and its types. */
export const httpContracts = [
  { name: 'platform', source: 'openapi/openapi.yaml', problems: platformProblems },
  { name: 'local-manager', source: 'local-manager/openapi/openapi.yaml', problems: managerProblems },
] as const;

/** Messages in AsyncAPI; each becomes a bundle and the types of its messages. */
export const messageContracts = [
  { name: 'agent-bus', source: 'openapi/agent-bus.asyncapi.yaml' },
  { name: 'console', source: 'openapi/console.asyncapi.yaml' },
  { name: 'local-manager-events', source: 'local-manager/openapi/events.asyncapi.yaml' },
] as const;

/** Runs the Redocly command line with the repository's rules and fails loudly when it fails. */
export function redocly(args: string[]): void {
  const { status } = spawnSync(process.execPath, [redoclyBin, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (status !== 0) throw new Error(`redocly ${args[0] ?? ''} ended with status ${status ?? 'none'}`);
}

/** Writes all generated files into `directory`. */
export async function generate(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const { name, source, problems } of httpContracts) {
    const path = resolve(directory, `${name}.openapi.json`);
    const bundle = withEnumDescriptions(
      withPluginDefaults(withProblemResponses(bundled(source, path), problems)),
    );
    writeJson(path, bundle);
    writeJson(resolve(directory, `${name}.openapi-3.0.json`), downConvert(bundle));
    await writeTypes(resolve(directory, `${name}.d.ts`), bundle as unknown as OpenAPI3);
    writeFileSync(resolve(directory, `${name}.operations.ts`), operationTraits(bundle));
  }
  for (const { name, source } of messageContracts) {
    const bundle = bundled(source, resolve(directory, `${name}.asyncapi.json`));
    const { schemas } = bundle['components'] as { schemas: object };
    await writeTypes(resolve(directory, `${name}.d.ts`), {
      openapi: '3.1.0',
      info: { title: name, version: '1' },
      paths: {},
      components: { schemas },
    } as unknown as OpenAPI3);
    if (name === 'agent-bus') writeFileSync(resolve(directory, `${name}.protocol.ts`), busProtocol(bundle));
  }
}

function bundled(source: string, target: string): Record<string, unknown> {
  redocly(['bundle', source, '--config', 'openapi/redocly.yaml', '--ext', 'json', '--output', target]);
  return JSON.parse(readFileSync(target, 'utf8')) as Record<string, unknown>;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

async function writeTypes(path: string, document: OpenAPI3): Promise<void> {
  const types = await openapiTS(structuredClone(document), { alphabetize: false });
  writeFileSync(path, `// Generated from the contract; edit the contract instead.\n\n${astToString(types)}`);
}

if (import.meta.main) {
  await writePluginConfigContract();
  await generate(resolve(root, 'generated'));
}
