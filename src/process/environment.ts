// Reads single settings from the environment; an invalid one ends the start with one line that names it.

/** An invalid setting. Its message is one line that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

export function number(env: Environment, name: string, min: number, max: number, otherwise: number): number {
  const given = text(env, name);
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (!Number.isFinite(value) || value < min || value > max)
    throw new ConfigError(`${name} must be a number from ${min} to ${max}, not ${JSON.stringify(given)}`);
  return value;
}

export function integer(env: Environment, name: string, min: number, max: number, otherwise: number): number {
  const value = number(env, name, min, max, otherwise);
  if (!Number.isInteger(value)) throw new ConfigError(`${name} must be a whole number, not "${value}"`);
  return value;
}

export function oneOf<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  otherwise: T,
): T {
  const given = text(env, name) ?? otherwise;
  const value = allowed.find((item) => item === given);
  if (value === undefined)
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(given)}`);
  return value;
}

/** A URL, unchanged. The error does not repeat its value, which may hold a password. */
export function url(env: Environment, name: string, protocols: string[]): string | undefined {
  const given = text(env, name);
  if (given === undefined) return undefined;
  if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
    throw new ConfigError(
      `${name} must be a URL that starts with ${protocols.map((item) => `${item}//`).join(' or ')}`,
    );
  return given;
}

/** Entries separated by commas. */
export function list(env: Environment, name: string): string[] {
  const entries = text(env, name)
    ?.split(',')
    .map((entry) => entry.trim());
  if (entries?.includes('') === true) throw new ConfigError(`${name} has an empty entry`);
  return entries ?? [];
}

/** Adds the setting behind a failed connection to the one line that ends the start. */
export async function naming<T>(setting: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    throw new ConfigError(`${setting}: ${Error.isError(error) ? error.message : 'the connection failed'}`, {
      cause: error,
    });
  }
}
