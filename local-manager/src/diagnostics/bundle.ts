// Packs the information that supporters need into a ZIP file, without secrets.
import { readFile } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Download } from '../../../src/results/results.ts';
import type { OperationStore } from '../operations/operation-store.ts';
import type { Operations } from '../operations/operations.ts';
import type { AuditLog } from '../security/audit-log.ts';
import type { Secrets } from '../security/secrets.ts';
import type { StatusObserver } from '../status/status.ts';
import type { Selftest } from './selftest.ts';

const maxOperations = 20;

interface Parts {
  selftest: Selftest;
  status: StatusObserver;
  operations: Operations;
  store: OperationStore;
  audit: AuditLog;
  secrets: Secrets;
}

export class DiagnosticsBundle {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async download(): Promise<Download> {
    const { selftest, status, operations, store, audit, secrets } = this.#parts;
    const zip = new ZipFile();
    const add = (name: string, text: string) => zip.addBuffer(Buffer.from(secrets.hide(text)), name);
    const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
    add('selftest.json', json(await selftest.run()));
    add('status.json', json(await status.get()));
    const shown = operations.list().slice(0, maxOperations);
    add('operations.json', json(shown));
    for (const { id, kind } of shown) {
      const lines = await store.linesOf(id);
      add(
        `lines/${kind}-${id}.txt`,
        lines.map(({ at, stream, text }) => `${at} ${stream} ${text}\n`).join(''),
      );
    }
    await audit.flush();
    add('audit.jsonl', await readFile(audit.file, 'utf8').catch(() => ''));
    zip.end();
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    return new Download((zip.outputStream as Readable).pipe(new PassThrough()), {
      mediaType: 'application/zip',
      fileName: `gantry-diagnostics-${time}.zip`,
    });
  }
}
