#!/usr/bin/env node
// The command line of the platform: runs one command and exits with its code.
import { exitCodeOf, linesOf } from './failures.ts';
import { ProblemError } from '../../client/src/errors.ts';
import { safe } from './output.ts';
import { run } from './program.ts';

// A reader such as `head` that has seen enough is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await run(process.argv.slice(2));
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
  if (process.env['GANTRY_DEBUG'] === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = exitCodeOf(error);
}

function wantsJson(argv: string[]): boolean {
  return argv.includes('--output=json') || argv[argv.indexOf('--output') + 1] === 'json';
}
