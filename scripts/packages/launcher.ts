// The command of a package: refuses an older Node before it loads the program.

export const oldestNode = 24;

export const launcherPath = (command: string): string => `bin/${command}.js`;

/** An older Node cannot load the modules, and would report that with a stack. */
export const launcherText = (command: string, module: string): string => `#!/usr/bin/env node
if (Number.parseInt(process.versions.node, 10) < ${oldestNode}) {
  process.stderr.write(
    \`${command}: Node ${oldestNode} or newer is needed, this is \${process.versions.node}. \` +
      '"npm install node@${oldestNode}" in this folder adds one, which npx finds\\n',
  );
  process.exitCode = 1;
} else await import('../${module}');
`;
