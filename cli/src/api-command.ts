// `gantry api`: one operation, with an option for each of its fields.
import { once } from 'node:events';
import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { Caller, hasSucceeded, type Reply } from './caller.ts';
import { loadContract } from './contract-cache.ts';
import type { Contract, Field, Operation } from './contract.ts';
import { typeOf } from './describe.ts';
import { CliError, exitCodes } from './failures.ts';
import { formatOf, moreOf, noColumn, safe, textOf, unknownColumns, type PrintOptions } from './output.ts';
import { operationNamed } from './named-operation.ts';
import type { Profiles } from './profiles.ts';
import { curlOf, type Arguments } from './request.ts';
import { columnsMissing } from './result-columns.ts';
import { argumentsFrom, flagsOf, isBoolean, kebab } from './values.ts';

export interface ApiOptions {
  server?: string;
  profile?: string;
}

interface OwnOptions extends ApiOptions {
  output?: string;
  columns?: string;
  all?: boolean;
  wait?: string | true;
  dryRun?: boolean;
  body?: string;
  bodyFile?: string;
  save?: string;
  timeout?: string;
  verbose?: boolean;
}

const defaultWaitSeconds = 300;
const defaultTimeoutSeconds = 60;

/** Runs the operation and returns the exit code. */
export async function callOperation(
  profiles: Profiles,
  operationId: string,
  args: string[],
  outer: ApiOptions,
): Promise<number> {
  // The server is needed to know the options, and is itself one of them.
  const connection = { ...outer, ...connectionIn(args) };
  const target = await profiles.target(connection);
  const contract = await loadContract({ server: target.server });
  const operation = operationNamed(contract, operationId);
  const { options, texts } = parsed(contract, operation, args);
  const given = await argumentsFrom(contract, operation, texts, options);
  const timeoutMs =
    options.timeout === undefined ? undefined : secondsOf(options.timeout, '--timeout') * 1000;
  const caller = new Caller({
    contract,
    target,
    profiles,
    timeoutMs: timeoutMs ?? defaultTimeoutSeconds * 1000,
  });
  if (options.dryRun === true) {
    const { draft, secret } = caller.draft(operation, given);
    process.stdout.write(`${curlOf(draft, secret)}\n`);
    return exitCodes.success;
  }
  if (operation.isStream) return printEvents(caller, operation, given, { timeoutMs, options });
  const print: PrintOptions = {
    format: formatOf(options.output, process.stdout.isTTY === true),
    width: process.stdout.columns ?? 120,
    ...(options.columns === undefined
      ? {}
      : { columns: options.columns.split(',').map((name) => name.trim()) }),
  };
  await refuseUnprintable(contract, operation, print, options);
  if (options.all === true) return printAll(caller, operation, given, print);
  if (options.wait !== undefined) {
    const seconds = options.wait === true ? defaultWaitSeconds : secondsOf(options.wait, '--wait');
    const reply = await caller.callAndWait(operation, given, seconds);
    await printReply(operation, reply, print, options);
    return hasSucceeded(reply.value) ? exitCodes.success : exitCodes.unsuccessful;
  }
  await printReply(operation, await caller.call(operation, given), print, options);
  return exitCodes.success;
}

/** Refuses what the result could not be printed with, before the request: a change is done once, and so is its result. */
async function refuseUnprintable(
  contract: Contract,
  operation: Operation,
  { columns = [] }: PrintOptions,
  { wait, save }: OwnOptions,
): Promise<void> {
  const { missing, present } = columnsMissing(contract, operation, columns, { waits: wait !== undefined });
  if (missing.length > 0) throw new CliError(`${noColumn(missing, present)} Nothing was sent.`);
  if (save !== undefined) await refuseUnwritable(save);
}

async function refuseUnwritable(file: string): Promise<void> {
  try {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (found?.isDirectory() === true) throw new Error('it is a directory');
    await access(found === undefined ? dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw new CliError(
      `The file "${file}" cannot be written: ${(error as Error).message}. Nothing was sent.`,
      undefined,
      { cause: error },
    );
  }
}

function secondsOf(text: string, option: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new CliError(`${option} is a number of seconds, and "${text}" is not.`);
  return seconds;
}

async function printAll(
  caller: Caller,
  operation: Operation,
  given: Arguments,
  print: PrintOptions,
): Promise<number> {
  if (!operation.isList) throw new CliError(`${operation.id} has no pages; leave out --all.`);
  const entries: unknown[] = [];
  for await (const entry of caller.entries(operation, given)) entries.push(entry);
  process.stdout.write(textOf(entries, print));
  return exitCodes.success;
}

/** One line of JSON for each event, until the timeout or Ctrl-C. */
async function printEvents(
  caller: Caller,
  operation: Operation,
  given: Arguments,
  { timeoutMs, options }: { timeoutMs: number | undefined; options: OwnOptions },
): Promise<number> {
  const { all, wait, save, columns, output = 'json' } = options;
  if (all === true || wait !== undefined || save !== undefined || columns !== undefined || output !== 'json')
    throw new CliError(
      `${operation.id} prints each event as a line of JSON when it comes; leave out --all, --wait, --save, --columns and --output.`,
    );
  const signal = timeoutMs === undefined ? new AbortController().signal : AbortSignal.timeout(timeoutMs);
  for await (const event of caller.events(operation, given, signal))
    if (!process.stdout.write(`${safe(JSON.stringify(event), false)}\n`)) await once(process.stdout, 'drain');
  return exitCodes.success;
}

async function printReply(
  { id, method }: Operation,
  reply: Reply,
  print: PrintOptions,
  { save, verbose }: OwnOptions,
): Promise<void> {
  const isChange = method !== 'GET';
  if (verbose === true)
    process.stderr.write(
      `${reply.status}\n${[...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n`,
    );
  if (save !== undefined) {
    try {
      await writeFile(save, reply.bytes);
      process.stderr.write(`${reply.bytes.length} bytes written to ${save}\n`);
      return;
    } catch (error) {
      const reason = `The file "${save}" cannot be written: ${(error as Error).message}`;
      if (!isChange) throw new CliError(reason, undefined, { cause: error });
      process.stderr.write(`${reason}. ${id} has taken effect; its whole result follows.\n`);
      process.stdout.write(reply.bytes);
      return;
    }
  }
  if (reply.value === undefined && reply.bytes.length > 0) {
    if (!isChange && process.stdout.isTTY === true && !reply.type.startsWith('text/'))
      throw new CliError(
        `The response is a file (${reply.type}, ${reply.bytes.length} bytes). Add --save FILE.`,
      );
    process.stdout.write(reply.bytes);
    return;
  }
  const { missing, present } = unknownColumns(print.columns ?? [], reply.value);
  if (isChange && missing.length > 0) {
    process.stderr.write(`${noColumn(missing, present)} ${id} has taken effect; its whole result follows.\n`);
    process.stdout.write(textOf(reply.value, { format: 'json' }));
    return;
  }
  process.stdout.write(textOf(reply.value, print));
  const more = print.format === 'table' ? moreOf(reply.value) : undefined;
  if (more !== undefined) process.stderr.write(`${more}\n`);
}

/** `--server` and `--profile` may stand after the operation too. */
function connectionIn(args: string[]): ApiOptions {
  const found: ApiOptions = {};
  for (const [index, text] of args.entries()) {
    const match = /^--(server|profile)(?:=(.*))?$/s.exec(text);
    const value = match?.[2] ?? args[index + 1];
    if (match?.[1] !== undefined && value !== undefined) found[match[1] as keyof ApiOptions] = value;
  }
  return found;
}

interface Parsed {
  options: OwnOptions;
  texts: Map<Field, string[]>;
}

function parsed(contract: Contract, operation: Operation, args: string[]): Parsed {
  const texts = new Map<Field, string[]>();
  const command = new Command(`gantry api ${operation.id}`)
    .description(`${operation.summary}. ${operation.method} ${operation.path}`)
    .exitOverride()
    .allowExcessArguments(false)
    .option('--output <format>', 'table, json or csv; table on a terminal, json otherwise')
    .option('--columns <names>', 'columns of tables and CSV, with commas between; a.b for fields of objects')
    .option('--all', 'every page of a list')
    .option('--wait [seconds]', `wait until the started work is over, ${defaultWaitSeconds} s unless given`)
    .option('--dry-run', 'print the request as a curl command instead of sending it')
    .option('--body <json>', 'the whole body: JSON, @file, or - for standard input')
    .option('--body-file <file>', 'a body that is not JSON; - for standard input')
    .option('--save <file>', 'write the response to a file')
    .option(
      '--timeout <seconds>',
      `the longest that a call may take, ${defaultTimeoutSeconds} s unless given; a stream ends only then`,
    )
    .option('--verbose', 'print status and headers of the response')
    .option('--server <url>', 'the platform, instead of that of the profile')
    .option('--profile <name>', 'the profile to use');
  for (const { flag, field } of flagsOf(operation)) {
    const type = typeOf(contract, field.schema);
    const take = (text: string | true) => {
      texts.set(field, [...(texts.get(field) ?? []), text === true ? 'true' : text]);
      return text;
    };
    const hint = `${field.isRequired ? 'required; ' : ''}${type}`;
    if (isBoolean(field.schema)) command.option(`--${flag} [true|false]`, hint, take);
    else command.option(`--${flag} <value>`, hint, take);
    command.on(`option:${flag}`, (value: string | null) => {
      // A flag of a boolean without a value does not run the parser above.
      if (value === null || value === undefined) take(true);
    });
  }
  command.parse(withKnownFlags(command, args), { from: 'user' });
  return { options: command.opts<OwnOptions>(), texts };
}

/** Flags in the form of the program: `--instance_id` is `--instance-id`. Values stay, even those that look like flags. */
function withKnownFlags(command: Command, args: readonly string[]): string[] {
  const written: string[] = [];
  let takesNext = false;
  for (const text of args) {
    const [, name] = /^--([\w-]+)/.exec(text) ?? [];
    if (takesNext || name === undefined) {
      written.push(text);
      takesNext = false;
      continue;
    }
    const flag = `--${kebab(name)}`;
    written.push(`${flag}${text.slice(name.length + 2)}`);
    takesNext = !text.includes('=') && command.options.find(({ long }) => long === flag)?.required === true;
  }
  return written;
}
