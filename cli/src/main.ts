#!/usr/bin/env node
// The command line of the platform's API: runs one command and exits with its code.
import { runProgram } from './run-program.ts';

await runProgram();
