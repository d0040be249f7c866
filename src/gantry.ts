#!/usr/bin/env node
// The `gantry` command: runs and maintains a platform, and calls the operations of one.

const oldestNode = 24;

// An older Node cannot load the rest.
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `gantry: Node ${oldestNode} or newer is needed, this is ${process.versions.node}. ` +
      `"npm install node@${oldestNode}" in this folder adds one, which npx finds\n`,
  );
  process.exitCode = 1;
} else {
  const { addPlatformCommands } = await import('./commands/index.ts');
  const { runProgram } = await import('../cli/src/run-program.ts');
  await runProgram(addPlatformCommands);
}
