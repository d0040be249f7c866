// What handlers are given, by type: a gap between them and the contract must not compile.
import type { operations } from '../../generated/platform.d.ts';
import type { RequestOf } from '../../src/contract/operation.ts';
import type { Schemas } from '../../src/contract-types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const asTheContractSays: [
  Same<RequestOf<operations['createCluster']>['body'], Schemas['ClusterCreate']>,
  Same<RequestOf<operations['createLicense']>['body'], Schemas['LicenseCreate'] | undefined>,
  Same<RequestOf<operations['getCluster']>['body'], undefined>,
  Same<RequestOf<operations['getCluster']>['path'], { cluster_id: string }>,
] = [true, true, true, true];

it('is what the contract says of bodies: given, optional or none', () => {
  expect(asTheContractSays).not.toContain(false);
});
