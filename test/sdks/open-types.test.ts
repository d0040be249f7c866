// Clients of today with a platform of tomorrow: the generated types leave room for fields and values that are added.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '../../client/src/index.ts';
import type { components } from '../../generated/platform.published.d.ts';
import { sdkFiles } from '../../scripts/sdks/generate.ts';
import { root } from '../support/contract.ts';
import { isInstalled, itWhere } from '../support/it-where.ts';

const id = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03';

/** A command with a kind, a status and a field that no version of the contract has. */
const reply = { id, kind: 'levitate', status: 'paused', height: { metres: 3 } };

/** Prints what came, and the lists of values in the types of responses that accept no other value. */
const inPython = `
import json, os, typing
import gantry
from gantry.generated import models, operations

command = gantry.Client(os.environ["URL"], api_key="key").get_command("${id}")
print(json.dumps([command["kind"], command["status"], command["height"]]))

seen, closed = set(), []

def visit(found, place):
    if isinstance(found, str):
        found = eval(found, vars(models))
    if typing.get_origin(found) is typing.Literal:
        if len(typing.get_args(found)) > 1:
            closed.append(place)
        return
    parts = typing.get_args(found)
    if str in parts:
        return
    for part in parts:
        visit(part, place)
    if typing.is_typeddict(found) and found not in seen:
        seen.add(found)
        for name, type_ in typing.get_type_hints(found, vars(models)).items():
            visit(type_, f"{found.__name__}.{name}")

for name, method in vars(operations.Operations).items():
    if not name.startswith("_") and callable(method):
        hints = typing.get_type_hints(method, vars(operations))
        visit(hints["return"], name)
print(json.dumps([len(seen) > 300, closed]))
`;

const inPhp = `<?php
require getenv('FOLDER') . '/php/autoload.php';
$command = (new Gantry\\Client(getenv('URL'), apiKey: 'key'))->getCommand('${id}');
echo json_encode([$command['kind'], $command['status'], $command['height']]);
`;

let server: Server;
let folder: string;
let url: string;

beforeAll(async () => {
  server = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply)),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'gantry-open-types-'));
  for (const name of ['python', 'php'])
    cpSync(join(root, 'sdks', name), join(folder, name), {
      recursive: true,
      filter: (source) => !/\/[gG]enerated$|__pycache__/.test(source),
    });
  const text = readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8');
  for (const [name, content] of sdkFiles(JSON.parse(text) as Record<string, unknown>)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  server.close();
});

/** The lines that the program prints, parsed. */
async function run(program: string, file: string, text: string): Promise<unknown[]> {
  writeFileSync(join(folder, file), text);
  const child = spawn(program, [join(folder, file)], {
    env: { ...process.env, URL: url, FOLDER: folder, PYTHONPATH: join(folder, 'python') },
  });
  let output = '';
  let failure = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (failure += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(failure);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const expected = ['levitate', 'paused', { metres: 3 }];

it('TypeScript reads values and fields that it does not know', async () => {
  const client = createClient({ baseUrl: url, apiKey: 'key' });
  const { data } = await client.GET('/api/commands/{command_id}', { params: { path: { command_id: id } } });
  expect([data.kind, data.status, (data as { height?: unknown }).height]).toEqual(expected);
  // Compiles because replies may have further values; requests may not.
  const status: components['schemas']['CommandStatus'] = 'paused';
  // @ts-expect-error the value is not among those that requests accept
  const filter: components['schemas']['CommandStatusInput'] = 'paused';
  expect([status, filter]).toEqual(['paused', 'paused']);
});

itWhere(isInstalled('python3', '--version'))(
  'Python has no closed list of values in a response',
  async () => {
    expect(await run('python3', 'check.py', inPython)).toEqual([expected, [true, []]]);
  },
);

itWhere(isInstalled('php', '--version'))('PHP reads values and fields that it does not know', async () => {
  expect(await run('php', 'check.php', inPhp)).toEqual([expected]);
});

it('Go decodes values into texts, and ignores fields that it does not know', () => {
  const types = readFileSync(join(folder, 'go/models_gen.go'), 'utf8');
  expect(types).toMatch(/^type CommandStatus = string$/m);
  const client = readFileSync(join(root, 'sdks/go/client.go'), 'utf8');
  expect(client).not.toContain('DisallowUnknownFields');
});
