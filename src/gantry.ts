// The `gantry` command: runs and maintains a platform, and calls the operations of one.
import { runProgram } from '../cli/src/run-program.ts';
import { addPlatformCommands } from './cli-commands/index.ts';

await runProgram(addPlatformCommands);
