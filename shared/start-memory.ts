// Limits the memory that a start uses, and returns it to the operating system afterwards: V8 and malloc would keep it.
import { setFlagsFromString } from 'node:v8';
import { garbageCollector } from './garbage-collector.ts';

/** By then what the first requests and jobs load is loaded. */
const defaultDelayMs = 10_000;

/**
 * Young garbage is collected early until `releaseStartMemory`: what a start loads stays, so waiting for it to die would
 * only double the memory. Takes no more processor time.
 */
export function saveStartMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Collects once, a few seconds from now; the process pauses for about a tenth of a second. */
export function releaseStartMemory(delayMs = defaultDelayMs): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setTimeout(() => garbageCollector()({ type: 'major', flavor: 'last-resort' }), delayMs).unref();
}
