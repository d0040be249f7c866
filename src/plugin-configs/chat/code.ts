// Chat groups that BetterChat would not accept.
import type { Schemas } from '../../platform-contract/types.ts';
import type { CodeOf } from '../declared.ts';
import type { Remark } from '../reading.ts';

function faultsOf({ groups }: Schemas['ChatConfigData']): Remark[] {
  if (groups === undefined) return [];
  const names = groups.map(({ group }) => group);
  const faults = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ pointer: `/groups/${index}/group`, detail: 'stands there twice' }],
  );
  return names.includes('default')
    ? faults
    : [...faults, { pointer: '/groups', detail: 'has no group called default, which the plugin needs' }];
}

export const chat: CodeOf<'chat'> = { faultsOf };
