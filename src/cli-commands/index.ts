// The commands that run and maintain a platform. Each loads its code only when it is run.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Command } from '../../cli/src/program.ts';
import { pino } from 'pino';
import { readConfig, type Config } from '../config/index.ts';
import { ConfigError, integer } from '../process/environment.ts';

const settings = '\nSettings are environment variables; docs/operations.md lists them.';

export function addPlatformCommands(program: Command): void {
  program.description('Runs a Gantry platform, and calls every operation of one.');
  program
    .command('start')
    .description(
      'Start the platform, with an embedded PostgreSQL and nats-server unless settings name others',
    )
    .addHelpText('after', settings)
    .action(async () => void (await import('../main.ts')));
  program
    .command('migrate')
    .description('Bring the database up to date, as a start does')
    .addHelpText('after', settings)
    .action(() =>
      reporting(async () => {
        const { migrateDatabase } = await import('./migrate.ts');
        write(await migrateDatabase(readConfig(process.env), log()));
      }),
    );
  program
    .command('doctor')
    .description(
      'Check settings, versions, clocks, disks, bus, migrations, storage and secrets; print a fix for each finding',
    )
    .option('--json', 'print findings as JSON')
    .addHelpText('after', '\nExit codes: 0 no problem, 1 at least one problem.')
    .action((options: { json?: boolean }) =>
      reporting(async () => {
        const { examine, textOf } = await import('../doctor/index.ts');
        const findings = await examine(process.env, log());
        write(options.json === true ? JSON.stringify(findings, null, 2) : textOf(findings));
        if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
      }),
    );
  program
    .command('backup <file>')
    .description('Write the database, keys, mail and stored files into one file, while the platform runs')
    .addHelpText('after', `${settings}\nThe file contains secrets: only its owner can read it.`)
    .action((file: string) =>
      reporting(async () => {
        const { createBackup } = await import('../platform-backup/create-backup.ts');
        const { tables, rows, files } = await createBackup(readConfig(process.env), file, log());
        write(`${file}: ${rows} rows of ${tables} tables, ${files} files`);
      }),
    );
  program
    .command('restore <file>')
    .description('Restore a backup into an empty data directory and, with DATABASE_URL, an empty database')
    .addHelpText('after', settings)
    .action((file: string) =>
      reporting(async () => {
        const { restoreBackup } = await import('../platform-backup/restore-backup.ts');
        const config = readConfig(process.env);
        const { created_at: createdAt, program: version } = await restoreBackup(config, file, log());
        write(`Restored the backup of ${createdAt} (gantry ${version}) into ${config.dataDir}`);
      }),
    );
  program
    .command('adopt-storage')
    .description('Use the configured storage of files instead of the one that processes used before')
    .addHelpText('after', settings)
    .action(() =>
      reporting(async () => {
        const { adoptStorage } = await import('./adopt-storage.ts');
        write(await adoptStorage(readConfig(process.env), log()));
      }),
    );
  program
    .command('query-archive <license> [sql]')
    .description('Run SQL on the archived months of a license; without SQL, list the months')
    .option('--from <month>', 'the first month, such as 2026-01')
    .option('--to <month>', 'the last month')
    .option('--json', 'print a JSON object for each row instead of CSV')
    .option('--memory <megabytes>', 'memory of the query; beyond it, the cache directory is used', '1024')
    .addHelpText(
      'after',
      `${settings}\nSQL "-" is read from the input. docs/archive.md describes the tables.`,
    )
    .action((licenseId: string, sql: string | undefined, options: QueryOptions) =>
      reporting(async () => {
        const { printFromArchive } = await import('./query-archive.ts');
        await printFromArchive(
          readConfig(process.env),
          {
            ...options,
            licenseId,
            sql: sql === '-' ? await text(process.stdin) : sql,
            format: options.json === true ? 'json' : 'csv',
            memoryMb: integer({ '--memory': options.memory }, '--memory', 64, 1_048_576, 1_024),
          },
          { write: writeLine, log: log() },
        );
      }),
    );
  program
    .command('nats-config [resolver]')
    .description('Print what your own nats-server needs to trust the keys of this platform')
    .action((resolver: string | undefined) =>
      reporting(async () => {
        const { natsConfiguration } = await import('./nats-config.ts');
        process.stdout.write(await natsConfiguration(withoutDatabase(), resolver));
      }),
    );
  program
    .command('nats-leaf <directory> <url...>')
    .description(
      'Write what the nats-server of another region needs to be a leaf node of the bus at these addresses',
    )
    .option('--place <path>', "where the files will be on the server's machine", '/etc/nats')
    .addHelpText('after', '\nThe files ending in .creds are secrets.')
    .action((directory: string, urls: string[], { place }: { place: string }) =>
      reporting(async () => {
        const { writeLeaf } = await import('./nats-leaf.ts');
        for (const file of await writeLeaf(withoutDatabase(), { directory, urls, place })) write(file);
      }),
    );
}

/** The keys of the bus need no database, and so none of the settings that go with one. */
const withoutDatabase = (): Config => readConfig({ ...process.env, DATABASE_URL: '' });

const log = () =>
  pino({ level: process.env['LOG_LEVEL'] ?? 'warn' }, pino.destination({ fd: 2, sync: true }));

interface QueryOptions {
  from?: string;
  to?: string;
  json?: boolean;
  memory: string;
}

/** Waits for a reader that is slower than the query. */
async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

const write = (line: string) => void process.stdout.write(`${line}\n`);

/** An invalid setting or an unusable file is one line; every other error is a defect and keeps its stack. */
async function reporting(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!Error.isError(error)) throw error;
    const isPlain = error instanceof ConfigError || 'code' in error;
    process.stderr.write(`gantry: ${isPlain ? error.message : (error.stack ?? error.message)}\n`);
    process.exitCode = 1;
  }
}
