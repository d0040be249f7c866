// Sends a file or a form with its progress, which fetch does not report.
import { createClient, type GantryClient } from '@gantry/client';
import { session } from '../session/session.ts';

type Body = Blob | FormData;

/** The number of bytes that were sent so far. */
export type Progress = (sentBytes: number) => void;

/** A client for one call, whose body has to be the same as the one given here. */
export const uploadingClient = (body: Body, onProgress: Progress): GantryClient =>
  createClient({
    baseUrl: window.location.origin,
    fetch: (request) => session.send(request, (authorized) => sent(authorized, body, onProgress)),
  });

function sent(request: Request, body: Body, onProgress: Progress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason as Error);
    const call = new XMLHttpRequest();
    call.open(request.method, request.url);
    for (const [name, value] of request.headers) {
      // The boundary of a form is chosen when it is sent.
      const isOfForm = body instanceof FormData && name.toLowerCase() === 'content-type';
      if (!isOfForm) call.setRequestHeader(name, value);
    }
    call.upload.onprogress = ({ loaded }) => onProgress(loaded);
    call.onload = () => resolve(responseOf(call));
    call.onerror = () => reject(new TypeError('the connection was lost'));
    call.onabort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', () => call.abort(), { once: true });
    call.send(body);
  });
}

function responseOf(call: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of call.getAllResponseHeaders().split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.append(name, value);
  }
  const { status, statusText, responseText } = call;
  return new Response(status === 204 ? null : responseText, { status, statusText, headers });
}
