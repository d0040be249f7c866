// The commands of the program.
import { Command, CommanderError, Option } from 'commander';
import { callOperation } from './api-command.ts';
import { candidates, printed, script } from './completion.ts';
import { loadContract } from './contract-cache.ts';
import { describe } from './describe.ts';
import { CliError, exitCodes } from './failures.ts';
import { formatOf, safe, textOf } from './output.ts';
import { addProfileCommands } from './profile-commands.ts';
import { Profiles } from './profiles.ts';
import { search } from './search.ts';
import { operationNamed } from './named-operation.ts';
import { version } from './version.ts';

export type { Command };

export interface ConnectionOptions {
  server?: string;
  profile?: string;
}

const statedCodes = `
Exit codes: 0 success, 1 defect of this program, 2 wrong usage, 3 refused, 4 not permitted (401, 403),
5 not found, 6 platform unavailable (429, 5xx), 7 not reachable, 8 the awaited command did not succeed,
9 --wait ran out of time.`;

/** Runs the command and returns its exit code. `addCommands` adds those of a program that contains this one. */
export async function run(args: string[], addCommands?: (program: Command) => void): Promise<number> {
  let exitCode: number = exitCodes.success;
  const profiles = new Profiles();
  const program = new Command('gantry')
    .description('Calls every operation of a Gantry platform.')
    .version(version)
    .addHelpText('after', statedCodes)
    .exitOverride()
    .enablePositionalOptions();

  addCommands?.(program);
  const api = connected(
    program
      .command('api <operationId> [options...]')
      .description('Call an operation. `gantry operations describe <operationId>` shows its options.')
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions(),
  );
  api.action(async (operationId: string, rest: string[], options: ConnectionOptions) => {
    // After the name of an operation, `--help` is for its own options.
    if (operationId === '--help' || operationId === '-h') {
      api.outputHelp();
      return;
    }
    exitCode = await callOperation(profiles, operationId, rest, options);
  });

  const operations = program.command('operations').description('Find and describe operations.');
  connected(
    operations
      .command('search [words...]')
      .description('Find operations by words')
      .option('--limit <count>', 'how many to show', '20')
      .option('--output <format>', 'table, json or csv'),
  ).action(async (words: string[], options: ConnectionOptions & { limit: string; output?: string }) => {
    const { server } = await profiles.target(options);
    const found = search(await loadContract({ server }), words.join(' '), countOf(options.limit));
    if (found.length === 0) throw new CliError(`No operation fits "${words.join(' ')}".`, exitCodes.notFound);
    const rows = found.map(({ id, summary, method, path, tag }) => ({
      operation: id,
      summary,
      method,
      path,
      tag,
    }));
    write(textOf(rows, { format: formatOf(options.output, isTerminal()), width: width() }));
  });
  connected(
    operations.command('describe <operationId>').description('Show what an operation does and takes'),
  ).action(async (operationId: string, options: ConnectionOptions) => {
    const { server } = await profiles.target(options);
    const contract = await loadContract({ server });
    write(describe(contract, operationNamed(contract, operationId), server));
  });

  addProfileCommands(program, profiles);

  program
    .command('completion <shell>')
    .description('Print a completion script for bash, zsh, fish or powershell')
    .action((shell: string) => void write(script(shell)));

  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[]) => {
      const load = async () => {
        const { server } = await profiles.target({});
        return loadContract({ server, prefersStored: true });
      };
      write(safe(printed(await candidates(words, load)), true));
    });

  connected(
    program
      .command('mcp')
      .description('Serve agents over the Model Context Protocol on standard input and output')
      .option('--read-only', 'offer operations that read, and nothing else')
      .option(
        '--allow-destructive',
        'let agents whose program cannot ask its user confirm destructive operations',
      )
      .addOption(new Option('--max-output <characters>', 'cut results after this many').default('20000')),
  ).action(async (options: ConnectionOptions & McpFlags) => {
    const { serveMcp } = await import('./mcp/serve.ts');
    const target = await profiles.target(options);
    await serveMcp({
      target,
      profiles,
      isReadOnly: options.readOnly === true,
      allowsDestructive: options.allowDestructive === true,
      maxOutput: countOf(options.maxOutput),
    });
  });

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the help or the complaint itself.
    return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  }
  return exitCode;
}

interface McpFlags {
  readOnly?: boolean;
  allowDestructive?: boolean;
  maxOutput: string;
}

const connected = (command: Command): Command =>
  command
    .option('--server <url>', 'the platform, instead of that of the profile')
    .option('--profile <name>', 'the profile to use');

export function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new CliError(`"${text}" is not a whole number above 0.`);
  return count;
}

const write = (text: string) => process.stdout.write(text);
const isTerminal = () => process.stdout.isTTY === true;
const width = () => process.stdout.columns ?? 120;
