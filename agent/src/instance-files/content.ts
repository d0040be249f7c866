// Writes bytes to open files, all of them, at the pace at which the disk takes them.
import type { FileHandle } from 'node:fs/promises';

export async function writeWhole(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, start + done);
    done += bytesWritten;
  }
}

/** `admit` may throw where there is too much of it. */
export async function writeAll(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  admit: (bytes: number) => void = () => undefined,
): Promise<void> {
  let written = 0;
  for await (const bytes of source) {
    admit(bytes.byteLength);
    await writeWhole(file, bytes, written);
    written += bytes.byteLength;
  }
}
