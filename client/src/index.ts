// The typed client of the platform's API, for Node and for browsers.
export { createClient, type ClientOptions, type GantryClient } from './client.ts';
export { EventCursorExpired, type EventStreamOptions, type StreamedEvent } from './events.ts';
export { InvalidSignature, verifyWebhook, type WebhookOptions } from './webhooks.ts';
export { errorOf, HttpError, ProblemError, type Problem } from './errors.ts';
export type { Entry, ListPath } from './pages.ts';
export type { RetryOptions } from './retries.ts';
export type { Session, Tokens, TokenStore } from './session.ts';
