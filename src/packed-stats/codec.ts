// Packs the points of an hour into bytes, column by column, and unpacks them without loss.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { gameInstanceStates } from '../entities/game-instance.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** The stats of one heartbeat, named as the columns of `instance_stats`. */
export interface StatsPoint {
  /** RFC 3339 with milliseconds, in UTC. */
  recorded_at: string;
  state: (typeof gameInstanceStates)[number];
  uptime_seconds: number;
  players: number | null;
  max_players: number | null;
  queued: number | null;
  fps: number | null;
  entities: number | null;
  map: string | null;
  map_id: string | null;
  cpu_percent: number | null;
  memory_bytes: number | null;
}

const version = 1;

const numberColumns = [
  'uptime_seconds',
  'players',
  'max_players',
  'queued',
  'fps',
  'entities',
  'cpu_percent',
  'memory_bytes',
] as const;
const textColumns = ['state', 'map', 'map_id'] as const;

export const pointColumns = ['recorded_at', ...textColumns, ...numberColumns] as const;

type Numbers = readonly (number | null)[];
type Texts = readonly (string | null)[];

export function packPoints(points: readonly StatsPoint[]): Buffer {
  const writer = new ByteWriter();
  writer.unsigned(points.length);
  writeIntegers(
    writer,
    points.map(({ recorded_at: at }) => Date.parse(at)),
  );
  for (const column of textColumns)
    writeTexts(
      writer,
      points.map((point) => point[column]),
    );
  for (const column of numberColumns)
    writeNumbers(
      writer,
      points.map((point) => point[column]),
    );
  return Buffer.concat([Buffer.of(version), deflateRawSync(writer.bytes(), { level: 9 })]);
}

export function unpackPoints(packed: Uint8Array): StatsPoint[] {
  if (packed[0] !== version) throw new Error(`packed stats have the unknown version ${packed[0]}`);
  const reader = new ByteReader(inflateRawSync(packed.subarray(1)));
  const count = reader.unsigned();
  const times = readIntegers(reader, count);
  const [states = [], maps = [], mapIds = []] = textColumns.map(() => readTexts(reader, count));
  const numbers = numberColumns.map(() => readNumbers(reader, count));
  const [
    uptimes = [],
    players = [],
    maxPlayers = [],
    queued = [],
    fps = [],
    entities = [],
    loads = [],
    memory = [],
  ] = numbers;
  return times.map((timeMs, index) => ({
    recorded_at: new Date(timeMs).toISOString(),
    state: states[index] as StatsPoint['state'],
    uptime_seconds: uptimes[index] ?? 0,
    players: players[index] ?? null,
    max_players: maxPlayers[index] ?? null,
    queued: queued[index] ?? null,
    fps: fps[index] ?? null,
    entities: entities[index] ?? null,
    map: maps[index] ?? null,
    map_id: mapIds[index] ?? null,
    cpu_percent: loads[index] ?? null,
    memory_bytes: memory[index] ?? null,
  }));
}

/** The distinct values, and for each run of equal values its length. */
function writeTexts(writer: ByteWriter, values: Texts): void {
  const distinct = [...new Set(values)];
  writer.unsigned(distinct.length);
  for (const value of distinct) writer.text(value);
  const places = new Map(distinct.map((value, index) => [value, index]));
  for (let at = 0; at < values.length;) {
    const value = values[at] ?? null;
    let end = at + 1;
    while (end < values.length && values[end] === value) end += 1;
    writer.unsigned(places.get(value) ?? 0);
    writer.unsigned(end - at);
    at = end;
  }
}

function readTexts(reader: ByteReader, count: number): Texts {
  const distinct = Array.from({ length: reader.unsigned() }, () => reader.text());
  const values: (string | null)[] = [];
  while (values.length < count) {
    const value = distinct[reader.unsigned()] ?? null;
    const length = reader.unsigned();
    for (let index = 0; index < length; index += 1) values.push(value);
  }
  return values;
}

/** Powers of ten that numbers are multiplied by to make them integers; agents send at most one decimal place. */
const scales = [1, 10, 100, 1_000];
/** In place of a scale: the numbers are stored as they are, eight bytes each. */
const unscaled = scales.length;
/** Second differences of smaller integers are exact. */
const maxInteger = 2 ** 50;

/** Which values are present, and the present ones as integers if they have few decimal places. */
function writeNumbers(writer: ByteWriter, values: Numbers): void {
  writeTexts(
    writer,
    values.map((value) => (value === null ? null : '')),
  );
  const present = values.filter((value) => value !== null);
  const scale = scales.findIndex((factor) => present.every((value) => isMultiple(value, factor)));
  if (scale === -1) {
    writer.unsigned(unscaled);
    for (const value of present) writer.double(value);
    return;
  }
  writer.unsigned(scale);
  writeIntegers(
    writer,
    present.map((value) => Math.round(value * (scales[scale] ?? 1))),
  );
}

function readNumbers(reader: ByteReader, count: number): Numbers {
  const presence = readTexts(reader, count);
  const presentCount = presence.filter((value) => value !== null).length;
  const scale = reader.unsigned();
  const present =
    scale === unscaled
      ? Array.from({ length: presentCount }, () => reader.double())
      : readIntegers(reader, presentCount).map((integer) => integer / (scales[scale] ?? 1));
  let at = 0;
  return presence.map((value) => (value === null ? null : (present[at++] ?? null)));
}

/** Whether the number times the factor is an integer from which the division returns exactly the number. */
function isMultiple(value: number, factor: number): boolean {
  const integer = Math.round(value * factor);
  return Math.abs(integer) <= maxInteger && !Object.is(integer, -0) && Object.is(integer / factor, value);
}

/** How many times the differences of neighbors are taken: times are regular, memory changes little, load varies freely. */
const orders = [0, 1, 2];

/** The first integer and the unit of all distances from it, and these as they are or as differences: the shortest. */
function writeIntegers(writer: ByteWriter, integers: readonly number[]): void {
  const [first = 0] = integers;
  const unit = commonDivisorOf(integers.map((value) => value - first));
  writer.signed(first);
  writer.unsigned(unit);
  let differences = integers.map((value) => (value - first) / unit);
  const candidates = orders.map((order) => {
    if (order > 0) differences = differences.map((value, index) => value - (differences[index - 1] ?? 0));
    const candidate = new ByteWriter();
    candidate.unsigned(order);
    for (let at = 0; at < differences.length; at += blockLength)
      writeBlock(candidate, differences.slice(at, at + blockLength));
    return candidate;
  });
  const [shortest] = candidates.toSorted((one, other) => one.length - other.length);
  if (shortest !== undefined) writer.append(shortest);
}

function readIntegers(reader: ByteReader, count: number): number[] {
  const first = reader.signed();
  const unit = reader.unsigned();
  const order = reader.unsigned();
  let values: number[] = [];
  while (values.length < count)
    values.push(...readBlock(reader, Math.min(blockLength, count - values.length)));
  for (let index = 0; index < order; index += 1) {
    let sum = 0;
    values = values.map((value) => (sum += value));
  }
  return values.map((value) => first + value * unit);
}

/** An outlier makes only its block longer. */
const blockLength = 32;
const maxWidth = 24;
/** In place of a width: the integers are stored one by one. */
const ofAnyWidth = maxWidth + 1;

/** The least integer, and the distances from it in as many bits as the largest distance needs. */
function writeBlock(writer: ByteWriter, integers: readonly number[]): void {
  const least = Math.min(...integers);
  const range = Math.max(...integers) - least;
  if (range >= 2 ** maxWidth) {
    writer.unsigned(ofAnyWidth);
    for (const integer of integers) writer.signed(integer);
    return;
  }
  const width = 32 - Math.clz32(range);
  writer.unsigned(width);
  writer.signed(least);
  writer.bits(
    integers.map((integer) => integer - least),
    width,
  );
}

function readBlock(reader: ByteReader, count: number): number[] {
  const width = reader.unsigned();
  if (width === ofAnyWidth) return Array.from({ length: count }, () => reader.signed());
  const least = reader.signed();
  return reader.bits(count, width).map((distance) => least + distance);
}

/** The largest integer that divides all of them; 1 if they are all zero. */
function commonDivisorOf(integers: readonly number[]): number {
  let divisor = 0;
  for (const integer of integers) {
    let rest = Math.abs(integer);
    while (rest !== 0) {
      const next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    if (divisor === 1) return 1;
  }
  return divisor || 1;
}
