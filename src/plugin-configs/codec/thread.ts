// A worker thread of the codec: each message is a task, and each reply is its result.
import { parentPort } from 'node:worker_threads';
import { platformDocument } from '../../platform-contract/document-file.ts';
import { JsonFault } from '../json-text.ts';
import { pluginKinds } from '../registry.ts';
import type { ConfigSchema } from '../schema.ts';
import type { WorkTask, WorkOutcome } from './threads.ts';
import { runWork } from './works.ts';

const { components } = platformDocument();
const kinds = pluginKinds(components['schemas'] as Record<string, ConfigSchema>);

parentPort?.on('message', (task: WorkTask) => parentPort?.postMessage(outcomeOf(task)));

function outcomeOf({ name, kind: kindName, input }: WorkTask): WorkOutcome {
  try {
    const kind = kinds.get(kindName);
    if (kind === undefined) throw new Error(`there is no kind ${kindName} of plugin configurations`);
    return { result: runWork(name, kind, input) };
  } catch (error) {
    if (error instanceof JsonFault) return { unreadable: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
