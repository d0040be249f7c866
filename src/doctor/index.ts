// Examines an installation, running or stopped, and says how to fix what it finds.
import type { Logger } from 'pino';
import { readConfig, type Config } from '../config/index.ts';
import { ConfigError, type Environment } from '../process/environment.ts';
import { examineBus } from './bus.ts';
import { examineDatabase } from './database.ts';
import { ok, problem, warning, type Finding } from './finding.ts';
import { examineDataDirectory, examineDisks, examineNode } from './machine.ts';

export async function examine(env: Environment, log: Logger): Promise<Finding[]> {
  const node = examineNode();
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      node,
      problem('settings', error.message, 'Correct the setting; docs/operations.md lists all of them'),
    ];
  }
  const directory = await examineDataDirectory(config);
  const findings = [node, ...examineSettings(config), directory, ...(await examineDisks(config))];
  // The other checks would start or read a database that is incomplete, or fail for the same reason.
  if (directory.level === 'problem') return findings;
  return [...findings, ...(await examineDatabase(config, log)), ...(await examineBus(config, log))];
}

function examineSettings({ host, publicUrl, environment }: Config): Finding[] {
  if (['127.0.0.1', 'localhost', '::1'].includes(host)) return [ok('settings', 'valid')];
  return [
    publicUrl === undefined
      ? warning(
          'settings',
          'HOST is reachable by others and GANTRY_PUBLIC_URL is not set',
          'Set GANTRY_PUBLIC_URL to the address that browsers and agents use',
        )
      : ok('settings', 'valid'),
    ...(environment === 'production'
      ? []
      : [
          warning(
            'environment',
            `HOST is reachable by others and NODE_ENV is ${environment}`,
            'Set NODE_ENV=production',
          ),
        ]),
  ];
}

const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

export const textOf = (findings: readonly Finding[]): string =>
  findings
    .flatMap(({ check, level, detail, fix }) => [
      `${marks[level]} ${check}: ${detail}`,
      ...(fix === undefined ? [] : [`          Fix: ${fix}`]),
    ])
    .join('\n');
