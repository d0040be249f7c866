// Runs one command of the process's arguments, and reports its failure as lines and an exit code.
import { exitCodeOf, linesOf } from './failures.ts';
import { ProblemError } from '../../client/src/errors.ts';
import { safe } from './output.ts';
import { run } from './program.ts';
import type { Command } from 'commander';

/** `addCommands` adds those of a program that contains this one. */
export async function runProgram(addCommands?: (program: Command) => void): Promise<void> {
  // A reader such as `head` that has seen enough is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });

  try {
    // A command of `addCommands` may have set another code.
    process.exitCode = (await run(process.argv.slice(2), addCommands)) || process.exitCode;
  } catch (error) {
    // Programs that read JSON get the problem itself.
    if (error instanceof ProblemError && !process.stderr.isTTY && wantsJson(process.argv))
      process.stderr.write(`${safe(JSON.stringify(error.problem), true)}\n`);
    else
      process.stderr.write(
        `error: ${linesOf(error)
          .map((line) => safe(line, false))
          .join('\n')}\n`,
      );
    if (process.env['GANTRY_DEBUG'] === '1' && error instanceof Error)
      process.stderr.write(`${error.stack}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

function wantsJson(argv: string[]): boolean {
  return argv.includes('--output=json') || argv[argv.indexOf('--output') + 1] === 'json';
}
