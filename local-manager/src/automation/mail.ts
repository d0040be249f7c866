// Sends notifications by mail.
import { createTransport } from 'nodemailer';
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, numberOf, textOf } from '../parsing.ts';

type MailSettings = components['schemas']['MailSettings'];

const connectionMs = 10_000;
/** Total time limit, from connecting to the server's last reply. */
const sendingMs = 20_000;
const maxSubject = 100;

/** Returns why the message was not sent; null if the server took it. */
export async function sendMail(settings: MailSettings, text: string): Promise<string | null> {
  const { host, port, security, user, password, from, to } = settings;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    dnsTimeout: connectionMs,
    // No content of a message may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject: `Gantry local manager: ${(text.split('\n')[0] ?? '').slice(0, maxSubject)}`,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(sendingMs),
    });
    return null;
  } catch (error) {
    return faultOf(error);
  } finally {
    transport.close();
  }
}

function faultOf(error: unknown): string {
  const fields = fieldsOf(error);
  const status = numberOf(fields['responseCode']);
  const code = textOf(fields['code']);
  if (code === 'EAUTH') return 'the mail server refuses the login';
  if (code === 'ETLS') return 'the mail server offers no encryption, or its certificate is not valid';
  if (status !== null) return `the mail server returned status ${status}`;
  return 'the mail server could not be reached';
}
