// Deliveries: each is carried out once on a simulated server, even if the agent is killed, and no name is a command.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { deliveryCommands } from '../../agent/src/deliveries/delivery-commands.ts';
import { DeliveryRecords } from '../../agent/src/deliveries/delivery-records.ts';
import { filledIn } from '../../agent/src/deliveries/template.ts';
import { Messages, type Schemas } from '../../agent/src/messages.ts';
import { RconConnection, RconError } from '../../agent/src/rcon/connection.ts';
import { templateFault } from '../../src/text/command-templates.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { FakeRcon } from './support/rcon.ts';
import { startRust, webrconAt } from './support/rust-instance.ts';

type Args = Schemas['DeliverArguments'];

const aster = '76561197960287930';
const offlinePlayer = '76561197960299999';

const values = {
  steam_id: aster,
  player_name: 'Aster',
  item_name: 'VIP',
  quantity: 1,
  transaction_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01',
};

describe('placeholders', () => {
  /** What the game makes of the line: words, and what stands between quotes or apostrophes as one of them. */
  const argumentsIn = (line: string) =>
    [...line.matchAll(/"((?:\\"|[^"])*)"|'([^']*)'|(\S+)/g)].map(
      ([, inQuotes, between, word = '']) => inQuotes ?? between ?? word,
    );
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', '\\', ';', '\n', '\r', ' ', '{', '}', 'a', '\u2028', "'") }),
    fc.constantFrom(
      '"; quit; "',
      '\\"',
      '{item_name}',
      '{steam_id}',
      '$&',
      '$1',
      "'",
      '\\',
      "a' evil '",
      'x 9',
    ),
  );

  it.each(['say {player_name} bought', 'say "{player_name}" bought', 'say "the {player_name}!" bought'])(
    'of %j are one argument each',
    (template) => {
      fc.assert(
        fc.property(name, (player_name) => {
          const [line = ''] = filledIn([template], { ...values, player_name });
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
          const [first, argument, ...rest] = argumentsIn(line);
          expect([first, ...rest]).toEqual(['say', 'bought']);
          expect(argument).not.toContain('"');
          expect((line.match(/"/g) ?? []).length).toBe(2);
        }),
      );
    },
  );

  it('never change the number of arguments of any template', () => {
    const piece = fc.constantFrom('{player_name}', '{item_name}', '"', "'", ' ', ' ', 'a', ':', '{steam_id}');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), name, (pieces, player_name) => {
        const template = pieces.join('');
        const fill = (by: string) => filledIn([template], { ...values, player_name: by })[0] ?? '';
        let plain: string[];
        try {
          plain = argumentsIn(fill('Aster'));
        } catch {
          expect(() => fill(player_name)).toThrow();
          return;
        }
        const filled = argumentsIn(fill(player_name));
        expect(filled).toHaveLength(plain.length);
        for (const [index, argument] of plain.entries())
          if (!argument.includes('Aster')) expect(filled[index]).toBe(argument);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'give vip:{player_name} stone 1',
    "say '{player_name}' bought",
    'say {player_name}! bought',
    'say a"{player_name}" bought',
    'say "{player_name}"b',
    'say {player_name}{item_name}',
    'say "{item_name}""{player_name}"',
    `say "it's {player_name}"`,
  ])('do not stand where the game would read more than one argument: %j', (template) => {
    expect(() => filledIn([template], values)).toThrow();
    expect(templateFault(template, ['player_name', 'item_name'])).not.toBeNull();
  });

  it.each([
    '{player_name} bought',
    ' "{player_name}" bought',
    '"a {item_name}" bought',
    'x{steam_id} bought',
    '{steam_id}',
  ])('are no command: %j', (template) => {
    expect(() => filledIn([template], values)).toThrow();
    expect(templateFault(template, ['player_name', 'item_name', 'steam_id'])).not.toBeNull();
  });

  it('are filled in once, and none but those that there are', () => {
    expect(
      filledIn(['give {steam_id} {quantity} {transaction_id} {item_name}'], {
        ...values,
        item_name: '{steam_id}',
      }),
    ).toEqual([`give ${aster} 1 ${values.transaction_id} "{steam_id}"`]);
    for (const template of ['{password}', '{}', '{constructor}', 'a {steam_id', 'a }', 'say "x'])
      expect(() => filledIn([template], values)).toThrow();
  });
});

describe('on a simulated server', () => {
  let stage: Stage;
  let fake: FakeRcon | undefined;

  beforeEach(async () => {
    stage = await Stage.open();
  });

  afterEach(async () => {
    expect(stage.platform.violations).toEqual([]);
    await stage.close();
    await fake?.close();
    fake = undefined;
  });

  const givenFile = () => join(stage.agent.directory, 'given');
  const given = () =>
    existsSync(givenFile()) ? readFileSync(givenFile(), 'utf8').trimEnd().split('\n') : [];

  const startWith = (players = 1) =>
    startRust(stage, ['--players', String(players), '--given-file', givenFile()]);

  const delivery = (more: Partial<Args> = {}): Args => ({
    ...values,
    delivery_id: randomUUID(),
    commands: ['inventory.giveto {steam_id} {item_name} {player_name}'],
    needs_online_player: false,
    ...more,
  });

  async function run(args: Args): Promise<Schemas['CommandResult']> {
    const command = stage.platform.command('deliver', 'main', { args });
    const reply = await until(
      () => stage.platform.send(command).catch(() => undefined),
      'the reply to deliver',
    );
    if (!reply.accepted) throw new Error(`${reply.reason ?? ''} ${reply.detail ?? ''}`);
    return stage.platform.resultOf(command.id);
  }

  it('brings each delivery once, whichever commands ask for it', async () => {
    await startWith();
    const args = delivery({ player_name: 'another "player"' });
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(given()).toEqual([`${aster} VIP Aster`]);
    expect(await run(delivery({ steam_id: offlinePlayer, player_name: 'x" ; quit' }))).toMatchObject({
      status: 'succeeded',
    });
    expect(given()).toHaveLength(2);
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(given()).toHaveLength(2);
  });

  it('types nothing for required players who are offline, and reports what the game refuses', async () => {
    await startWith();
    const missing = delivery({ steam_id: offlinePlayer, needs_online_player: true });
    expect(await run(missing)).toMatchObject({ status: 'failed', error_code: 'player_not_found' });
    expect(given()).toEqual([]);
    expect(await run(delivery({ needs_online_player: true }))).toMatchObject({ status: 'succeeded' });
    expect(await run(delivery({ commands: ['no.such {steam_id}'] }))).toMatchObject({
      status: 'failed',
      error_code: 'game_refused',
    });
    expect(given()).toHaveLength(1);
  });

  it('refuses what is no delivery', async () => {
    await startWith();
    for (const args of [
      { ...delivery(), steam_id: 'not an id' },
      { ...delivery(), commands: ['one\ntwo'] },
      { ...delivery(), commands: [] },
      { ...delivery(), quantity: 0 },
    ]) {
      const reply = await stage.platform.send(stage.platform.command('deliver', 'main', { args }));
      expect(reply).toMatchObject({ accepted: false, reason: 'invalid' });
    }
  });

  it('loses and doubles none while the agent is killed in the middle of them', async () => {
    await startWith(0);
    const deliveries = Array.from({ length: 40 }, () =>
      delivery({ commands: ['inventory.giveto {transaction_id}'] }),
    );
    for (const each of deliveries) each.transaction_id = each.delivery_id;
    const open = new Map(deliveries.map((each) => [each.delivery_id, each]));
    for (let round = 0; open.size > 0; round += 1) {
      const before = given().length;
      const asked = [...open.values()].map((args) => stage.platform.command('deliver', 'main', { args }));
      for (const command of asked)
        await until(() => stage.platform.send(command).catch(() => undefined), 'a reply');
      if (round < 3) {
        await until(
          () => given().length > before || given().length === deliveries.length,
          'a delivery under way',
        );
        await stage.agent.end('SIGKILL');
        await stage.startAgent();
        await until(() => stage.agent.output.split('RCON is connected').length > round + 2, 'RCON');
      }
      for (const command of asked) {
        const { status } = await stage.platform.resultOf(command.id);
        if (status === 'succeeded') open.delete(String(command.args['delivery_id']));
      }
    }
    expect(given().toSorted()).toEqual(deliveries.map((each) => each.delivery_id).toSorted());
  }, 180_000);

  /** A server that hangs up once it is typed at, and whose console then has these lines. */
  async function fallSilent(consoleLines: (id: string) => string[]): Promise<{ rcon: FakeRcon; args: Args }> {
    const rcon = await FakeRcon.open();
    fake = rcon;
    const args = delivery({ commands: ['inventory.giveto {steam_id}', 'inventory.giveto {item_name}'] });
    let hangsUp = true;
    rcon.reply = (command) => {
      if (hangsUp && command.startsWith(`echo gantry-delivery`)) {
        hangsUp = false;
        for (const socket of rcon.sockets) socket.terminate();
      }
      const found = consoleLines(args.delivery_id).map((Message) => ({ Message }));
      return command.startsWith('console.search') ? JSON.stringify(found) : '';
    };
    stage.agent.configure([webrconAt(stage, rcon.port)]);
    await stage.startAgent();
    await stage.platform.run('start');
    await stage.platform.untilLine('RCON is connected');
    expect(await run(args)).toMatchObject({ status: 'failed', error_code: 'game_unreachable' });
    await until(() => stage.agent.output.split('RCON is connected').length > 2, 'the second RCON connection');
    return { rcon, args };
  }

  const typedAt = (rcon: FakeRcon) => rcon.commands.filter((command) => command.startsWith('inventory'));

  it.each([
    ['has forgotten everything', () => []],
    ['has forgotten that it was prepared', () => ['other', 'lines']],
    [
      'has what comes first and not what comes last',
      (id: string) => [`gantry-prepared ${id}`, `gantry-begun ${id}`],
    ],
  ])('is uncertain when the console %s, and sends nothing again', async (_what, lines) => {
    const { rcon, args } = await fallSilent(lines);
    expect(await run(args)).toMatchObject({ status: 'failed', error_code: 'delivery_uncertain' });
    expect(await run(args)).toMatchObject({ status: 'failed', error_code: 'delivery_uncertain' });
    expect(typedAt(rcon)).toHaveLength(2);
  });

  it('resends only what was never taken', async () => {
    const { rcon, args } = await fallSilent((id) => [`gantry-prepared ${id}`]);
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(typedAt(rcon)).toHaveLength(4);
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(typedAt(rcon)).toHaveLength(4);
  });

  it('recognises by its mark what arrived without a reply', async () => {
    const { rcon, args } = await fallSilent((id) => [`gantry-delivery ${id}`]);
    expect(await run(args)).toMatchObject({ status: 'succeeded' });
    expect(typedAt(rcon)).toHaveLength(2);
  });

  it('types nothing of a delivery of which one command is too long once it is filled in', async () => {
    await startWith();
    const args = delivery({
      commands: [
        'inventory.giveto {steam_id}',
        `inventory.giveto ${Array(27).fill('{player_name}').join(' ')}`,
      ],
      steam_id: offlinePlayer,
      player_name: 'x'.repeat(200),
    });
    expect(await run(args)).toMatchObject({
      status: 'failed',
      error_code: 'invalid',
      detail: 'Command 2 is too long after its placeholders are replaced; nothing was typed.',
    });
    expect(given()).toEqual([]);
  });
});

it('one request too long keeps those before it from being sent', async () => {
  const rcon = await FakeRcon.open();
  const connection = new RconConnection(
    { host: '127.0.0.1', port: rcon.port, password: 'p' },
    () => undefined,
  );
  try {
    await connection.request('first', 5_000);
    expect(() => connection.requestTogether(['second', 'x'.repeat(4_001)], 5_000)).toThrow('at most 4000');
    await connection.request('third', 5_000);
    expect(rcon.commands).toEqual(['first', 'third']);
  } finally {
    connection.close();
    await rcon.close();
  }
});

describe('a delivery that could not be written to the console', () => {
  const id = randomUUID();
  const messages = new Messages();

  it('fails with input_failed, and is as one that was never begun', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-deliveries-'));
    const path = join(directory, 'deliveries');
    const records = await DeliveryRecords.open(path, messages, pino({ enabled: false }));
    const sent: string[][] = [];
    const rcon = {
      listen: () => () => undefined,
      requestTogether: (commands: readonly string[]) => {
        if (commands.length > 1) throw new RconError('silent', 'Too many commands wait.');
        sent.push([...commands]);
        return [Promise.resolve('')];
      },
    };
    const instance = { context: { rcon }, pid: 1, startedAtMs: 1, state: 'running' };
    const args = { ...values, delivery_id: id, commands: ['give {steam_id}'], needs_online_player: false };
    const { deliver } = deliveryCommands(records);
    const outcome = await deliver.run({ args } as never, instance as never, new AbortController().signal);
    expect(outcome).toMatchObject({ isSuccess: false, errorCode: 'input_failed' });
    expect(sent).toEqual([[`echo gantry-prepared ${id}`]]);
    await records.close();
    const again = await DeliveryRecords.open(path, messages, pino({ enabled: false }));
    expect(again.get(id)).toBeUndefined();
    await again.close();
    await rm(directory, { recursive: true });
  });
});
