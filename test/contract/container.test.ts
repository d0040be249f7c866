// Containerfile and compose.yaml: the rules of hadolint that concern them, and what makes a container hard to misuse.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/index.ts';
import { root } from '../support/contract.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** Instructions with their arguments, lines joined. */
const instructions = read('Containerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0] ?? '', args: line.slice(line.indexOf(' ') + 1) }));

const all = (name: string) => instructions.filter((one) => one.name === name).map(({ args }) => args);

interface Service {
  image?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  environment?: Record<string, string>;
  ports?: string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

describe('Containerfile', () => {
  it('names its images by version (DL3006, DL3007) and copies with COPY (DL3020)', () => {
    for (const image of all('FROM')) expect(image).toMatch(/^\S+\/\S+:\d\S*( AS \w+)?$/);
    expect(all('ADD')).toEqual([]);
  });

  it('installs packages without questions, recommendations or lists (DL3009, DL3014, DL3015)', () => {
    const installing = all('RUN').filter((command) => command.includes('apt-get'));
    expect(installing).toHaveLength(2);
    for (const command of installing) {
      expect(command).toMatch(/^apt-get update && apt-get install --yes --no-install-recommends /);
      expect(command).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('has absolute folders (DL3000), one command (DL3012, DL4003, DL4004), each as a list (DL3025)', () => {
    for (const folder of all('WORKDIR')) expect(folder).toMatch(/^\//);
    for (const name of ['CMD', 'ENTRYPOINT', 'HEALTHCHECK']) expect(all(name)).toHaveLength(1);
    for (const name of ['CMD', 'ENTRYPOINT'])
      expect(JSON.parse(all(name)[0] ?? '')).toEqual(expect.any(Array));
    expect(all('HEALTHCHECK')[0]).toMatch(/ CMD \[".*"\]$/);
  });

  it('ends as a user other than root (DL3002), named by number so that an orchestrator can check it', () => {
    expect(all('USER')).toEqual(['10001:10001']);
    expect(instructions.findLastIndex(({ name }) => name === 'RUN')).toBeLessThan(
      instructions.findIndex(({ name }) => name === 'USER'),
    );
  });
});

describe('compose.yaml', () => {
  it('runs the platform and the bus on read-only roots, without capabilities', () => {
    for (const name of ['gantry', 'nats', 'bus-configuration'])
      expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('publishes ports on loopback only, and names images by version', () => {
    for (const { ports = [], image = '' } of Object.values(compose.services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      expect(image).toMatch(/:\d+\.\d+/);
    }
  });

  it('gives the platform valid settings', () => {
    const values = {
      GANTRY_PUBLIC_URL: 'https://panel.example.com',
      GANTRY_NATS_PUBLIC_URLS: 'tls://bus.example.com:4222',
    };
    const environment = Object.fromEntries(
      Object.entries(compose.services['gantry']?.environment ?? {}).map(([name, text]) => [
        name,
        text.replaceAll(
          /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
          (_match, variable: string, fallback?: string) =>
            fallback ?? values[variable as keyof typeof values] ?? 'a'.repeat(40),
        ),
      ]),
    );
    const config = readConfig({
      ...environment,
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      GANTRY_DATA_DIR: '/data',
    });
    expect(config.databaseUrl).toBe(`postgres://gantry:${'a'.repeat(40)}@postgres:5432/gantry`);
    expect(config.trustProxy).toBe(1);
  });
});
