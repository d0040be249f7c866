// Sends notifications to the receivers that the admin has configured.
import type { components } from '../../../generated/local-manager.d.ts';
import { requestTo } from '../web-addresses.ts';
import { sendMail } from './mail.ts';

type Schemas = components['schemas'];

const sendMs = 10_000;
const maxText = 1_500;

export interface Sent {
  receiver: string;
  /** Null if the receiver took it. */
  fault: string | null;
}

/** A receiver that fails delays and stops nothing. */
export async function notify(
  { webhookUrl, ntfyUrl, mail = null }: Schemas['Notifications'],
  text: string,
): Promise<Sent[]> {
  const shown = text.slice(0, maxText);
  return Promise.all([
    ...(webhookUrl === null
      ? []
      : [send('chat webhook', webhookUrl, JSON.stringify({ content: shown }), 'application/json')]),
    ...(ntfyUrl === null ? [] : [send('ntfy', ntfyUrl, shown, 'text/plain; charset=utf-8')]),
    ...(mail === null ? [] : [sendMail(mail, shown).then((fault) => ({ receiver: 'mail', fault }))]),
  ]);
}

async function send(receiver: string, address: string, body: string, type: string): Promise<Sent> {
  const request = requestTo(address);
  if (request === null) return { receiver, fault: 'its address is not valid' };
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { ...request.headers, 'Content-Type': type },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(sendMs),
    });
    await response.body?.cancel();
    return { receiver, fault: response.ok ? null : `it returned status ${response.status}` };
  } catch {
    return { receiver, fault: 'it could not be reached' };
  }
}
