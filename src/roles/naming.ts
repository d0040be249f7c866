// Adds the name of the setting to connection failures.
import { ConfigError } from '../process/environment.ts';

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
