// Estimates passwords in a worker thread: each message is a password, and each reply its estimate.
import { parentPort } from 'node:worker_threads';
import { loadEstimate, type EstimateInput } from './password-estimate.ts';

const estimate = await loadEstimate();

parentPort?.on('message', (input: EstimateInput) => parentPort?.postMessage(estimate(input)));
