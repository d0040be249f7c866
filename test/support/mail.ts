// Messages that the platform wrote into files, read back.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ReceivedMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The link of the message, and the token in its fragment. */
  link: string;
  token: string;
}

/** The messages to that address in the directory, oldest first. */
export async function readMail(directory: string, to: string): Promise<ReceivedMail[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.eml'));
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name);
      return { written: (await stat(file)).mtimeMs, source: await readFile(file, 'utf8') };
    }),
  );
  return files
    .toSorted((one, other) => one.written - other.written)
    .map(({ source }) => parseMail(source))
    .filter((mail) => mail.to === to);
}

/** The part of MIME that nodemailer uses for these messages. */
export function parseMail(source: string): ReceivedMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  const text = bodyOf(parts.find((part) => /Content-Type: text\/plain/i.test(part)) ?? '');
  const link = /https?:\/\/\S+#\S+/.exec(text)?.[0] ?? '';
  return {
    id: headerOf(head, 'Message-ID').slice(1, -1),
    to: headerOf(head, 'To').replace(/^<|>$/g, ''),
    subject: headerOf(head, 'Subject'),
    text,
    html: bodyOf(parts.find((part) => /Content-Type: text\/html/i.test(part)) ?? ''),
    link,
    token: link.slice(link.indexOf('#') + 1),
  };
}

function headerOf(head: string, name: string): string {
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
}

function bodyOf(part: string): string {
  const [head = '', ...lines] = part.split('\r\n\r\n');
  const body = lines.join('\r\n\r\n').replace(/\r\n/g, '\n');
  const encoding = headerOf(head.trim(), 'Content-Transfer-Encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
