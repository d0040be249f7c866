// Turns the hand-written contracts into the bundles and types under generated/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';
import { problems as managerProblems } from '../local-manager/src/problems.ts';
import { problems as platformProblems } from '../src/platform-contract/problems.ts';
import { withAssembledContract } from './assembled-contract.ts';
import { busProtocol } from './bus-protocol.ts';
import { downConvert } from './down-convert.ts';
import { withEnumDescriptions } from './enum-descriptions.ts';
import { readChangelog } from './api-changelog.ts';
import { eventModule, withEventTable } from './events.ts';
import { openEnumType } from './open-enums.ts';
import { operationTraits } from './operation-traits.ts';
import { pluginKindsModule } from './plugin-kinds-module.ts';
import { publishedContract } from './published-contract.ts';
import { refuseUnlistedPaths } from './unlisted-paths.ts';
import { withoutExamples } from './without-examples.ts';
import { withPluginDefaults } from './plugin-defaults.ts';
import { withProblemResponses } from './problem-responses.ts';

const root = resolve(import.meta.dirname, '..');
const redoclyBin = resolve(root, 'node_modules/@redocly/cli/bin/cli.js');

type WithSource = (use: (source: string) => void) => void;

const handWritten =
  (source: string): WithSource =>
  (use) =>
    use(source);

/** Contracts in OpenAPI; each becomes a bundle, its 3.0 form and its types. */
export const httpContracts = [
  {
    name: 'platform',
    source: 'openapi/openapi.yaml',
    withSource: withAssembledContract,
    problems: platformProblems,
    /** Whether client/ is typed by its published form. */
    hasClient: true,
  },
  {
    name: 'local-manager',
    source: 'local-manager/openapi/openapi.yaml',
    withSource: handWritten('local-manager/openapi/openapi.yaml'),
    problems: managerProblems,
    hasClient: false,
  },
] satisfies readonly {
  name: string;
  source: string;
  withSource: WithSource;
  problems: object;
  hasClient: boolean;
}[];

/** Messages in AsyncAPI; each becomes a bundle and the types of its messages. */
export const messageContracts = [
  { name: 'agent-bus', source: 'openapi/agent-bus.asyncapi.yaml' },
  { name: 'console', source: 'openapi/console.asyncapi.yaml' },
  { name: 'local-manager-events', source: 'local-manager/openapi/events.asyncapi.yaml' },
] as const;

/** Runs the Redocly command line with the repository's rules; if it fails, throws an error with all it has printed. */
export function redocly(args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [redoclyBin, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (status === 0) return;
  throw new Error(`redocly ${args[0] ?? ''} ended with status ${status ?? 'none'}:\n${stdout}${stderr}`);
}

/** Writes all generated files into `directory`. */
export async function generate(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const { name, source: contract, withSource, problems, hasClient } of httpContracts) {
    refuseUnlistedPaths(root, contract);
    const path = resolve(directory, `${name}.openapi.json`);
    withSource((source) => bundle(source, path));
    const document = withEnumDescriptions(withPluginDefaults(withProblemResponses(readJson(path), problems)));
    writeJson(path, document);
    const published = publishedContract(document);
    writeFileSync(
      resolve(directory, `${name}.openapi-3.1.json`),
      `${onOneLine(JSON.stringify(published))}\n`,
    );
    writeJson(resolve(directory, `${name}.openapi-3.0.json`), downConvert(published));
    await writeTypes(resolve(directory, `${name}.d.ts`), document as unknown as OpenAPI3);
    if (hasClient)
      await writeTypes(resolve(directory, `${name}.published.d.ts`), published as unknown as OpenAPI3);
    writeFileSync(resolve(directory, `${name}.operations.ts`), operationTraits(document));
  }
  writeJson(resolve(directory, 'api-changelog.json'), readChangelog());
  writeJson(resolve(directory, 'workflows.arazzo.json'), publishedWorkflows());
  writeFileSync(resolve(directory, 'plugin-kinds.ts'), pluginKindsModule());
  writeFileSync(resolve(directory, 'events.ts'), eventModule());
  for (const { name, source } of messageContracts) {
    const path = resolve(directory, `${name}.asyncapi.json`);
    bundle(source, path, 'openapi/redocly-messages.yaml');
    const document = readJson(path);
    const { schemas } = document['components'] as { schemas: object };
    await writeTypes(resolve(directory, `${name}.d.ts`), {
      openapi: '3.1.0',
      info: { title: name, version: '1' },
      paths: {},
      components: { schemas },
    } as unknown as OpenAPI3);
    if (name === 'agent-bus') writeFileSync(resolve(directory, `${name}.protocol.ts`), busProtocol(document));
  }
}

/** The workflows, with the address that the platform serves its contract at. */
function publishedWorkflows(): object {
  const text = readFileSync(resolve(root, 'openapi/workflows.arazzo.yaml'), 'utf8');
  const workflows = parse(text) as { sourceDescriptions: { url: string }[] };
  const sourceDescriptions = workflows.sourceDescriptions.map((source) => ({
    ...source,
    url: '/api/openapi.json',
  }));
  return { ...workflows, sourceDescriptions };
}

function bundle(source: string, target: string, config = 'openapi/redocly.yaml'): void {
  redocly(['bundle', source, '--config', config, '--ext', 'json', '--output', target]);
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${onOneLine(JSON.stringify(value, null, 2))}\n`);
}

async function writeTypes(path: string, document: OpenAPI3): Promise<void> {
  const types = await openapiTS(withoutExamples(document), {
    alphabetize: false,
    defaultNonNullable: false,
    transform: (schema) => openEnumType(schema as object),
  });
  writeFileSync(path, `// Generated from the contract; edit the contract instead.\n\n${astToString(types)}`);
}

if (import.meta.main) {
  await generate(resolve(root, 'generated'));
  const guide = resolve(root, 'docs/events.md');
  writeFileSync(guide, withEventTable(readFileSync(guide, 'utf8')));
}

/** Escapes the line separators of patterns, at which some programs split texts. */
function onOneLine(json: string): string {
  return json.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);
}
