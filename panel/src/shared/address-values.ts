// Values in the address of a page: what each may be, and what stands for one that is missing or malformed.
import * as v from 'valibot';

type Value = string | number | boolean;

type AddressValue<Of extends Value> = v.OptionalSchema<v.GenericSchema<Of>, Of>;

export const valueOr = <Of extends Value>(
  schema: v.GenericSchema<unknown, Of>,
  fallback: NoInfer<Of>,
): AddressValue<Of> =>
  v.optional(v.fallback(schema, () => fallback) as unknown as v.GenericSchema<Of>, fallback);

export const textOr = (fallback: string) => valueOr(v.string(), fallback);

export const text = textOr('');

/** The ID of an object; empty: any. */
export const id = valueOr(v.union([v.literal(''), v.pipe(v.string(), v.uuid())]), '');

/** A point in time; empty: none. */
export const moment = valueOr(v.union([v.literal(''), v.pipe(v.string(), v.isoTimestamp())]), '');

export const oneOf = <const Option extends string | number>(
  options: readonly Option[],
  fallback: NoInfer<Option>,
): AddressValue<Option> => valueOr<Option>(v.picklist(options), fallback);

/** One of the options; empty: any of them. */
export const anyOf = <const Option extends string>(options: readonly Option[]): AddressValue<Option | ''> =>
  valueOr<Option | ''>(v.picklist(['' as const, ...options]), '');
