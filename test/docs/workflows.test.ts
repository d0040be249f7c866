// Executes the workflows of openapi/workflows.arazzo.yaml with Redocly Respect against a running platform.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { connectAcceptingAgent } from '../support/agent.ts';
import { contract, root } from '../support/contract.ts';
import { createKeyWithText } from '../support/rows.ts';
import { password, World, type Tenant } from '../support/world.ts';

const file = 'openapi/workflows.arazzo.yaml';

interface Workflow {
  workflowId: string;
  steps: { stepId: string; operationId: string }[];
}

const { workflows } = parse(readFileSync(join(root, file), 'utf8')) as { workflows: Workflow[] };

let world: World;
let tenant: Tenant;
let inputs: Record<string, string>;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  const { agent } = await connectAcceptingAgent(world, tenant);
  agent.connection.subscribe(agent.subject('cmd.start'), {
    callback: (_error, message) => void agent.finish(message.json<{ id: string }>().id),
  });
  await agent.connection.flush();
  const reseller = await world
    .call('post', '/api/admin/resellers', world.admin)
    .send({ name: 'Ember Hosting', wholesale_rate: { amount: '5.50', currency: 'USD' } })
    .expect(201);
  inputs = {
    email: tenant.owner.email,
    password,
    api_key: (await createKeyWithText(world, tenant)).key,
    receiver: 'https://hooks.example.com/gantry',
    event: eventOfExample(),
    host_key: (reseller.body as { key: string }).key,
  };
});

/** A type of events that the contract's own example subscribes to. */
function eventOfExample(): string {
  const document = JSON.parse(readFileSync(join(root, 'generated/platform.openapi.json'), 'utf8'));
  const { example, examples = {} } =
    document.paths['/api/webhooks'].post.requestBody.content['application/json'];
  const body = (example ?? Object.values<{ value: unknown }>(examples)[0]?.value) as { events: string[] };
  return body.events[0] ?? '';
}

afterAll(async () => {
  await world.close();
});

/** The platform runs in this process, which must not block; and nothing is requested from the network. */
async function respect(workflow: string) {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-respect-'));
  const report = join(directory, 'report.json');
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'respect',
      file,
      '--workflow',
      workflow,
      '--server',
      `platform=${world.url}`,
      '--json-output',
      report,
      ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  rmSync(directory, { recursive: true, force: true });
  return { status: child.exitCode, output };
}

it('there are eight, and they name operations of the contract', () => {
  const known = Object.values(contract.paths).flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string }>).map(({ operationId }) => operationId),
  );
  expect(workflows).toHaveLength(8);
  const unknown = workflows.flatMap(({ steps }) =>
    steps.filter(({ operationId }) => !known.includes(operationId)),
  );
  expect(unknown).toEqual([]);
});

it.each(workflows.map(({ workflowId }) => workflowId))('%s', async (workflow) => {
  const { status, output } = await respect(workflow);
  if (status !== 0) throw new Error(output);
});
