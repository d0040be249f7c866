// Generated requests, valid and invalid: no fault of the server, no undeclared response, nothing invalid accepted.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response, Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { problemCodesOf } from '../../src/contract/operation-problems.ts';
import { problems } from '../../src/platform-contract/problems.ts';
import { formats } from '../../src/values/formats.ts';
import { isJson } from '../support/bodies.ts';
import {
  alternativesOf,
  contract,
  operations,
  pathParametersOf,
  root,
  someId,
  type Body,
  type ContractOperation,
  type Parameter,
} from '../support/contract.ts';
import { rawRequest, type RawResponse } from '../support/http.ts';
import { mapFile } from '../support/map-file.ts';
import { mutated, Random, someText } from '../support/mutations.ts';
import { createKeyWithText, createResellerOf, createRow, namesWithoutRow } from '../support/rows.ts';
import { sampleOf } from '../support/schema-samples.ts';
import { acceptsText as schemaAccepts } from '../support/schemas.ts';
import { validBodies, withRows } from '../support/valid-bodies.ts';
import { adminEmail, password as defaultPassword, World, type Tenant } from '../support/world.ts';

/** `npm run soak:requests` sends 100,000. */
const requestCount = Number(process.env['GANTRY_GENERATED_REQUESTS'] ?? 400);
const seed = Number(process.env['GANTRY_SEED'] ?? 1);
/** Where a long run writes its figures and complaints. */
const reportFile = process.env['GANTRY_REPORT'];
/** Requests with the rows and sessions of one license, which requests delete and end. */
const batchSize = 150;
/** Access tokens live for 15 minutes, and a batch takes less than ten. */
const adminRenewalMs = 300_000;
/** Licenses that send requests at the same time. */
const senderCount = 4;

/** Class of PostgreSQL's errors for violated constraints. */
const constraintViolation = /^23/;

const orderIdOf = ({ body }: Response) =>
  (body as Partial<components['schemas']['SandboxEventResult']>).order?.id;

interface Declared {
  content?: Record<string, { schema?: object }>;
}

type DeclaredOperation = Parameters<typeof problemCodesOf>[0] & {
  responses: Record<string, Declared | { $ref: string }>;
};

/** The strict form of the contract: replies have no other fields than the declared ones. */
const declared = JSON.parse(readFileSync(resolve(root, 'generated/platform.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, DeclaredOperation>>;
  components: { responses: Record<string, Declared> };
};

/** Agents of sandboxes do not have the instances of the test. */
const agentRefusal = 'The agent no longer has this instance.';

/** The faults to expect: other hosts have no agent, and a silenced one replies to nothing. */
const isExpectedFault = ({ code, detail }: { code: string; detail: string }, { hasSilentHost }: Caller) =>
  code === 'agent_offline' ||
  (code === 'agent_refused' && detail.includes(agentRefusal)) ||
  (code === 'agent_timeout' && hasSilentHost);

/** Whether the request has silenced the host of a sandbox. */
const silencesHost = ({ operation: { id } }: Generated, { status, body }: RawResponse) =>
  id === 'simulateSandboxEvent' &&
  status === 200 &&
  (body as components['schemas']['SandboxEventResult']).kind === 'silence';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
ajv.addSchema({ $id: 'contract', ...declared });

const validators = new Map<object, ValidateFunction>();

function isValid(schema: object, value: unknown): boolean {
  let validate = validators.get(schema);
  if (validate === undefined) {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
    validate = ajv.compile(JSON.parse(text) as object);
    validators.set(schema, validate);
  }
  return validate(value);
}

let world: World;
let adminRenewedAt = 0;

beforeAll(async () => {
  world = await World.create({
    sandboxes: { maxCount: 10_000 },
    jobIntervals: { chores: { 'delete expired sandboxes': 5_000 } },
  });
});

afterAll(async () => {
  await world.close();
});

/** The license of a new sandbox, and of its owner, as a tenant. */
async function createSandbox(): Promise<{ tenant: Tenant; password: string; subdomain: string }> {
  const { body } = await world.call('post', '/api/sandbox').send({}).expect(201);
  const { license_id, license_key, name, owner, subdomain } = body as components['schemas']['CreatedSandbox'];
  const { body: result } = await world.call('post', '/auth/login').send(owner).expect(200);
  const { session } = result as components['schemas']['SignInResult'];
  if (session === null) throw new Error('the owner of a sandbox has no second factor');
  const member = { email: owner.email, token: session.access_token, session };
  await world.call('post', '/auth/step-up', member).send({ password: owner.password }).expect(200);
  const { license } = await world.createTenant();
  const tenant = { license: { ...license, id: license_id, key: license_key, name }, owner: member };
  return { tenant, password: owner.password, subdomain };
}

/** Renews the session of the super admin, which long runs outlast. */
async function renewAdmin(): Promise<void> {
  if (performance.now() < adminRenewedAt + adminRenewalMs) return;
  adminRenewedAt = performance.now();
  Object.assign(world.admin, await world.signInConfirmed(adminEmail));
}

/** The credentials and the rows of one license. */
class Caller {
  readonly #tenant: Tenant;
  readonly #password: string;
  readonly #headers = new Map<string, Record<string, string>>();
  readonly #rows = new Map<string, string>();

  /** Whether a request has silenced the simulated host. */
  hasSilentHost = false;

  /** The subdomain of the license's store; undefined if it has none. */
  #subdomain: string | undefined;

  constructor(tenant: Tenant, password = defaultPassword) {
    this.#tenant = tenant;
    this.#password = password;
  }

  /** The value of a parameter that names no row. */
  nameFor({ name, example }: Parameter): unknown {
    return name === 'subdomain' ? (this.#subdomain ?? example) : example;
  }

  /** A body that the operation probably accepts; undefined if its examples are such bodies. */
  validBody(id: string, random: Random): Promise<object> | undefined {
    const rowOf = (name: string) => this.rowOf(name, random);
    return validBodies[id]?.({ world, tenant: this.#tenant, password: this.#password, rowOf });
  }

  async headersOf(scheme: string | undefined): Promise<Record<string, string>> {
    if (scheme === undefined) return {};
    const found = this.#headers.get(scheme) ?? (await this.#make(scheme));
    this.#headers.set(scheme, found);
    return found;
  }

  /** The ID of a row that a parameter names; often the row of an earlier request. */
  async rowOf(name: string, random: Random): Promise<string> {
    const known = this.#rows.get(name);
    if (known !== undefined && random.isTrue(0.8)) return known;
    const id = await this.#createRow(name);
    this.#rows.set(name, id);
    return id;
  }

  /** A row below the known ones, or below new ones if those are gone or have such a row. */
  async #createRow(name: string): Promise<string> {
    if (name === 'map_id') return this.#uploadMap();
    if (name === 'order_id' && this.#subdomain !== undefined)
      return orderIdOf(await this.#placeOrder()) ?? someId;
    try {
      return await createRow(name, world, this.#tenant, Object.fromEntries(this.#rows));
    } catch (error) {
      if (!constraintViolation.test((error as { code?: string }).code ?? '')) throw error;
      return createRow(name, world, this.#tenant, {});
    }
  }

  /** The ID of a row that an earlier request has used. */
  knownRow(name: string): string | undefined {
    return this.#rows.get(name);
  }

  /** Callers that use a sandbox begin with its host and one of its instances, which an agent simulates. */
  async useSandbox(subdomain: string): Promise<void> {
    const order = await this.#placeOrder();
    const orderId = orderIdOf(order);
    const { body: items } = await world.call('get', '/api/webstore/items', this.#tenant.owner).expect(200);
    const [item] = (items as { data: { id: string }[] }).data;
    if (orderId === undefined || item === undefined)
      throw new Error(
        `a sandbox takes orders of its items: ${order.status} ${order.text} ${JSON.stringify(items)}`,
      );
    this.#subdomain = subdomain;
    this.#rows.set('order_id', orderId);
    this.#rows.set('item_id', item.id);
    const { body: instances } = await world
      .call('get', '/api/fleet/instances', this.#tenant.owner)
      .expect(200);
    const [instance] = (instances as { data: { id: string; host_id: string }[] }).data;
    if (instance === undefined) throw new Error('the sandbox has no instances');
    this.#rows.set('instance_id', instance.id);
    this.#rows.set('host_id', instance.host_id);
  }

  /** The ID of a new order of the sandbox; undefined if an earlier request has closed its store, or its session. */
  #placeOrder(): Test {
    return world
      .call('post', '/api/sandbox/events', this.#tenant.owner)
      .send({ kind: 'order', payment: 'none' });
  }

  /** An earlier request may have ended the session, or filled the storage. */
  async #uploadMap(): Promise<string> {
    const { body } = await world
      .call('post', '/api/maps', this.#tenant.owner)
      .field('name', `Map ${randomUUID()}`)
      .attach('file', mapFile(), 'a.map');
    return (body as { id?: string }).id ?? someId;
  }

  async #make(scheme: string): Promise<Record<string, string>> {
    const { license, owner } = this.#tenant;
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    switch (scheme) {
      case 'bearerAuth':
        return bearer(owner.token);
      case 'superAdmin':
        return bearer(world.admin.token);
      case 'apiKey':
        return { 'x-api-key': (await createKeyWithText(world, this.#tenant)).key };
      case 'companionToken':
        return bearer(license.companion_token);
      case 'hostKey':
        return bearer((await createResellerOf(world, this.#tenant)).key);
      case 'licenseKey':
        return { 'x-license-key': license.key };
      default:
        throw new Error(`add credentials for ${scheme} to this test`);
    }
  }
}

interface Generated {
  operation: ContractOperation;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Why no server may accept it; empty if it is valid. */
  faults: string[];
}

const accepts = new Map<Parameter, (text: string) => boolean>();

function acceptsText(parameter: Parameter, text: string): boolean {
  const check = accepts.get(parameter) ?? schemaAccepts(parameter.schema, contract.components.schemas);
  accepts.set(parameter, check);
  return check(text);
}

interface Source {
  random: Random;
  caller: Caller;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value of the contract's, a value of its schema, or a text that is probably neither. */
function textFor({ schema, example }: Parameter, random: Random): string {
  const kind = random.next();
  if (kind < 0.4) return textOf(example ?? someText(random));
  if (kind > 0.8) return someText(random).toWellFormed();
  return textOf(sampleOf(schema, { schemas: contract.components.schemas, random, idFor: () => someId }));
}

async function generate(operation: ContractOperation, source: Source): Promise<Generated> {
  const { random, caller } = source;
  const faults: string[] = [];
  const check = (parameter: Parameter, value: string) => {
    if (!acceptsText(parameter, value)) faults.push(`${parameter.in} ${parameter.name}`);
    return value;
  };
  let path = operation.path;
  for (const parameter of pathParametersOf(operation)) {
    const { name } = parameter;
    const usual = namesWithoutRow.has(name) ? caller.nameFor(parameter) : await caller.rowOf(name, random);
    const value = random.isTrue(0.1) ? textFor(parameter, random) || 'x' : textOf(usual ?? 'x');
    path = path.replace(`{${name}}`, encodeURIComponent(check(parameter, value)));
  }
  const query = new URLSearchParams();
  const alternatives = alternativesOf(operation);
  const scheme = alternatives.length === 0 ? undefined : random.pick(alternatives).scheme;
  const headers = { ...(await caller.headersOf(scheme)) };
  for (const parameter of operation.parameters) {
    const { name, in: place, required } = parameter;
    // Cookies are sent by browsers alone.
    if (place === 'path' || place === 'cookie' || (required !== true && !random.isTrue(0.2))) continue;
    if (place === 'query') query.set(name, check(parameter, textFor(parameter, random)));
    // Other characters are not sent by HTTP at all.
    else
      headers[name.toLowerCase()] = check(
        parameter,
        textFor(parameter, random)
          .replace(/[^ -~]/g, '')
          .trim(),
      );
  }
  if (random.isTrue(0.02)) {
    query.set('unknown_parameter', '1');
    faults.push('an unknown parameter');
  }
  const body = await bodyOf(operation, source, { headers, faults });
  const search = query.toString();
  return { operation, path: search === '' ? path : `${path}?${search}`, headers, body, faults };
}

async function bodyOf(
  { id, body }: ContractOperation,
  source: Source,
  { headers, faults }: Pick<Generated, 'headers' | 'faults'>,
): Promise<Generated['body']> {
  const { random } = source;
  if (body === undefined) return undefined;
  if (random.isTrue(0.02)) {
    if (body.required) faults.push('no body');
    return undefined;
  }
  const media = random.pick(body.types);
  headers['content-type'] = media.type;
  if (media.type === 'multipart/form-data') return partsOf(media, source, headers);
  if (!isJson(media.type)) return Buffer.from(someText(random));
  const value = await valueOf(id, media, source);
  const text = JSON.stringify(value);
  if (random.isTrue(0.02)) {
    faults.push('malformed JSON');
    // A number without its last digit would be valid, or leave an empty body.
    return `${text.slice(0, -1)},`;
  }
  // The signature of a payment provider covers bytes, which the test cannot sign.
  if (!isValid(media.schema, JSON.parse(text))) faults.push('the body');
  return text;
}

async function valueOf(id: string, { schema, examples }: Body, { random, caller }: Source): Promise<unknown> {
  const kind = random.next();
  const rowOf = (name: string) => caller.rowOf(name, random);
  const known = random.isTrue(0.3) ? await caller.validBody(id, random) : undefined;
  if (known !== undefined) return known;
  const example = await withRows(examples.length === 0 ? {} : random.pick(examples), rowOf);
  if (kind < 0.25) return example;
  if (kind < 0.6) return mutated(example, random);
  const sample = sampleOf(schema, {
    schemas: contract.components.schemas,
    random,
    idFor: (field) => caller.knownRow(field) ?? someId,
  });
  return random.isTrue(0.3) ? mutated(sample, random) : sample;
}

async function partsOf(
  { examples: [example] }: Body,
  { random }: Source,
  headers: Record<string, string>,
): Promise<Buffer> {
  const form = new FormData();
  for (const [name, value] of Object.entries((example ?? {}) as Record<string, unknown>)) {
    const isMap = name === 'file' && random.isTrue(0.5);
    if (isMap) form.append(name, new Blob([new Uint8Array(mapFile())]), 'a.map');
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const encoded = new Response(form);
  headers['content-type'] = encoded.headers.get('content-type') ?? '';
  return Buffer.from(await encoded.arrayBuffer());
}

/** What the response does wrong; undefined if nothing. */
function complaintOf(
  { operation, faults }: Generated,
  response: RawResponse,
  caller: Caller,
): string | undefined {
  const { status, headers, body } = response;
  const { path, method } = operation;
  const entry = declared.paths[path]?.[method];
  const found = entry?.responses[String(status)];
  if (entry === undefined || found === undefined) return 'an undeclared status';
  if (status < 300 && faults.length > 0) return `accepted, although invalid: ${faults.join(', ')}`;
  const reply = '$ref' in found ? declared.components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
  const type = headers['content-type']?.split(';')[0] ?? '';
  const media = reply?.content?.[type];
  if (type === '') return reply?.content === undefined ? undefined : 'a missing body';
  if (media === undefined) return `the media type ${type}`;
  if (isJson(type) && media.schema !== undefined && !isValid(media.schema, body))
    return 'a body off the contract';
  if (status < 400) return undefined;
  const problem = body as { code: string; detail: string };
  const { code } = problem;
  if (!problemCodesOf(entry, problems.kinds).includes(code)) return `the undeclared problem ${code}`;
  if (status >= 500 && !isExpectedFault(problem, caller)) return `the fault ${code}`;
  return undefined;
}

class Tally {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get entries(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}

it(
  `${requestCount} generated requests, with the seed ${seed}`,
  async () => {
    const complaints: object[] = [];
    const outcomes = new Tally();
    const requested = new Set<string>();
    const accepted = new Set<string>();
    const order = new Random(seed);
    const shuffled = operations
      .map((operation) => ({ operation, key: order.next() }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ operation }) => operation);
    let acceptedCount = 0;
    let invalidCount = 0;
    let sent = 0;

    /** Returns false if the caller may have lost its credentials or its license. */
    async function send(random: Random, caller: Caller): Promise<boolean> {
      const operation = shuffled[sent++ % shuffled.length] as ContractOperation;
      requested.add(operation.id);
      const request = await generate(operation, { random, caller });
      const { path, body, headers, faults } = request;
      const response = await rawRequest(world.url, path, {
        method: operation.method.toUpperCase(),
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        ...(body !== undefined && { body }),
      });
      const { status } = response;
      const { code } = (response.body ?? {}) as { code?: string };
      outcomes.add(status < 400 ? String(status) : `${status} ${code ?? ''}`);
      if (faults.length > 0) invalidCount += 1;
      if (status < 300) {
        acceptedCount += 1;
        accepted.add(operation.id);
      }
      if (silencesHost(request, response)) caller.hasSilentHost = true;
      const complaint = complaintOf(request, response, caller);
      if (complaint !== undefined) {
        const sentBody = body?.toString().slice(0, 2_000);
        complaints.push({
          complaint,
          id: operation.id,
          path,
          headers,
          body: sentBody,
          status,
          text: response.text,
        });
      }
      return (
        status !== 401 && code !== 'license_revoked' && !(status === 204 && operation.id === 'deleteSandbox')
      );
    }

    /** A long run that is broken off leaves the figures of its finished batches. */
    function report(): void {
      if (reportFile === undefined) return;
      const never = operations.map(({ id }) => id).filter((id) => !accepted.has(id));
      const figures = {
        seed,
        sent,
        invalidCount,
        acceptedCount,
        outcomes: outcomes.entries,
        never,
        complaints,
      };
      writeFileSync(reportFile, `${JSON.stringify(figures, null, 1)}\n`);
    }

    async function sendBatches(random: Random): Promise<void> {
      while (sent < requestCount) {
        await renewAdmin();
        const isSandbox = random.isTrue(0.3);
        const sandbox = isSandbox ? await createSandbox() : undefined;
        const tenant = sandbox?.tenant ?? (await world.createTenant());
        const caller = new Caller(tenant, sandbox?.password);
        if (sandbox !== undefined) await caller.useSandbox(sandbox.subdomain);
        for (let count = 0; count < batchSize && sent < requestCount; count += 1)
          if (!(await send(random, caller))) break;
        report();
        // A simulation would continue beside the next callers.
        if (isSandbox)
          await world.database.query(`update sandbox set expires_at = now() where license_id = $1`, [
            tenant.license.id,
          ]);
      }
    }

    await Promise.all(
      Array.from({ length: senderCount }, (_, index) => sendBatches(new Random(seed + index))),
    );
    report();
    expect(complaints.slice(0, 20)).toEqual([]);
    expect(requested.size).toBe(Math.min(requestCount, operations.length));
    // Requests that are all refused, or all valid, would prove nothing.
    expect(acceptedCount).toBeGreaterThan(requestCount / 10);
    expect(invalidCount).toBeGreaterThan(requestCount / 10);
  },
  600_000 + requestCount * 1_000,
);
