// Formats places in documents for people: `kits › starter › items[2] › amount` for `/kits/starter/items/2/amount`.
import { stepsOf } from './json-text.ts';

/** Empty for the whole document. */
export const placeOf = (pointer: string): string =>
  stepsOf(pointer).reduce(
    (place, step) =>
      place !== '' && /^\d{1,6}$/.test(step)
        ? `${place}[${step}]`
        : place === ''
          ? step
          : `${place} › ${step}`,
    '',
  );
