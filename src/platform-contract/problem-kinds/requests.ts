// Problems that requests to any area can have.
import type { ProblemKind } from '../../contract/problem.ts';
import { unparsedProblems } from '../../contract/unparsed-requests.ts';
import type { ProblemCode } from '../../errors.ts';

export const requestProblems = {
  ...unparsedProblems,
  validation_failed: {
    status: 400,
    title: 'The request does not match the contract',
    example: {
      detail: 'query /limit: must be at most 100',
      instance: '/api/fleet/instances',
      errors: [
        { in: 'query', pointer: '/limit', detail: 'must be at most 100', keyword: 'maximum', limit: '100' },
      ],
    },
    isGeneral: true,
    cause:
      'A parameter, a header or a field of the body breaks a rule of the contract: it is missing, has the wrong type or form, is out of range, or is unknown.',
    remedy:
      'Read `errors`: each entry names the place (`in`, `pointer`) and the rule. Correct the request and send it again. Unknown fields and query parameters are refused, so check their spelling.',
  },
  malformed_body: {
    status: 400,
    title: 'The body cannot be parsed',
    isGeneral: true,
    cause:
      'The body cannot be parsed: it is not valid JSON, not UTF-8, incomplete, has a field twice in one object, or is not of the media type that `Content-Type` names.',
    remedy:
      'Serialize the body with a JSON library instead of joining strings, send `Content-Type: application/json`, and send the whole body.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    condition: 'The request names an object that does not exist or belongs to another license.',
    cause:
      'The path does not exist, or the resource does not exist in the license of the caller. Resources of other licenses do not exist for you, so the response is the same for both.',
    remedy:
      'Check the path, the ID and the license of your token or key. If the resource was deleted meanwhile, read the list again.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    isGeneral: true,
    cause: 'The path exists, but does not support the HTTP method of the request.',
    remedy:
      'Use a method of the `Allow` header of the response. The reference lists the methods of each path.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    isGeneral: true,
    cause: 'The `Accept` header of the request excludes every media type that the operation can return.',
    remedy: 'Accept `application/json`, or a media type that the operation lists, or leave the header out.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    isGeneral: true,
    cause: 'The body has more bytes than the operation accepts.',
    remedy:
      'Send less at once. Most operations accept 1 MiB of JSON; uploads state their own limit in the reference.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    condition: 'The body has a media type, charset or encoding that the operation does not accept.',
    isGeneral: true,
    cause: 'The body has a media type, charset or content encoding that the operation does not accept.',
    remedy: 'Send the body uncompressed, as a media type that the operation lists. JSON must be UTF-8.',
  },
  event_cursor_expired: {
    status: 410,
    title: 'The event log no longer has the events after the cursor',
    cause:
      'The log of the license does not have the event of the cursor. The event is older than 90 days, the sandbox was reset, the operator has restored a backup that does not have it, or the cursor belongs to another license or was altered. Continuing there would skip events silently.',
    remedy:
      'Read `GET /api/events?limit=1` for the current `stream_cursor`, read your lists again, and follow the log after that cursor.',
  },
  stale_version: {
    status: 412,
    title: 'The resource has changed since you read it',
    cause:
      'The resource has changed since you read it: its version differs from the `If-Match` header or from `version` in the body. Nothing was changed.',
    remedy:
      'Read the resource again, apply your change to its current state, and send the request with the current version.',
  },
  name_taken: {
    status: 409,
    title: 'The name is already in use',
    cause: 'Another resource of this kind already has that name.',
    remedy: 'Choose another name, or update the existing resource.',
  },
  limit_reached: {
    status: 409,
    title: 'A limit is reached',
    condition: 'The limit that the operation states is reached.',
    isStatedByOperations: true,
    cause:
      'A maximum number or size is reached, for example of keys in a license, of instances on a host, or of lines in an order. `detail` names the limit.',
    remedy:
      'Delete what you no longer need, or split the request. If `detail` names a time, wait until then.',
  },
  export_too_large: {
    status: 422,
    title: 'The export is too large',
    isStatedByOperations: true,
    cause: 'More entries match the filter than one export may have.',
    remedy: 'Narrow the filter, for example to a shorter time, and export in parts.',
  },
  checksum_mismatch: {
    status: 422,
    title: 'The checksum does not match',
    condition: 'The SHA-256 of the content differs from the checksum of the request.',
    cause:
      'The SHA-256 of the content differs from the checksum of the request, so the content was changed on its way or is incomplete. Nothing was stored.',
    remedy: 'Compute the checksum from the bytes that you send, and send them again.',
  },
  import_refused: {
    status: 422,
    title: 'The document cannot be imported',
    condition: 'The document contains something that this license cannot accept.',
    cause:
      'The document contains something that this license cannot accept. An import is done completely or not at all: nothing was imported.',
    remedy:
      'Read `errors`, which point into the document. Correct it, or export it again from its source, and validate it before you import it.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'The first request with this key is still running',
    condition: 'A request with this key is still running.',
    isGeneral: true,
    retryAfterSeconds: 1,
    cause: 'A request with the same `Idempotency-Key` is still being processed.',
    remedy:
      'Wait for the seconds in `Retry-After` and send the same request with the same key again: it returns the result of the first request.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key was used for a different request',
    isGeneral: true,
    cause:
      'The `Idempotency-Key` was used within the last 24 hours for a different request: another method, path or body.',
    remedy: 'Use a new key for each new action, and the same key only to repeat the same request.',
  },
  stream_limit: {
    status: 429,
    title: 'Too many open streams',
    isStatedByOperations: true,
    retryAfterSeconds: 30,
    cause:
      'The session, the API key, the license or the server has as many open streams of events as it may have.',
    remedy:
      'Close streams that you do not need, share one stream among the parts of your program, or read `GET /api/events?order=asc` every few seconds.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    condition: 'The caller, its address or its account has made more requests than allowed.',
    isGeneral: true,
    retryAfterSeconds: 60,
    cause:
      'The caller, its address or its account has made more requests than the limit of the operation allows.',
    remedy:
      'Wait for the seconds in `Retry-After`. Watch the `RateLimit` header of successful responses and slow down before it reaches zero.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    condition: 'The platform failed.',
    isGeneral: true,
    cause:
      'The platform failed. Nothing is wrong with the request. Details are in the log of the platform, with the request ID.',
    remedy:
      'Repeat the request later, with the same `Idempotency-Key` if the operation accepts one. If it fails again, report the `request_id` to the operator of the platform.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    condition: 'A part of the platform is overloaded or restarting.',
    isGeneral: true,
    retryAfterSeconds: 2,
    cause:
      'A part of the platform is overloaded or restarting: the database, the message bus or the storage.',
    remedy:
      'Wait for the seconds in `Retry-After` and repeat the request, with the same `Idempotency-Key` if the operation accepts one.',
  },
} satisfies Partial<Record<ProblemCode, ProblemKind>>;
