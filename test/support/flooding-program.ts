// Logs a number of lines, then on SIGUSR2 one more, and reports its lost lines over its other channel; for
// tests.
import { LogOutput } from '../../shared/log-output.ts';

const output = new LogOutput(1);
output.reportTo({ warn: (fields) => output.write(`${JSON.stringify(fields)}\n`) });
const [lines = 0, bytes = 0] = process.argv.slice(2).map(Number);

for (let line = 0; line < lines; line += 1) output.write(`${'x'.repeat(bytes - 1)}\n`);
process.send?.({ lost: output.lostLines });
process.on('message', () => {
  void output.flush(60_000).then(() => {
    output.write('the last line\n');
    process.send?.({ lost: output.lostLines });
    process.disconnect();
  });
});
