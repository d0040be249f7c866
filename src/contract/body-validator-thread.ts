// Validates large bodies in a worker thread: each message is a body, and each reply is its verdict.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { DomainError, type ProblemCode } from '../errors.ts';
import { faultsOf } from './body-faults.ts';
import { ready, type BodyTask, type Verdict } from './body-validator.ts';
import type { Document } from './document.ts';
import { parseBytes, refuseUnstorable } from './json-body.ts';
import { withChoices } from './unions.ts';
import { createValidator } from './values.ts';
import { canonicalJson } from '../values/canonical-json.ts';

const { paths, components } = withChoices<Document>(workerData as Document);
const ajv = createValidator().addSchema({ $id: 'contract', paths, components });

parentPort?.on('message', (task: BodyTask) => parentPort?.postMessage(verdictOn(task)));
parentPort?.postMessage(ready);

function verdictOn({ id, pointer, bytes, maxBytes, checksummedField }: BodyTask): Verdict {
  try {
    const value = parseBytes(Buffer.from(bytes), maxBytes);
    check(pointer, value);
    refuseUnstorable(value);
    if (checksummedField !== undefined) refuseDamaged(value, checksummedField);
    return { id };
  } catch (error) {
    if (!(error instanceof DomainError)) return { id, failure: String(error) };
    return { id, refusal: { code: error.code as ProblemCode, detail: error.message, faults: error.faults } };
  }
}

function check(pointer: string, value: unknown): void {
  const validate = ajv.getSchema(`contract#/${pointer}`);
  if (validate === undefined) throw new Error(`the contract has no schema at ${pointer}`);
  if (validate(value) === true) return;
  const faults = faultsOf(validate.errors ?? []);
  const [first] = faults;
  throw new DomainError('validation_failed', `body ${first?.pointer ?? ''}: ${first?.detail ?? ''}`, {
    faults,
  });
}

/** Throws `checksum_mismatch` unless the field's content matches its own `checksum`. */
function refuseDamaged(body: unknown, field: string): void {
  const { checksum, ...content } = (body as Record<string, Record<string, unknown>>)[field] ?? {};
  const actual = `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`;
  if (actual === checksum) return;
  const detail = 'The document is not what its checksum says: it was damaged, cut off or changed by hand.';
  throw new DomainError('checksum_mismatch', detail, {
    faults: [{ in: 'body', pointer: `/${field}/checksum`, detail: `would be ${actual}` }],
  });
}
