// Short names for the types that are generated from the contract.
import type { components, operations } from '../../generated/platform.d.ts';

export type Schemas = components['schemas'];

export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;
