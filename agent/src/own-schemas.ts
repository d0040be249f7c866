// Compiles the schemas that ship with the agent.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Options } from 'ajv/dist/2020.js';

/** The schemas are trusted and not validated, because validation would take most of the agent's start time. */
export const ownSchemas = (options: Options = {}): Ajv2020 =>
  new Ajv2020({ strict: false, validateSchema: false, ...options });
