// Reads and writes ZIP files.
import { buffer, text as textOf } from 'node:stream/consumers';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { ZipFile as NewZipFile } from 'yazl';

/** A ZIP file with one file in it. */
export function zipped(name: string, content: string): Promise<Buffer> {
  const zip = new NewZipFile();
  zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** The content of each file by name. */
export function unzipped(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (zip === undefined) {
        reject(error ?? new Error('not a ZIP file'));
        return;
      }
      const files: Promise<[string, string]>[] = [];
      zip.on('entry', (entry: Entry) => files.push(contentOf(zip, entry)));
      zip.once('end', () => resolve(Promise.all(files).then((all) => new Map(all))));
      zip.once('error', reject);
    });
  });
}

function contentOf(zip: ZipFile, entry: Entry): Promise<[string, string]> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (stream === undefined) reject(error ?? new Error('not in the ZIP file'));
      else textOf(stream).then((content) => resolve([entry.fileName, content]), reject);
    });
  });
}
