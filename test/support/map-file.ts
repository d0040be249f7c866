// Map files as the game writes them: a header, then LZ4 chunks that hold the world in protobuf.
import { randomBytes } from 'node:crypto';

const chunkBytes = 1024 * 1024;

export interface MapFileOptions {
  version?: number;
  worldSize?: number;
  /** Size of the one layer; random content, so that no two files are equal. */
  layer?: Buffer;
}

export function mapFile({
  version = 10,
  worldSize = 4_500,
  layer = randomBytes(3_000),
}: MapFileOptions = {}): Buffer {
  const head = Buffer.alloc(version === 10 ? 12 : 4);
  head.writeUInt32LE(version);
  const layers = Buffer.concat([field(0x0a, Buffer.from('terrain')), field(0x12, layer)]);
  const world = Buffer.concat([Buffer.from([0x08]), varint(worldSize), field(0x12, layers)]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < world.byteLength; at += chunkBytes)
    chunks.push(chunk(world.subarray(at, at + chunkBytes)));
  return Buffer.concat([head, ...chunks]);
}

/** One chunk, compressed where that makes it shorter. */
export function chunk(content: Buffer): Buffer {
  const packed = packBlock(content);
  return packed.byteLength < content.byteLength
    ? Buffer.concat([varint(1), varint(content.byteLength), varint(packed.byteLength), packed])
    : Buffer.concat([varint(0), varint(content.byteLength), content]);
}

/** An LZ4 block that compresses runs of one byte, and nothing else. */
export function packBlock(content: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = 1; at < content.byteLength - 12;) {
    let run = 0;
    while (at + run < content.byteLength - 5 && content[at + run] === content[at - 1]) run += 1;
    if (run >= 4) {
      parts.push(sequence(content.subarray(start, at), run));
      at += run;
      start = at;
    } else at += 1;
  }
  return Buffer.concat([...parts, sequence(content.subarray(start))]);
}

function sequence(literals: Buffer, run?: number): Buffer {
  const [literalNibble, literalRest] = length(literals.byteLength);
  const [runNibble, runRest] = run === undefined ? [0, []] : length(run - 4);
  const distance = run === undefined ? [] : [1, 0];
  return Buffer.concat([
    Buffer.from([(literalNibble << 4) | runNibble, ...literalRest]),
    literals,
    Buffer.from([...distance, ...runRest]),
  ]);
}

function length(value: number): [number, number[]] {
  if (value < 15) return [value, []];
  const full = Math.floor((value - 15) / 255);
  return [15, [...Array<number>(full).fill(255), (value - 15) % 255]];
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 0x80);
  }
}

const field = (tag: number, content: Buffer) =>
  Buffer.concat([Buffer.from([tag]), varint(content.byteLength), content]);
