// Plays a game server: says when it started, prints the lines of its input, and ends as its arguments say.
import { appendFileSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (text: string) => process.stderr.write(`${text}\n`);

const options = new Set(process.argv.slice(2));
const startsFile = process.env['STARTS_FILE'];
if (startsFile) appendFileSync(startsFile, `${process.pid}\n`);
if (options.has('fail')) {
  complain('no such map');
  process.exit(3);
}
say(`started ${process.pid}`);
if (options.has('child')) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  say(`child ${child.pid}`);
}
if (options.has('deaf')) process.on('SIGTERM', () => say('I hear nothing'));
else {
  process.on('SIGTERM', () => {
    say('saving');
    process.exit(0);
  });
}
if (options.has('ticking')) {
  let tick = 0;
  setInterval(() => say(`tick ${(tick += 1)}`), 20);
}
setTimeout(() => process.exit(0), 120_000); // should a test die without ending it
if (!options.has('unread')) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [word, ...rest] = line.split(' ');
    const text = rest.join(' ');
    if (word === 'quit') process.exit(0);
    else if (word === 'exit') process.exit(Number(text));
    else if (word === 'abort') process.kill(process.pid, 'SIGKILL');
    else if (word === 'error') complain(text);
    else if (word === 'raw') writeSync(1, Buffer.from(text, 'base64'));
    else if (word === 'env') say(`env ${JSON.stringify(process.env[text] ?? null)}`);
    else if (word === 'flood') {
      const block = Buffer.from('y\n'.repeat(16 * 1024));
      const untilMs = Date.now() + Number(text);
      while (Date.now() < untilMs) writeSync(1, block);
    } else say(`you said ${line}`);
  });
}
