// Stands in for powershell.exe: takes an encoded command apart as PowerShell would, and has the world carry it out.
const [url = '', ...args] = process.argv.slice(2);
const encoded = args[args.indexOf('-EncodedCommand') + 1] ?? '';
const text = Buffer.from(encoded, 'base64').toString('utf16le');
const script = /^# gantry: (\S+)$/m.exec(text)?.[1];
const data = /FromBase64String\('([A-Za-z0-9+/=]*)'\)/.exec(text)?.[1];
if (script === undefined || data === undefined) {
  process.stderr.write('this is none of the scripts\r\n');
  process.exit(1);
}
const values = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as { mark: string };
const response = await fetch(`${url}/host/${script}`, { method: 'POST', body: JSON.stringify(values) });
process.stdout.write(`${values.mark} ${await response.text()}\r\n`);
