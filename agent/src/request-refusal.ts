// Refuses requests of the platform in the contract's terms.
import { asFileError } from './instance-files/file-error.ts';
import { cutDetail } from './messages.ts';
import type { Schemas } from './messages.ts';

export type Refusal = { v: 1; ok: false; error: Schemas['ReplyError'] };

export function refusal(code: Schemas['ReplyError']['code'], detail: string): Refusal {
  return { v: 1, ok: false, error: { code, detail: cutDetail(detail) } };
}

export function unknownInstance(name: string): Refusal {
  return refusal('unknown_instance', `This host has no instance "${name}".`);
}

/** For a request that needs files of the instance. Only a refused path means that the request is not supported. */
export function fileRefusal(thrown: unknown): Refusal {
  const { code, message } = asFileError(thrown);
  return refusal(code === 'refused' ? 'not_supported' : 'failed', message);
}
