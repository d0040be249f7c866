// More deliveries of one webhook than a process reads together.
import { expectSentOnce } from '../support/webhooks.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(async () => {
  await world.close();
});

it('are sent at most eight at once to one receiver, each once', () => expectSentOnce(world, 1_300));
