// Prints console lines as agents would, and replies to requests for earlier ones, in a separate process.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Subjects } from '../../src/bus/subjects.ts';
import { connectAgents, type BusSettings } from '../support/agents.ts';
import { settingsOfChild } from '../support/child.ts';

const { bus } = settingsOfChild<{ bus: BusSettings }>();
const connection = await connectAgents(bus);
const subjects = new Subjects(bus.prefix);
const boot = randomUUID();
const numbers = new Map<string, number>();
/** As agents send them: ten batches a second of one console, of 200 lines at most. */
const batchesPerSecond = 10;
const linesOfBatch = 200;

export interface Printing {
  consoles: { hostId: string; instance: string; linesPerSecond: number }[];
  seconds: number;
}

connection.subscribe(`${bus.prefix}.*.ask.console-tail`, {
  callback: (_error, message) => void message.respond(JSON.stringify({ v: 1, ok: true, boot, lines: [] })),
});
process.on('message', (printing: Printing) => void print(printing));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });

async function print({ consoles, seconds }: Printing): Promise<void> {
  const begun = performance.now();
  let printed = 0;
  for (let tick = 0; tick < seconds * batchesPerSecond; tick += 1) {
    for (const [index, { hostId, instance, linesPerSecond }] of consoles.entries()) {
      let due = linesOfTick(linesPerSecond, tick + index);
      for (; due > 0; due -= linesOfBatch) printed += publish(hostId, instance, Math.min(due, linesOfBatch));
    }
    await pause(Math.max(begun + ((tick + 1) * 1_000) / batchesPerSecond - performance.now(), 0));
  }
  await connection.flush();
  process.send?.({ printed, seconds: (performance.now() - begun) / 1_000 });
}

/** Consoles with fewer lines than batches print at different ticks. */
function linesOfTick(linesPerSecond: number, tick: number): number {
  const upTo = (ticks: number) => Math.floor((ticks * linesPerSecond) / batchesPerSecond);
  return upTo(tick + 1) - upTo(tick);
}

function publish(hostId: string, instance: string, count: number): number {
  const key = `${hostId} ${instance}`;
  const last = numbers.get(key) ?? 0;
  numbers.set(key, last + count);
  const at = new Date().toISOString();
  const lines = Array.from({ length: count }, (_, index) => ({
    seq: last + index + 1,
    at,
    stream: 'stdout',
    text: `[player ${index}] was killed by a bear at (${last}, 20, 30), distance 12.5 m, weapon none`,
  }));
  connection.publish(subjects.console(hostId, instance), JSON.stringify({ v: 1, instance, boot, lines }));
  return count;
}
