// The formats of the contracts, as narrow as what is done with such values afterwards.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const rfc3339 = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

export const formats = {
  /** In lower case: ids are compared as text. */
  uuid: (text: string) => uuid.test(text),
  'date-time': (text: string) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)),
};
