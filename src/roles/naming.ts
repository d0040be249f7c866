// Failures of connecting that name the setting they come from.
import { ConfigError } from '../process/environment.ts';

/** Names the setting that led to a failed connection, in the one line that ends the start. */
export async function naming<T>(setting: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    throw new ConfigError(`${setting}: ${Error.isError(error) ? error.message : 'the connection failed'}`, {
      cause: error,
    });
  }
}
