// What is read from and written to WebRCON, for any text that a game, a player or a moderator comes up with.
import fc from 'fast-check';
import { Repeats } from '../../agent/src/console/repeats.ts';
import { isSteamId, readModding, readPlayers, readServerInfo } from '../../agent/src/rcon/server-replies.ts';
import { linesOf, quoted, readFrame, requestFrame } from '../../agent/src/rcon/frames.ts';
import { Messages } from '../../agent/src/messages.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const messages = new Messages();

describe('a request', () => {
  it('is one line with any quoted text, and the quotes close where they should', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const command = `banid 1 ${quoted(first)} ${quoted(second)}`;
        const { Message } = JSON.parse(requestFrame(1_001, command)) as { Message: string };
        expect(Message).toBe(command);
        expect(command).toMatch(/^banid 1 "[^"]*" "[^"]*"$/);
        expect(command).not.toMatch(/\\"|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
    );
  });

  it('is refused when it holds a line end, a control character, nothing or too much', () => {
    for (const command of ['a\nquit', 'a\rquit', 'a\u0000', 'a\u2028b', 'a\u0085b', '', 'x'.repeat(4_001)])
      expect(() => requestFrame(1_001, command)).toThrow('one line');
  });
});

describe('a frame', () => {
  it('is read or refused, never more', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (text) => {
        const frame = readFrame(text);
        if (frame !== null) expect(linesOf(frame)).toBeInstanceOf(Array);
      }),
    );
  });

  it('has its type by name or by number, and its id where it has one', () => {
    const read = (frame: object) => readFrame(JSON.stringify({ Message: 'x', ...frame }));
    expect(read({ Identifier: 7, Type: 'Error' })).toEqual({ id: 7, kind: 'error', text: 'x' });
    expect(read({ Identifier: 7, Type: 3 })).toEqual({ id: 7, kind: 'chat', text: 'x' });
    expect(read({ Identifier: '7', Type: 'Log' })).toEqual({ id: 0, kind: 'other', text: 'x' });
  });

  it('of the chat becomes a line as the log has it, and remarks on RCON none', () => {
    const said = { Channel: 1, Message: 'over here', Username: 'Aster', UserId: '76561197960287930' };
    expect(linesOf({ id: -1, kind: 'chat', text: JSON.stringify(said) })).toEqual([
      '[TEAM CHAT] Aster[76561197960287930] : over here',
    ]);
    expect(linesOf({ id: 0, kind: 'other', text: 'one\n\n[rcon] 127.0.0.1: serverinfo\ntwo' })).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('figures', () => {
  it('fit into a heartbeat, for every reply of the server', () => {
    const anything = fc.oneof(fc.double(), fc.integer(), anyText, fc.constant(null));
    const info = fc.record({
      MaxPlayers: anything,
      Players: anything,
      EntityCount: anything,
      Framerate: anything,
      Map: anything,
    });
    fc.assert(
      fc.property(info, (said) => {
        const figures = readServerInfo(JSON.stringify(said));
        const report = { name: 'main', state: 'running', uptime_seconds: 0, ...figures };
        expect(messages.check('InstanceReport', report)).toMatchObject({ isValid: true });
      }),
    );
    expect(readServerInfo('no')).toBeNull();
    expect(readServerInfo('[]')).toBeNull();
  });

  it('of players fit into a reply', () => {
    const player = fc.record(
      {
        SteamID: fc.oneof(fc.constant('76561197960287930'), anyText),
        DisplayName: fc.oneof(anyText, fc.integer()),
        Ping: fc.oneof(fc.double(), anyText),
        ConnectedSeconds: fc.double(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(player, fc.constant(null)), { maxLength: 30 }), (said) => {
        const players = readPlayers(JSON.stringify(said));
        expect(messages.check('PlayersReply', { v: 1, ok: true, players })).toMatchObject({ isValid: true });
      }),
    );
    expect(readPlayers('{}')).toBeNull();
  });

  it('name Oxide and Carbon', () => {
    const unknown = "Command 'x' not found";
    expect(readModding('Oxide.Rust Version: 2.0.6512', unknown)).toEqual({
      framework: 'oxide',
      version: '2.0.6512',
    });
    expect(readModding(unknown, 'Carbon 2.0.208 [minimal]')).toEqual({
      framework: 'carbon',
      version: '2.0.208',
    });
    expect(readModding(unknown, unknown)).toBeNull();
    expect(readModding("Command 'oxide.version' not found", "Command 'c.version' not found")).toBeNull();
  });
});

it('takes Steam ids of persons only', () => {
  for (const id of ['76561197960265729', '76561197960287930', '76561199999999999', '76561202255233023'])
    expect(isSteamId(id)).toBe(true);
  for (const id of [
    '76561197960265728',
    '76561202255233024',
    '7656119796028793',
    '76561197960287930 ',
    '0',
    '',
  ])
    expect(isSteamId(id)).toBe(false);
});

describe('lines that come on several ways', () => {
  it('are shown as often as the way that brought them most often has', () => {
    const arrival = fc.tuple(
      fc.constantFrom('process', 'game', 'chat'),
      fc.constantFrom('a', 'b', 'c'.repeat(300)),
    );
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        const repeats = new Repeats();
        const shown = arrivals.filter(([way, line]) => repeats.isNew(way, line, 0));
        for (const line of new Set(arrivals.map(([, text]) => text))) {
          const times = (wanted: string) =>
            arrivals.filter(([way, text]) => way === wanted && text === line).length;
          const most = Math.max(times('process'), times('game'), times('chat'));
          expect(shown.filter(([, text]) => text === line)).toHaveLength(most);
        }
      }),
    );
  });

  it('are new again after a while, and are not kept for ever', () => {
    const repeats = new Repeats();
    expect(repeats.isNew('process', 'tick', 0)).toBe(true);
    expect(repeats.isNew('game', 'tick', 9_000)).toBe(false);
    expect(repeats.isNew('game', 'tick', 30_000)).toBe(true);
  });
});
