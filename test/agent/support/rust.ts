// The simulated Rust server as an instance of a test: it leaves its pid, so that the test can end it.
import { appendFileSync } from 'node:fs';

const startsFile = process.env['STARTS_FILE'];
if (startsFile) appendFileSync(startsFile, `${process.pid}\n`);
setTimeout(() => process.exit(0), 300_000); // should a test die without ending it
await import('../../../agent/simulator/rust-server.ts');
