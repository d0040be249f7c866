// The reference of the platform's contract: which documents and guides it shows, and the words that people search for.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Router } from 'express';
import { createDocsRouter } from '../contract/docs.ts';
import type { Document } from '../contract/document.ts';
import type { ChangelogVersion } from '../contract/reference/changelog.ts';
import type { SearchOptions, Synonyms } from '../contract/reference/search-documents.ts';
import { generatedDirectory, publishedContractFile } from '../platform-contract/document-file.ts';
import { problems } from '../platform-contract/problems.ts';
import type { Tool } from '../contract/reference/tools.ts';
import { sampleLanguages } from '../platform-contract/samples/index.ts';

const generated = (name: string) => resolve(generatedDirectory, name);

export const createReference = (document: Document, publicUrl: () => string): Router =>
  createDocsRouter({
    document,
    problems,
    documents: [
      { path: '/api/openapi', title: 'OpenAPI 3.1', file: publishedContractFile },
      {
        path: '/api/openapi-3.0',
        title: 'OpenAPI 3.0, for generators without 3.1',
        file: generated('platform.openapi-3.0.json'),
      },
      {
        path: '/api/arazzo',
        title: 'Arazzo, the workflows of the main journeys',
        file: generated('workflows.arazzo.json'),
      },
    ],
    messages: [
      {
        path: '/api/asyncapi/agent-bus',
        title: 'AsyncAPI of the message bus between agents and the platform',
        file: generated('agent-bus.asyncapi.json'),
      },
      {
        path: '/api/asyncapi/console',
        title: 'AsyncAPI of the console socket',
        file: generated('console.asyncapi.json'),
      },
      {
        path: '/api/asyncapi/local-manager-events',
        title: 'AsyncAPI of the operations socket of the local manager',
        file: generated('local-manager-events.asyncapi.json'),
      },
    ],
    guides: {
      directory: resolve(import.meta.dirname, '../../docs'),
      first: [
        'quickstart',
        'authentication',
        'idempotency',
        'pagination',
        'errors',
        'api-policy',
        'events',
        'webhooks',
        'sandbox',
        'tools',
        'first-server',
        'team-and-keys',
        'second-host',
        'managed-instances',
        'schedules',
        'alerts',
        'plugin-configs',
        'migration',
        'webstore',
        'resellers',
      ],
      hidden: ['benchmarks', 'local-manager', 'panel', 'plugin-kinds', 'rooms'],
    },
    languages: sampleLanguages(readPublished),
    tools,
    changelog: readChangelog(),
    baseUrl: publicUrl,
    search,
    signInPath: '/auth/login',
  });

const guide = '/api/docs/guides/tools';

const tools: readonly Tool[] = [
  {
    title: 'SDKs',
    path: `${guide}#sdks`,
    note: 'Clients for TypeScript, Python, Go and PHP, with retries, pages, webhooks and events.',
  },
  {
    title: 'Command line',
    path: `${guide}#command-line`,
    note: '`gantry` calls every operation from a shell.',
  },
  {
    title: 'MCP server',
    path: `${guide}#mcp-server`,
    note: '`gantry mcp` lets agents search, describe and call operations.',
  },
  {
    title: 'Postman collection',
    path: '/api/collections/postman.json',
    note: 'Every operation with an example.',
  },
  { title: 'Bruno collection', path: '/api/collections/bruno.zip', note: 'Every operation with an example.' },
  {
    title: 'Workflows',
    path: '/api/arazzo.json',
    note: 'The main journeys in Arazzo, step by step.',
  },
];

const readPublished = () =>
  JSON.parse(readFileSync(publishedContractFile, 'utf8')) as Record<string, unknown>;

const readChangelog = () =>
  JSON.parse(readFileSync(generated('api-changelog.json'), 'utf8')) as ChangelogVersion[];

/** What people call the things of the contract. */
const synonyms: Synonyms = [
  ['server', 'game server', 'instance', 'gameserver'],
  ['host', 'machine', 'node', 'vps', 'dedicated server'],
  ['start', 'boot', 'launch', 'power on', 'turn on'],
  ['stop', 'shutdown', 'shut down', 'power off', 'turn off', 'kill'],
  ['restart', 'reboot', 'relaunch'],
  ['sign in', 'log in', 'login', 'signin', 'session'],
  ['signed in user', 'who am i', 'whoami', 'current user', 'profile', 'me'],
  ['sign out', 'log out', 'logout'],
  ['sign up', 'register', 'signup', 'create account'],
  ['second factor', 'two-factor', 'two factor', '2fa', 'mfa', 'totp', 'authenticator'],
  ['api key', 'api token', 'token', 'credential', 'apikey'],
  ['member', 'teammate', 'colleague', 'staff', 'admin', 'moderator', 'user'],
  ['invite', 'invitation', 'add user', 'add member'],
  ['role', 'permission', 'access', 'rights', 'acl'],
  ['license', 'tenant', 'account', 'organization', 'workspace'],
  ['console ticket', 'read log', 'live log', 'output'],
  ['console', 'rcon', 'terminal', 'command line'],
  ['run', 'send', 'execute', 'type'],
  ['instance metrics', 'cpu', 'memory', 'ram', 'fps', 'usage', 'performance'],
  ['plugin', 'mod', 'addon', 'oxide', 'carbon', 'umod'],
  ['wipe', 'reset map', 'force wipe', 'map reset', 'new map'],
  ['schedule', 'wipe schedule', 'cron', 'timer', 'automation', 'scheduled task', 'automatic restart'],
  ['backup', 'snapshot', 'save'],
  ['restore', 'restoration', 'roll back', 'rollback', 'recover'],
  ['duplicate', 'copy', 'clone'],
  ['delete', 'remove', 'destroy'],
  ['create', 'add', 'new', 'make'],
  ['update', 'change', 'edit', 'modify', 'rename', 'write'],
  ['list', 'get all', 'show', 'browse'],
  ['ban', 'block', 'blacklist'],
  ['unban', 'unblock', 'pardon', 'lift ban'],
  ['kick', 'disconnect player', 'boot player'],
  ['message', 'chat', 'broadcast', 'say', 'announce', 'announcement'],
  ['alert', 'alarm', 'monitoring'],
  ['notification', 'notify', 'discord', 'e-mail', 'email', 'mail', 'channel'],
  ['webhook', 'callback', 'hook'],
  ['event', 'log', 'activity'],
  ['stream', 'sse', 'server-sent events', 'live events'],
  ['refund', 'refunded', 'chargeback', 'dispute', 'order'],
  ['teleport', 'teleportation', 'nteleportation', 'tpr'],
  ['delivery', 'deliveries', 'attempt'],
  ['resend', 'retry', 'replay', 'redeliver'],
  ['store', 'shop', 'webstore', 'donation', 'tebex'],
  ['item', 'product', 'package', 'kit'],
  ['order', 'purchase', 'sale', 'checkout', 'buy'],
  ['place an order', 'checkout', 'buy', 'pay'],
  ['bill', 'invoice', 'billing', 'usage'],
  ['subscription', 'plan'],
  ['reseller', 'hosting company', 'hoster', 'partner'],
  ['provision', 'provisioned', 'order servers', 'create licenses'],
  ['suspend', 'pause', 'disable'],
  ['resume', 'unsuspend', 'reactivate', 'enable'],
  ['file', 'directory', 'folder', 'ftp', 'sftp'],
  ['upload', 'send file', 'import'],
  ['download', 'export', 'save file'],
  ['map', 'level', 'world', 'custom map'],
  ['player', 'steam', 'steamid', 'gamer'],
  ['online players', 'who is online', 'player list', 'online'],
  ['analytics', 'statistics', 'stats', 'metrics', 'figures', 'graph', 'chart'],
  ['audit', 'audit log', 'history', 'who changed'],
  ['migration', 'export configuration', 'transfer'],
  ['export all license data', 'gdpr', 'data export', 'takeout'],
  ['status page', 'public status', 'uptime'],
  ['loot', 'loot table', 'drop'],
  ['agent', 'companion', 'daemon', 'wings'],
  ['step-up', 'step up', 'confirm identity', 'sudo', 'reauthenticate'],
  ['rotate', 'regenerate', 'replace', 'renew', 'new secret'],
  ['health', 'healthcheck', 'readiness', 'ping'],
  ['get an instance', 'server status', 'is it running'],
  ['create a sandbox', 'test mode', 'test environment', 'test license'],
  ['advance the sandbox', 'time travel', 'fast forward', 'skip time'],
  ['store item', 'sell vip', 'vip', 'rank'],
  ['text file', 'server.cfg', 'cfg', 'config file'],
  ['pagination', 'cursor', 'next page', 'paging'],
  ['payment provider', 'paypal', 'stripe', 'payment method'],
];

export const search: SearchOptions = { synonyms, rareSchemes: ['superAdmin', 'companionToken'] };
