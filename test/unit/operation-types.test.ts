// Request and response types of handlers: a difference from the contract must not compile.
import type { operations } from '../../generated/platform.d.ts';
import type { HandlerReply, RequestOf } from '../../src/contract/operation.ts';
import type { Settling, Unkept, Versioned } from '../../src/contract/replies.ts';
import type { Download, SharedReply, Table } from '../../src/results/results.ts';
import type { Schemas } from '../../src/platform-contract/types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const bodies: [
  Same<RequestOf<operations['createCluster']>['body'], Schemas['ClusterCreate']>,
  Same<RequestOf<operations['createLicense']>['body'], Schemas['LicenseCreate'] | undefined>,
  Same<RequestOf<operations['getCluster']>['body'], undefined>,
  Same<RequestOf<operations['getCluster']>['path'], { cluster_id: string }>,
] = [true, true, true, true];

interface Success<Content, Headers = object> {
  responses: { 200: { headers: Headers & { [name: string]: unknown }; content: Content } };
}
interface Thing {
  a: number;
}
type Json = { 'application/json': Thing };

const replies: [
  Same<HandlerReply<Success<Json>>, Thing | Settling<Thing> | Unkept<Thing>>,
  Same<HandlerReply<Success<Json, { ETag: string }>>, Versioned<Thing>>,
  Same<HandlerReply<Success<Json, { ETag: string; 'Cache-Control': string }>>, SharedReply<Thing>>,
  Same<
    HandlerReply<Success<Json & { 'text/csv': string }>>,
    Thing | Settling<Thing> | Unkept<Thing> | Table<never>
  >,
  Same<Extract<HandlerReply<Success<{ 'application/octet-stream': string }>>, Download>, Download>,
  Same<HandlerReply<operations['deleteCluster']>, void | Settling<void> | Unkept<void>>,
] = [true, true, true, true, true, true];

it('bodies match the contract: required, optional or none', () => {
  expect(bodies).not.toContain(false);
});

it('responses match the contract: with a version, shared, as CSV, as bytes, or empty', () => {
  expect(replies).not.toContain(false);
});
