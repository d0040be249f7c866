// Plays a game server: says when it started, prints what it is told on its input, and ends as its arguments say.
import { appendFileSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const options = new Set(process.argv.slice(2));
const startsFile = process.env.STARTS_FILE;
if (startsFile) appendFileSync(startsFile, `${process.pid}\n`);
console.log(`started ${process.pid}`);
if (options.has('fail')) {
  console.error('no such map');
  process.exit(3);
}
if (options.has('child')) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  console.log(`child ${child.pid}`);
}
if (options.has('deaf')) process.on('SIGTERM', () => console.log('I hear nothing'));
else {
  process.on('SIGTERM', () => {
    console.log('saving');
    process.exit(0);
  });
}
if (options.has('ticking')) {
  let tick = 0;
  setInterval(() => console.log(`tick ${(tick += 1)}`), 20);
}
setInterval(() => {}, 1000);
if (!options.has('unread')) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [word, ...rest] = line.split(' ');
    const text = rest.join(' ');
    if (word === 'quit') process.exit(0);
    else if (word === 'exit') process.exit(Number(text));
    else if (word === 'abort') process.kill(process.pid, 'SIGKILL');
    else if (word === 'error') console.error(text);
    else if (word === 'raw') writeSync(1, Buffer.from(text, 'base64'));
    else if (word === 'env') console.log(`env ${JSON.stringify(process.env[text] ?? null)}`);
    else if (word === 'flood') {
      const block = Buffer.from('y\n'.repeat(16 * 1024));
      const untilMs = Date.now() + Number(text);
      while (Date.now() < untilMs) writeSync(1, block);
      console.log('flood over');
    } else console.log(`you said ${line}`);
  });
}
