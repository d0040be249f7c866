// Converts a JSON document to YAML in a worker thread, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { stringify } from 'yaml';

const yaml = stringify(JSON.parse(String(workerData)), { aliasDuplicateObjects: false, lineWidth: 0 });
parentPort?.postMessage(Buffer.from(yaml));
