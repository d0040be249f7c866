// Runs another program and kills it before or after the nth matching call, once a file with that moment exists.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Moment } from './moments.ts';

type Work = (...args: unknown[]) => unknown;

const { GANTRY_TEST_MAIN: main = '', GANTRY_TEST_MOMENT: momentFile = '' } = process.env;
let seen = 0;

/** Runs the call, unless the moment has come; `aboutOf` describes the call. */
function killing(call: Moment['call'], work: Work, aboutOf: (args: unknown[]) => string): Work {
  return function (this: unknown, ...args: unknown[]) {
    const moment = momentOf(call, () => aboutOf(args));
    if (moment === undefined) return work.apply(this, args);
    if (!moment.isAfter) die();
    const result = work.apply(this, args);
    if (!(result instanceof Promise)) die();
    return (result as Promise<unknown>).finally(die);
  };
}

function momentOf(call: Moment['call'], aboutOf: () => string): Moment | undefined {
  if (!existsSync(momentFile)) return undefined;
  const moment = JSON.parse(readFileSync(momentFile, 'utf8')) as Moment;
  if (moment.call !== call || !new RegExp(moment.about).test(aboutOf())) return undefined;
  seen += 1;
  return seen === (moment.nth ?? 1) ? moment : undefined;
}

/** The next run of the program must not be killed by it again. */
function die(): void {
  rmSync(momentFile);
  process.kill(process.pid, 'SIGKILL');
}

const changed = ([from, to]: unknown[]) =>
  String(to).endsWith('.json') && String(from).endsWith('.new')
    ? `${String(to)} ${readFileSync(String(from), 'utf8')}`
    : String(to);

Object.assign(fs, {
  open: killing('open', fs.open as Work, ([path]) => String(path)),
  readFile: killing('readFile', fs.readFile as Work, ([path]) => String(path)),
  rename: killing('rename', fs.rename as Work, changed),
});
syncBuiltinESMExports();
WebSocket.prototype.send = killing('send', WebSocket.prototype.send as Work, ([text]) =>
  String(text),
) as typeof WebSocket.prototype.send;
Socket.prototype.write = killing('write', Socket.prototype.write as Work, ([bytes]) =>
  Buffer.isBuffer(bytes) || bytes instanceof Uint8Array
    ? Buffer.from(bytes).toString('latin1')
    : String(bytes),
) as typeof Socket.prototype.write;

await import(main);
