// A stand-in for the vendor's setup: prompts at its terminal in the configured order, and may fail halfway.
import { createInterface } from 'node:readline';

interface Script {
  order: ('ip' | 'world' | 'region' | 'token')[];
  retries: number;
  lineMs: number;
  failsAfterNamespace: boolean;
  regions: string[];
}

const [url = ''] = process.argv.slice(2);
const post = (path: string, body: unknown) =>
  fetch(`${url}/guest/setup/${path}`, { method: 'POST', body: JSON.stringify(body) });
const script = (await (await post('begin', {})).json()) as Script;

if (!process.stdin.isTTY) {
  process.stdout.write('the input device is not a terminal\n');
  process.exit(4);
}
const input = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
const ask = async (question: string): Promise<string> => {
  process.stdout.write(question);
  const { value, done } = (await input.next()) as { value: string; done?: boolean };
  if (done === true) process.exit(5);
  process.stdout.write('\n');
  return value;
};
const say = async (line: string) => {
  process.stdout.write(`${line}\n`);
  await new Promise((wait) => setTimeout(wait, script.lineMs));
};

await say('Checking disk space');
for (let tries = 0; tries < script.retries; tries += 1) {
  await say('ERROR! Failed to install app 4754530 (No connection)');
  if ((await ask('Steam download failed. Retry? [Y/N] ')).toLowerCase() !== 'y') process.exit(1);
}
for (const percent of [20, 60, 100]) await say(` Update state (0x61) downloading, progress: ${percent}.00`);
await say("Success! App '4754530' fully installed.");
await say('Starting k3s');
const inputs: Record<string, string> = {};
for (const question of script.order) {
  if (question === 'ip')
    inputs['ip'] = await ask('Enter the IP address players will use (empty for private): ');
  if (question === 'world') inputs['world'] = await ask('Enter world name: ');
  if (question === 'region') {
    for (const [index, region] of script.regions.entries()) await say(`  ${index + 1}) ${region}`);
    inputs['region'] = script.regions[Number(await ask('Select region: ')) - 1] ?? '';
    if (inputs['region'] === '') process.exit(6);
  }
  if (question === 'token') inputs['token'] = await ask('Enter your self-hosting token: ');
}
await post('namespace', inputs);
await say('namespace created');
if (script.failsAfterNamespace) {
  await say('Error from server (InternalError): failed calling webhook');
  process.exit(1);
}
await post('finish', inputs);
await say('battlegroup created');
process.exit(0);
