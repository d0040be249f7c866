// Sandboxes of tests, with their simulated servers.
import request, { type Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { until } from './until.ts';
import type { Method, World } from './world.ts';

type Schemas = components['schemas'];

export interface TestSandbox {
  made: Schemas['CreatedSandbox'];
  /** The ID of its running game server. */
  main: string;
}

/** A session of the sandbox's Owner. */
export async function signInTo(world: World, { made: { owner } }: Pick<TestSandbox, 'made'>) {
  const { body } = await world.call('post', '/auth/login').send(owner).expect(200);
  return { token: (body as Schemas['SignInResult']).session?.access_token ?? '' };
}

/** Calls with the key of the sandbox. */
export const askAt = (url: string, { made }: Pick<TestSandbox, 'made'>, method: Method, path: string): Test =>
  request(url)[method](path).set('X-Api-Key', made.api_key);

/** A sandbox whose first server runs. */
export async function createSandbox(
  world: World,
  input: Schemas['SandboxCreate'] = { seed: 7 },
): Promise<TestSandbox> {
  const { body } = await world.call('post', '/api/sandbox').send(input).expect(201);
  const made = body as Schemas['CreatedSandbox'];
  return { made, main: await runningServer(world, { made }) };
}

/** The ID of the sandbox's first running server. Servers are offline from a reset to their first heartbeat. */
export const runningServer = (world: World, sandbox: Pick<TestSandbox, 'made'>): Promise<string> =>
  until(async () => {
    const { body } = await askAt(world.url, sandbox, 'get', '/api/fleet/instances').expect(200);
    return (body as Schemas['GameInstancePage']).data.find(({ state }) => state === 'running')?.id;
  }, 'the running server');
