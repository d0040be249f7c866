// Stands in for the vendor's program battlegroup: prints what the world says as it says it, and ends as it says.
const [url = '', , command = ''] = process.argv.slice(2);
const response = await fetch(`${url}/guest/battlegroup/${command}`, { method: 'POST' });
const decoder = new TextDecoder();
let last = '';
for await (const chunk of response.body ?? []) {
  const lines = `${last}${decoder.decode(chunk as Uint8Array, { stream: true })}`.split('\n');
  last = lines.pop() ?? '';
  for (const line of lines) process.stdout.write(`${line}\n`);
}
process.exit(Number(last));
