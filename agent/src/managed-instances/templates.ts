// The templates of the agent's file: parameters, validation of values, and creation of instance settings.
import type { FileInstance, FileParameter, FileTemplate } from '../config-schema.ts';
import type { Schemas } from '../messages.ts';
import { SettingError } from '../errors.ts';

export type Values = Readonly<Record<string, string>>;

/** Why the values of a request are invalid, as text for users. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** Ports of this host that other instances use, each with the owner's name. */
export type TakenPorts = ReadonlyMap<number, string>;

const placeholder = /\{\{([^{}]*)\}\}/g;
/** Placeholders that every template has. */
const given = ['name', 'directory'];
const maxReportBytes = 24 * 1024;
const maxTextLength = 200;
/** Refuses text that a game server could take for an option or a path, and control characters. */
const plainText = /^(?![-+@.=\s])[^\p{C}\p{Zl}\p{Zp}/\\]+(?<!\s)$/u;

export class Template {
  readonly name: string;
  readonly #file: FileTemplate;
  readonly #parameters: ReadonlyMap<string, FileParameter>;

  /** Throws a SettingError that names the fault. */
  constructor(name: string, file: FileTemplate, shownPath: string) {
    this.name = name;
    this.#file = file;
    this.#parameters = new Map(Object.entries(file.parameters));
    const pointer = `${shownPath} /managed_instances/templates/${name}`;
    for (const [parameter, settings] of this.#parameters)
      checkParameter(settings, `${pointer}/parameters/${parameter}`, parameter);
    this.#checkPlaceholders(pointer);
  }

  /** The description that is sent to the platform. */
  get report(): Schemas['InstanceTemplate'] {
    const { description, game } = this.#file;
    return {
      name: this.name,
      ...(description !== undefined && { description }),
      ...(game !== undefined && { game }),
      parameters: [...this.#parameters].map(([name, settings]) => reportOf(name, settings)),
    };
  }

  portsAmong(values: Values): number[] {
    return [...this.#parameters].flatMap(([name, { type }]) => {
      const value = values[name];
      return type === 'port' && value !== undefined ? [Number(value)] : [];
    });
  }

  /** Validates the values and assigns a free port to each port parameter without one. Throws a ValueError. */
  settle(values: Values, taken: TakenPorts): Values {
    const unknown = Object.keys(values).find((name) => !this.#parameters.has(name));
    if (unknown !== undefined)
      throw new ValueError(`The template "${this.name}" has no parameter "${unknown}".`);
    const used = new Map(taken);
    const settled: Record<string, string> = {};
    for (const [name, settings] of this.#parameters) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) continue;
      settled[name] = checked(name, settings, value);
      if (settings.type === 'port') takePort(name, Number(value), used);
    }
    for (const [name, settings] of this.#parameters) {
      if (settled[name] !== undefined || settings.default !== undefined) continue;
      if (settings.type !== 'port') throw new ValueError(`The parameter "${name}" needs a value.`);
      settled[name] = freePort(name, settings, used);
    }
    return settled;
  }

  /** Returns the instance as the file would define it. Requires settled values. */
  fill(name: string, directory: string, values: Values): FileInstance {
    const { description: _, parameters, args, env, webrcon, ...settings } = this.#file;
    const valueOf = (key: string): string => {
      if (key === 'name') return name;
      if (key === 'directory') return directory;
      return values[key] ?? String(parameters[key]?.default);
    };
    const filled = (text: string) => text.replaceAll(placeholder, (_match, key: string) => valueOf(key));
    return {
      ...settings,
      name,
      cwd: directory,
      root: directory,
      args: args.map(filled),
      env: Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)])),
      ...(webrcon && { webrcon: { ...webrcon, port: Number(filled(String(webrcon.port))) } }),
    };
  }

  #checkPlaceholders(pointer: string): void {
    const { args, env, webrcon } = this.#file;
    const rconPort = String(webrcon?.port ?? '');
    const used = new Set<string>();
    for (const text of [...args, ...Object.values(env), rconPort]) {
      for (const [whole, name = ''] of text.matchAll(placeholder)) {
        if (!given.includes(name) && !this.#parameters.has(name))
          throw new SettingError(`${pointer}: ${whole} is not the name of a parameter`);
        used.add(name);
      }
    }
    const unused = [...this.#parameters.keys()].find((name) => !used.has(name));
    if (unused !== undefined)
      throw new SettingError(
        `${pointer}/parameters/${unused}: {{${unused}}} stands nowhere in args, env or webrcon`,
      );
    const named = /^\{\{(.*)\}\}$/.exec(rconPort)?.[1];
    if (named !== undefined && this.#parameters.get(named)?.type !== 'port')
      throw new SettingError(`${pointer}/webrcon/port: {{${named}}} must be a parameter of the type port`);
  }
}

/** Throws a SettingError when the report of the templates is too large for a message. */
export function refuseLargeReport(templates: readonly Template[], shownPath: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(templates.map(({ report }) => report)));
  if (bytes > maxReportBytes)
    throw new SettingError(
      `${shownPath} /managed_instances/templates: descriptions and choices take ${bytes} bytes, more than ${maxReportBytes}`,
    );
}

function checkParameter(settings: FileParameter, pointer: string, name: string): void {
  if (given.includes(name)) throw new SettingError(`${pointer}: the agent gives {{${name}}} itself`);
  const { type, minimum, maximum, choices, max_length: maxLength } = settings;
  const isNumber = type === 'integer' || type === 'port';
  const refuse = (why: string) => {
    throw new SettingError(`${pointer}: ${why}`);
  };
  if (isNumber && (minimum === undefined || maximum === undefined || minimum > maximum))
    refuse('needs a minimum and a maximum that is not below it');
  if (!isNumber && (minimum !== undefined || maximum !== undefined)) refuse('only numbers have limits');
  if (type === 'port' && ((minimum ?? 0) < 1 || (maximum ?? 0) > 65_535)) refuse('ports are from 1 to 65535');
  if (type === 'port' && settings.default !== undefined)
    refuse('a port has no default: the lowest free one is taken');
  if ((type === 'choice') !== (choices !== undefined))
    refuse('choices belong to the type choice, and it needs them');
  if (type !== 'text' && maxLength !== undefined) refuse('only a text has a max_length');
  if (settings.default === undefined) return;
  try {
    checked(name, settings, String(settings.default));
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    refuse(`default: ${error.message}`);
  }
}

function checked(name: string, settings: FileParameter, value: string): string {
  const { type, minimum = 0, maximum = 0, choices = [] } = settings;
  switch (type) {
    case 'integer':
    case 'port':
      if (!/^(0|-?[1-9]\d{0,14})$/.test(value) || Number(value) < minimum || Number(value) > maximum)
        throw new ValueError(`The parameter "${name}" takes a whole number from ${minimum} to ${maximum}.`);
      return value;
    case 'choice':
      if (!choices.some((choice) => String(choice) === value))
        throw new ValueError(`The parameter "${name}" takes one of ${choices.join(', ')}.`);
      return value;
    case 'text': {
      const { max_length: maxLength = maxTextLength } = settings;
      if ([...value].length > maxLength || !plainText.test(value))
        throw new ValueError(
          `The parameter "${name}" takes one line of at most ${maxLength} characters without slashes, that begins with none of - + @ . = and no space.`,
        );
      return value;
    }
  }
}

function takePort(name: string, port: number, used: Map<number, string>): void {
  const owner = used.get(port);
  if (owner !== undefined)
    throw new ValueError(`The parameter "${name}": port ${port} is already used by ${owner}.`);
  used.set(port, 'this instance');
}

function freePort(
  name: string,
  { minimum = 0, maximum = 0 }: FileParameter,
  used: Map<number, string>,
): string {
  for (let port = minimum; port <= maximum; port += 1) {
    if (used.has(port)) continue;
    used.set(port, 'this instance');
    return String(port);
  }
  throw new ValueError(`The parameter "${name}": no port from ${minimum} to ${maximum} is free.`);
}

function reportOf(name: string, settings: FileParameter): Schemas['TemplateParameter'] {
  const { type, description, minimum, maximum, choices, default: value } = settings;
  return {
    name,
    type,
    ...(description !== undefined && { description }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(choices !== undefined && { choices: choices.map(String) }),
    ...(type === 'text' && { max_length: settings.max_length ?? maxTextLength }),
    ...(value !== undefined && { default: String(value) }),
  };
}
