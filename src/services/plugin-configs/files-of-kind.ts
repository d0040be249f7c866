// Turns configurations into files and files into configurations, and tells callers in their own words what is wrong with either.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from '../../contract/formats.ts';
import { DomainError, type Fault } from '../../errors.ts';
import { JsonFault } from '../../plugin-configs/json-text.ts';
import type { ConfigData, Contents, PluginKind } from '../../plugin-configs/kind.ts';

/** Of a configuration that was read from files and is none by the contract. */
const mostFaults = 50;

const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: false, formats });
const validators = new WeakMap<PluginKind, ValidateFunction>();

export function filesOf(kind: PluginKind, config: ConfigData, present: Contents): Map<string, string> {
  return readable(() => kind.toFiles(config, present));
}

export function changesOf(kind: PluginKind, config: ConfigData, present: Contents) {
  return readable(() => kind.changes(config, present));
}

/** Throws unless what the files say is a configuration that the contract knows. */
export function configOf(kind: PluginKind, contents: Contents): ConfigData {
  const { config } = readable(() => kind.fromFiles(contents));
  const faults = faultsBySchema(kind, config);
  if (faults.length > 0) throw invalidConfig(faults);
  refuseFaulty(kind, config);
  return config;
}

export function refuseFaulty(kind: PluginKind, config: ConfigData): void {
  const faults = kind.faultsOf(config);
  if (faults.length > 0) throw invalidConfig(faults);
}

const invalidConfig = (faults: Fault[]) =>
  new DomainError(
    'plugin_config_invalid',
    faults
      .map(({ pointer, detail }) => `${pointer}: ${detail}`)
      .join('; ')
      .slice(0, 1000),
    { faults: faults.slice(0, mostFaults) },
  );

function faultsBySchema(kind: PluginKind, config: ConfigData): Fault[] {
  let validate = validators.get(kind);
  if (validate === undefined) {
    validate = ajv.compile(kind.schema);
    validators.set(kind, validate);
  }
  if (validate(config)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = 'is not valid' }) => ({
    in: 'body',
    pointer: `/config_data${instancePath}`,
    detail: message,
  }));
}

function readable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonFault)
      throw new DomainError('plugin_file_unreadable', error.message, { cause: error });
    throw error;
  }
}
