// Delays of automatically closing doors that contradict each other.
import type { Schemas } from '../../platform-contract/types.ts';
import type { CodeOf } from '../declared.ts';
import type { Remark } from '../reading.ts';

const orders = [
  ['default_delay_seconds', 'is less than', 'min_delay_seconds'],
  ['default_delay_seconds', 'is more than', 'max_delay_seconds'],
  ['min_delay_seconds', 'is more than', 'max_delay_seconds'],
] as const;

/** Compares given values only: an omitted field keeps the server's value. */
function faultsOf(config: Schemas['AutomaticDoorsConfigData']): Remark[] {
  return orders.flatMap(([field, relation, other]) => {
    const [own = NaN, its = NaN] = [config[field], config[other]];
    const isWrong = relation === 'is less than' ? own < its : own > its;
    return isWrong ? [{ pointer: `/${field}`, detail: `${own} ${relation} ${other}, which is ${its}` }] : [];
  });
}

export const automaticDoors: CodeOf<'automatic-doors'> = { faultsOf };
