// `gantry profile`, `sign-in`, `step-up` and `sign-out`: which server, and as whom.
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { Caller } from './caller.ts';
import { loadContract } from './contract-cache.ts';
import type { Contract, Operation } from './contract.ts';
import { CliError } from './failures.ts';
import { Prompts } from './prompts.ts';
import { serverAddress, type Profile, type Profiles } from './profiles.ts';
import { emptyArguments } from './request.ts';

interface SetOptions {
  server?: string;
  apiKey?: boolean;
  apiKeyCommand?: string;
}

export function addProfileCommands(program: Command, profiles: Profiles): void {
  const profile = program.command('profile').description('Keep servers and keys under names.');
  profile
    .command('set <name>')
    .description('Create or change a profile')
    .option('--server <url>', 'the platform')
    .option('--api-key', 'ask for an API key, or read it from standard input; it is never an argument')
    .option('--api-key-command <command>', 'a command that prints the key, for example of a password manager')
    .action(async (name: string, options: SetOptions) => {
      const key = options.apiKey === true ? await new Prompts().secret('API key') : undefined;
      await profiles.change((stored) => {
        const former: Partial<Profile> = stored.profiles[name] ?? {};
        const server = options.server === undefined ? former.server : serverAddress(options.server);
        if (server === undefined) throw new CliError('A new profile needs --server.');
        // The former key and session belong to the former server.
        const kept: Partial<Profile> = server === former.server ? former : {};
        const { api_key: _key, api_key_command: _command, ...others } = kept;
        stored.profiles[name] = {
          ...(key === undefined && options.apiKeyCommand === undefined ? kept : others),
          server,
          ...(key === undefined ? {} : { api_key: key }),
          ...(options.apiKeyCommand === undefined ? {} : { api_key_command: wordsOf(options.apiKeyCommand) }),
        };
        stored.current ??= name;
      });
      const { server } = (await profiles.read()).profiles[name] ?? { server: '' };
      if (isOpen(server))
        say(`Warning: ${server} is not encrypted; anyone on the network path can read the key.`);
    });
  profile
    .command('list')
    .description('List profiles')
    .action(async () => {
      const { current, profiles: all } = await profiles.read();
      for (const [name, each] of Object.entries(all))
        process.stdout.write(`${name === current ? '*' : ' '} ${name}\t${each.server}\t${kindOf(each)}\n`);
    });
  profile
    .command('show [name]')
    .description('Show a profile without its secrets')
    .action(async (name?: string) => {
      const { current, profiles: all } = await profiles.read();
      const each = all[name ?? current ?? ''];
      if (each === undefined) throw new CliError(`There is no profile "${name ?? current ?? ''}".`);
      process.stdout.write(
        `${name ?? current}\nserver       ${each.server}\ncredentials  ${kindOf(each)}\nfile         ${profiles.file}\n`,
      );
    });
  profile
    .command('use <name>')
    .description('Make a profile the current one')
    .action((name: string) =>
      profiles.change((stored) => {
        if (stored.profiles[name] === undefined) throw new CliError(`There is no profile "${name}".`);
        stored.current = name;
      }),
    );
  profile
    .command('remove <name>')
    .description('Delete a profile and its key from this machine')
    .action((name: string) =>
      profiles.change((stored) => {
        if (stored.profiles[name] === undefined) throw new CliError(`There is no profile "${name}".`);
        delete stored.profiles[name];
        if (stored.current === name) delete stored.current;
      }),
    );
  addSessionCommands(program, profiles);
}

function addSessionCommands(program: Command, profiles: Profiles): void {
  program
    .command('sign-in')
    .description('Sign in as a user; the session is kept in the profile')
    .requiredOption('--email <address>', 'who signs in')
    .option('--license <id>', 'the license to work in')
    .option('--profile <name>', 'the profile')
    .action(async ({ email, license, profile }: { email: string; license?: string; profile?: string }) => {
      const prompts = new Prompts();
      const { caller, name } = await signedOut(profiles, profile);
      const password = await prompts.secret('Password');
      const reply = (await callAt(caller, 'POST', '/auth/login', {
        email,
        password,
        ...(license === undefined ? {} : { license_id: license }),
      })) as SignIn;
      const { session } =
        reply.challenge === null
          ? reply
          : ((await callAt(caller, 'POST', '/auth/login/totp', {
              challenge_token: reply.challenge.token,
              code: await prompts.secret('Code of the second factor'),
            })) as SignIn);
      if (session === null) throw new CliError('The platform did not begin a session.');
      await profiles.change(({ profiles: all }) => {
        const own = all[name];
        if (own === undefined) return;
        delete own.api_key;
        delete own.api_key_command;
        own.session = {
          access_token: session.access_token,
          refresh_token: session.refresh_token,
          expires_at: Date.now() + session.expires_in * 1000,
        };
      });
      say(`Signed in as ${email} on ${hostname()}.`);
    });
  program
    .command('step-up')
    .description('Confirm your identity for sensitive changes of the next 10 minutes')
    .option('--code', 'with a code of the second factor instead of the password')
    .option('--profile <name>', 'the profile')
    .action(async ({ code, profile }: { code?: boolean; profile?: string }) => {
      const target = await profiles.target(profile === undefined ? {} : { profile });
      if (target.credentials.kind !== 'session')
        throw new CliError('Only sessions step up; API keys need not.');
      const caller = new Caller({ contract: await loadContract(target), target, profiles });
      const prompts = new Prompts();
      const proof =
        code === true
          ? { code: await prompts.secret('Code') }
          : { password: await prompts.secret('Password') };
      await callAt(caller, 'POST', '/auth/step-up', proof);
    });
  program
    .command('sign-out')
    .description('End the session, and forget it')
    .option('--profile <name>', 'the profile')
    .action(async ({ profile }: { profile?: string }) => {
      const target = await profiles.target(profile === undefined ? {} : { profile });
      const { credentials } = target;
      if (credentials.kind !== 'session') throw new CliError('This profile is not signed in.');
      const caller = new Caller({ contract: await loadContract(target), target, profiles });
      await callAt(caller, 'POST', '/auth/logout', { refresh_token: credentials.tokens.refresh_token });
      await profiles.change(({ profiles: all }) => delete all[credentials.profile]?.session);
    });
}

interface SignIn {
  session: { access_token: string; refresh_token: string; expires_in: number } | null;
  challenge: { token: string } | null;
}

async function signedOut(
  profiles: Profiles,
  chosen: string | undefined,
): Promise<{ caller: Caller; name: string }> {
  const target = await profiles.target(chosen === undefined ? {} : { profile: chosen });
  if (target.profile === undefined)
    throw new CliError('Signing in needs a profile: `gantry profile set default --server https://…`.');
  const contract = await loadContract(target);
  const anonymous = { ...target, credentials: { kind: 'none' } as const };
  return { caller: new Caller({ contract, target: anonymous, profiles }), name: target.profile };
}

async function callAt(caller: Caller, method: string, path: string, body: unknown): Promise<unknown> {
  const { value } = await caller.call(operationAt(caller.contract, method, path), {
    ...emptyArguments(),
    body,
  });
  return value;
}

function operationAt({ operations }: Contract, method: string, path: string): Operation {
  const found = [...operations.values()].find((each) => each.method === method && each.path === path);
  if (found === undefined) throw new CliError(`The platform does not have ${method} ${path}.`);
  return found;
}

/** Words of a command, with quotes around those that have spaces. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function kindOf({ api_key, api_key_command: command, session }: Profile): string {
  if (api_key !== undefined) return 'API key';
  if (command !== undefined) return `API key from ${command[0]}`;
  return session === undefined ? 'none' : 'signed in';
}

const isOpen = (server: string): boolean =>
  server.startsWith('http://') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(server);

const say = (text: string) => process.stderr.write(`${text}\n`);
