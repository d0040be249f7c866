// A seeded generator of random numbers whose whole state is one number, so that it can be stored.

export interface RandomState {
  /** 32 bits. */
  random: number;
}

/** The next number from 0 up to 1 (mulberry32); moves the state on. */
export function nextRandom(state: RandomState): number {
  state.random = (state.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state.random ^ (state.random >>> 15), 1 | state.random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A whole number from 0 up to `count`. */
export const nextBelow = (state: RandomState, count: number): number => Math.floor(nextRandom(state) * count);

/** One of the choices. */
export function nextOf<T>(state: RandomState, choices: readonly [T, ...T[]]): T {
  return choices[nextBelow(state, choices.length)] ?? choices[0];
}

/** A UUID of version 4 that the state determines. */
export function nextUuid(state: RandomState): string {
  const digits = Array.from({ length: 32 }, () => nextBelow(state, 16).toString(16));
  digits[12] = '4';
  digits[16] = (8 + nextBelow(state, 4)).toString(16);
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
