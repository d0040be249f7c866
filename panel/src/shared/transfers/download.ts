// Downloads a file of any size: large ones go to the disk as they arrive, where the browser can write files.
import { saveFile } from '../save-text.ts';
import { startTransfer, type TransferRun } from './transfers.ts';

interface SaveFilePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

interface Received {
  data: ReadableStream<Uint8Array> | null;
  response: Response;
}

export interface DownloadRequest {
  /** The name of the file on the user's machine. */
  name: string;
  place: string;
  /** Null if it is not known yet. */
  bytes: number | null;
  fetch: (signal: AbortSignal) => Promise<Received>;
}

/** Smaller files are gathered by the browser, and saved to its usual folder. */
const directFromBytes = 256 * 1024 * 1024;

/** To be called by a click: the browser shows its dialog for files only then. */
export async function startDownload({ name, place, bytes, fetch }: DownloadRequest): Promise<void> {
  const { showSaveFilePicker } = window as SaveFilePicker;
  let target: FileSystemFileHandle | null = null;
  if (showSaveFilePicker !== undefined && bytes !== null && bytes >= directFromBytes)
    try {
      target = await showSaveFilePicker.call(window, { suggestedName: name });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      throw error;
    }
  startTransfer({
    direction: 'download',
    name,
    place,
    totalBytes: bytes,
    run: async (run) => {
      const counted = counting(await fetch(run.signal), run);
      if (target === null) saveFile(name, await new Response(counted).blob());
      else await counted.pipeTo(await target.createWritable(), { signal: run.signal });
    },
  });
}

function counting({ data, response }: Received, { onProgress }: TransferRun): ReadableStream<Uint8Array> {
  const length = response.headers.get('Content-Length');
  const total = length === null ? [] : [Number(length)];
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      onProgress(bytes, ...total);
      controller.enqueue(chunk);
    },
  });
  return (data ?? new Blob([]).stream()).pipeThrough(counter);
}
