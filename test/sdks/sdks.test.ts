// The SDKs of other languages, generated now from the contract: their READMEs against a running platform, and their
// hand-written halves against a server that loses, refuses and cuts. Languages that are not installed are left out.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sdkFiles } from '../../scripts/sdks/generate.ts';
import { signedHeaders } from '../../src/services/webhooks/signature.ts';
import { contract, operations, root } from '../support/contract.ts';
import { isInstalled, itWhere } from '../support/it-where.ts';
import { follow, typesOf } from '../support/schemas.ts';
import { createInstance, createKeyWithText } from '../support/rows.ts';
import { World } from '../support/world.ts';

interface Language {
  name: string;
  folder: string;
  probe: [string, ...string[]];
  readme: string;
  /** The fence of the README's quickstart. */
  fence: string;
  /** Where a program of the test lies, below the copy of `sdks/`. */
  program: string;
  run: [string, ...string[]];
  /** A program that makes the calls of `script` and prints one JSON line for each. */
  checks: string;
  /** A program that prints how many licenses a hosting company has. */
  resellerCall: string;
  /** A program that prints which of `NAMES` the package lacks. */
  missingNames: string;
  /** A program that prints the types of the first two events of two types, from the stream and from the list. */
  filtered: string;
}

const languages: Language[] = [
  {
    name: 'TypeScript',
    folder: 'typescript',
    readme: 'client/README.md',
    probe: [process.execPath, '--version'],
    fence: 'ts',
    program: 'typescript/main.ts',
    run: [process.execPath, 'main.ts'],
    resellerCall: `
import { createClient } from '@gantry/client';
const host = createClient({ baseUrl: process.env['GANTRY_URL'] ?? '', apiKey: process.env['HOST_KEY'] ?? '' });
console.log((await host.GET('/api/host/licenses')).data.data.length);
`,
    missingNames: `
import * as gantry from '@gantry/client';
const isKnown = (name) => name in gantry || name in globalThis;
console.log(JSON.stringify(JSON.parse(process.env['NAMES'] ?? '').filter((name) => !isKnown(name))));
`,
    filtered: `
import { createClient } from '@gantry/client';
const { GANTRY_URL: baseUrl = '', GANTRY_API_KEY: apiKey = '', CURSOR: cursor = '' } = process.env;
const client = createClient({ baseUrl, apiKey });
const seen = [];
for await (const { type } of client.events({ cursor, query: { type: ['cluster.created', 'cluster.deleted'] } })) {
  seen.push(type);
  if (seen.length === 2) break;
}
const query = { type: 'cluster.created,cluster.deleted', order: 'asc', after: cursor };
const { data } = await client.GET('/api/events', { params: { query } });
console.log(JSON.stringify([seen, data.data.map(({ type }) => type)]));
`,
    checks: `
import { createClient, EventCursorExpired, HttpError, InvalidSignature, ProblemError, verifyWebhook } from '@gantry/client';

const show = (value) => console.log(JSON.stringify(value));
const baseUrl = process.env['GANTRY_URL'] ?? '';
const client = createClient({ baseUrl, apiKey: 'key', retry: { firstWaitMs: 1 } });
const at = (cluster_id) => ({ params: { path: { cluster_id } } });
for (const name of ['lost', 'refused'])
  show((await client.POST('/api/fleet/clusters', { body: { name } })).data.name);
await client.DELETE('/api/fleet/clusters/{cluster_id}', at('lost'));
show('deleted');
await client.PATCH('/api/fleet/clusters/{cluster_id}', { ...at('broken'), body: { name: 'x' } }).catch((error) => {
  if (error instanceof TypeError) show('not repeated');
});
const get = (id) => client.GET('/api/fleet/clusters/{cluster_id}', at(id));
await get('missing').catch((error) => {
  if (error instanceof ProblemError) show([error.problem.code, error.problem.status]);
});
await get('proxy').catch((error) => {
  if (error instanceof HttpError) show(error.status);
});
await get('..').catch(() => show('refused path'));
const names = [];
for await (const { name } of client.each('/api/fleet/clusters')) names.push(name);
show(names);
const valid = [];
for (const { headers, body, secret, now } of JSON.parse(process.env['CASES'] ?? '[]'))
  valid.push(
    await verifyWebhook({ headers, body, secret, now: now * 1000 }).then(
      () => true,
      (error) => !(error instanceof InvalidSignature),
    ),
  );
show(valid);
const signedIn = createClient({ baseUrl });
await signedIn.session.start({ access_token: 'old', refresh_token: 'r1', expires_in: 900 });
show((await signedIn.GET('/api/fleet/clusters/{cluster_id}', at('renewed'))).data.name);
const seen = [];
for await (const { type, cursor, event } of client.events({ cursor: 'c0', query: { type: ['order.*'] } })) {
  seen.push([type, cursor, event.n]);
  if (seen.length === 3) break;
}
show(seen);
await client.events({ cursor: 'old' }).next().catch((error) => {
  if (error instanceof EventCursorExpired) show('expired');
});
`,
  },
  {
    name: 'Python',
    folder: 'python',
    readme: 'sdks/python/README.md',
    resellerCall: `
import os, gantry
host = gantry.Client(os.environ["GANTRY_URL"], os.environ["HOST_KEY"])
print(len(host.list_provisioned_licenses()["data"]))
`,
    missingNames: `
import json, os, typing
import gantry
names = json.loads(os.environ["NAMES"])
print(json.dumps([name for name in names if not hasattr(gantry, name) and not hasattr(typing, name)]))
`,
    filtered: `
import json, os, gantry
client = gantry.Client(os.environ["GANTRY_URL"], os.environ["GANTRY_API_KEY"])
cursor = os.environ["CURSOR"]
seen = []
for event in client.events(cursor, type=["cluster.created", "cluster.deleted"]):
    seen.append(event.type)
    if len(seen) == 2: break
page = client.list_events(type_="cluster.created,cluster.deleted", order="asc", after=cursor)
print(json.dumps([seen, [event["type"] for event in page["data"]]]))
`,
    probe: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'],
    fence: 'python',
    program: 'python/main.py',
    run: ['python3', 'main.py'],
    checks: `
import json, os
import gantry

def show(value): print(json.dumps(value), flush=True)

client = gantry.Client(os.environ["GANTRY_URL"], "key", retries=gantry.Retries(first_wait=0.001))
show(client.create_cluster({"name": "lost"})["name"])
show(client.create_cluster({"name": "refused"})["name"])
client.delete_cluster("lost")
show("deleted")
try: client.update_cluster("broken", {"name": "x"})
except gantry.ConnectionFailed: show("not repeated")
try: client.get_cluster("missing")
except gantry.ProblemError as error: show([error.code, error.problem["status"]])
try: client.get_cluster("proxy")
except gantry.HttpError as error: show(error.status)
try: client.get_cluster("..")
except ValueError: show("refused path")
show([each["name"] for each in gantry.each(client.list_clusters)])

def check(case):
    try:
        gantry.verify_webhook(case["headers"], case["body"].encode(), case["secret"], now=case["now"])
        return True
    except gantry.InvalidSignature:
        return False
show([check(case) for case in json.loads(os.environ["CASES"])])

signed_in = gantry.Client(os.environ["GANTRY_URL"])
signed_in.session.start({"access_token": "old", "refresh_token": "r1", "expires_in": 900})
show(signed_in.get_cluster("renewed")["name"])

seen = []
for event in client.events("c0", type=["order.*"]):
    seen.append([event.type, event.cursor, event.data["n"]])
    if len(seen) == 3: break
show(seen)
try: next(iter(client.events("old")))
except gantry.EventCursorExpired: show("expired")
`,
  },
  {
    name: 'PHP',
    folder: 'php',
    readme: 'sdks/php/README.md',
    resellerCall: `<?php
require __DIR__ . '/autoload.php';
$host = new Gantry\\Client(getenv('GANTRY_URL'), getenv('HOST_KEY'));
echo count($host->listProvisionedLicenses()['data']), "\\n";
`,
    missingNames: `<?php
require 'autoload.php';
$names = json_decode(getenv('NAMES'));
echo json_encode(array_values(array_filter($names, fn ($name) => !class_exists("Gantry\\\\$name"))));
`,
    filtered: `<?php
require __DIR__ . '/autoload.php';
$client = new Gantry\\Client(getenv('GANTRY_URL'), getenv('GANTRY_API_KEY'));
$cursor = getenv('CURSOR');
$seen = [];
foreach ($client->events($cursor, ['type' => ['cluster.created', 'cluster.deleted']]) as $event) {
    $seen[] = $event->type;
    if (count($seen) === 2) break;
}
$page = $client->listEvents(type: 'cluster.created,cluster.deleted', order: 'asc', after: $cursor);
echo json_encode([$seen, array_column($page['data'], 'type')]), "\\n";
`,
    probe: ['php', '-r', 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'],
    fence: 'php',
    program: 'php/main.php',
    run: ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=1', 'main.php'],
    checks: `<?php
require __DIR__ . '/autoload.php';

function show(mixed $value): void { echo json_encode($value), "\\n"; }

$retries = new Gantry\\Retries(firstWait: 0.001);
$client = new Gantry\\Client(getenv('GANTRY_URL'), 'key', retries: $retries);
foreach (['lost', 'refused'] as $name) show($client->createCluster(['name' => $name])['name']);
$client->deleteCluster('lost');
show('deleted');
try { $client->updateCluster('broken', ['name' => 'x']); } catch (Gantry\\ConnectionFailed) { show('not repeated'); }
try { $client->getCluster('missing'); } catch (Gantry\\ProblemError $error) { show([$error->problemCode, $error->status]); }
try { $client->getCluster('proxy'); } catch (Gantry\\HttpError $error) { show($error->status); }
try { $client->getCluster('..'); } catch (InvalidArgumentException) { show('refused path'); }
show(array_map(fn ($each) => $each['name'], iterator_to_array($client->each($client->listClusters(...)), false)));

show(array_map(function (array $case): bool {
    try {
        Gantry\\Webhooks::verify($case['headers'], $case['body'], $case['secret'], $case['now']);
        return true;
    } catch (Gantry\\InvalidSignature) {
        return false;
    }
}, json_decode(getenv('CASES'), true)));

$signedIn = new Gantry\\Client(getenv('GANTRY_URL'));
$signedIn->session->start(['access_token' => 'old', 'refresh_token' => 'r1', 'expires_in' => 900]);
show($signedIn->getCluster('renewed')['name']);

$seen = [];
foreach ($client->events('c0', ['type' => ['order.*']]) as $event) {
    $seen[] = [$event->type, $event->cursor, $event->data['n']];
    if (count($seen) === 3) break;
}
show($seen);
try { $client->events('old')->current(); } catch (Gantry\\EventCursorExpired) { show('expired'); }
`,
  },
  {
    name: 'Go',
    folder: 'go',
    readme: 'sdks/go/README.md',
    resellerCall: `package main

import (
	"context"
	"fmt"
	"os"

	gantry "github.com/gantry-platform/gantry-go"
)

func main() {
	host := gantry.NewClient(os.Getenv("GANTRY_URL"), gantry.WithAPIKey(os.Getenv("HOST_KEY")))
	page, err := host.ListProvisionedLicenses(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(page.Data))
}
`,
    missingNames: `package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	names, missing := []string{}, []string{}
	json.Unmarshal([]byte(os.Getenv("NAMES")), &names)
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0)
	if err != nil {
		panic(err)
	}
	declared := map[string]bool{}
	ast.Inspect(packages["gantry"], func(node ast.Node) bool {
		switch found := node.(type) {
		case *ast.FuncDecl:
			declared[found.Name.Name] = true
			return false
		case *ast.TypeSpec:
			declared[found.Name.Name] = true
		case *ast.ValueSpec:
			for _, name := range found.Names {
				declared[name.Name] = true
			}
		}
		return true
	})
	for _, name := range names {
		if !declared[name] {
			missing = append(missing, name)
		}
	}
	text, _ := json.Marshal(missing)
	fmt.Println(string(text))
}
`,
    filtered: `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	gantry "github.com/gantry-platform/gantry-go"
)

func main() {
	ctx := context.Background()
	client := gantry.NewClient(os.Getenv("GANTRY_URL"), gantry.WithAPIKey(os.Getenv("GANTRY_API_KEY")))
	cursor := os.Getenv("CURSOR")
	seen := []string{}
	enough := errors.New("enough")
	filters := url.Values{"type": {"cluster.created", "cluster.deleted"}}
	err := client.Events(ctx, cursor, filters, func(event gantry.StreamedEvent) error {
		seen = append(seen, event.Type)
		if len(seen) == 2 {
			return enough
		}
		return nil
	})
	if err != enough {
		panic(err)
	}
	order := gantry.ListEventsOrder("asc")
	page, err := client.ListEvents(ctx, &gantry.ListEventsParams{
		Type: gantry.Ptr("cluster.created,cluster.deleted"), Order: &order, After: &cursor,
	})
	if err != nil {
		panic(err)
	}
	listed := []string{}
	for _, event := range page.Data {
		listed = append(listed, string(event.Type))
	}
	text, _ := json.Marshal([][]string{seen, listed})
	fmt.Println(string(text))
}
`,
    probe: ['go', 'version'],
    fence: 'go',
    program: 'go/cmd/check/main.go',
    run: ['go', 'run', './cmd/check'],
    checks: `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	gantry "github.com/gantry-platform/gantry-go"
)

func show(value any) {
	text, _ := json.Marshal(value)
	fmt.Println(string(text))
}

func main() {
	ctx := context.Background()
	client := gantry.NewClient(os.Getenv("GANTRY_URL"), gantry.WithAPIKey("key"),
		gantry.WithRetries(gantry.Retries{Max: 3, FirstWait: time.Millisecond, MaxWait: 30 * time.Second}))
	for _, name := range []string{"lost", "refused"} {
		cluster, err := client.CreateCluster(ctx, gantry.ClusterCreate{Name: name}, nil)
		if err != nil {
			panic(err)
		}
		show(cluster.Name)
	}
	if err := client.DeleteCluster(ctx, "lost"); err != nil {
		panic(err)
	}
	show("deleted")
	var lost *gantry.ConnectionError
	if _, err := client.UpdateCluster(ctx, "broken", gantry.ClusterUpdate{Name: gantry.Ptr("x")}); errors.As(err, &lost) {
		show("not repeated")
	}
	var problem *gantry.ProblemError
	if _, err := client.GetCluster(ctx, "missing"); errors.As(err, &problem) {
		show([]any{problem.Code, problem.Status})
	}
	var other *gantry.HTTPError
	if _, err := client.GetCluster(ctx, "proxy"); errors.As(err, &other) {
		show(other.StatusCode)
	}
	if _, err := client.GetCluster(ctx, ".."); err != nil {
		show("refused path")
	}
	names := []string{}
	clusters := client.AllClusters(ctx, nil)
	for clusters.Next() {
		names = append(names, clusters.Value().Name)
	}
	show(names)

	var cases []struct {
		Headers      map[string]string
		Body, Secret string
		Now          int64
	}
	if err := json.Unmarshal([]byte(os.Getenv("CASES")), &cases); err != nil {
		panic(err)
	}
	valid := []bool{}
	for _, each := range cases {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		valid = append(valid, gantry.VerifyWebhook(headers, []byte(each.Body), each.Secret, time.Unix(each.Now, 0)) == nil)
	}
	show(valid)

	signedIn := gantry.NewClient(os.Getenv("GANTRY_URL"))
	signedIn.Session.Start("old", "r1", 15*time.Minute)
	renewed, err := signedIn.GetCluster(ctx, "renewed")
	if err != nil {
		panic(err)
	}
	show(renewed.Name)

	seen := [][]any{}
	enough := errors.New("enough")
	err = client.Events(ctx, "c0", url.Values{"type": {"order.*"}}, func(event gantry.StreamedEvent) error {
		var data struct{ N int }
		if err := json.Unmarshal(event.Data, &data); err != nil {
			return err
		}
		seen = append(seen, []any{event.Type, event.Cursor, data.N})
		if len(seen) == 3 {
			return enough
		}
		return nil
	})
	if err != enough {
		panic(err)
	}
	show(seen)
	if err := client.Events(ctx, "old", nil, nil); err == gantry.ErrEventCursorExpired {
		show("expired")
	}
}
`,
  },
];

const isThere = ({ probe }: Language) => isInstalled(...probe);

let world: World;
let copy: string;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  copy = mkdtempSync(join(tmpdir(), 'gantry-sdks-'));
  // Programs in TypeScript import the package by its name, as in a clone.
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // That for TypeScript is the client of the repository; a package that was built of it stays out.
  for (const { folder } of languages.filter(({ readme }) => readme.startsWith('sdks/')))
    cpSync(join(root, 'sdks', folder), join(copy, folder), {
      recursive: true,
      filter: (source) => !/_gen\.go$|\/generated$|\/Generated$|__pycache__/.test(source),
    });
  const document = JSON.parse(
    readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8'),
  ) as never;
  for (const [name, text] of sdkFiles(document)) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), text);
  }
});

afterAll(async () => {
  rmSync(copy, { recursive: true, force: true });
  await world.close();
});

/** Runs a program of the language; the servers of the test run in this process, which must not block. */
async function run(
  { folder, program, run: [command, ...args] }: Language,
  text: string,
  environment: Record<string, string>,
) {
  mkdirSync(dirname(join(copy, program)), { recursive: true });
  writeFileSync(join(copy, program), text);
  const child = spawn(command, args, {
    cwd: join(copy, folder),
    env: {
      ...process.env,
      GOFLAGS: '-mod=mod',
      GOCACHE: process.env['GOCACHE'] ?? join(copy, 'cache'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...environment,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${command} ended with ${child.exitCode}: ${stderr}`);
  return stdout;
}

const problem = (response: ServerResponse, status: number, code: string, headers = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers }).end(
    JSON.stringify({
      type: 'about:blank',
      title: code,
      status,
      code,
      detail: 'said by the test',
      request_id: 'r',
    }),
  );

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/** A server that loses and refuses the first two requests, and cuts its stream. */
async function faultyServer() {
  const seen: string[] = [];
  const keys = new Map<string, (string | undefined)[]>();
  const count = (what: string) => {
    seen.push(what);
    return seen.filter((each) => each === what).length;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body =
      chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as { name?: string });
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const last = pathname.split('/').at(-1) ?? '';
    if (pathname === '/auth/refresh')
      return json(response, { access_token: 'new', refresh_token: 'r2', expires_in: 900 });
    if (pathname === '/api/events/stream') return stream(request, response, count('stream'));
    if (request.method === 'POST') {
      const { name = '' } = body;
      keys.set(name, [...(keys.get(name) ?? []), request.headers['idempotency-key'] as string | undefined]);
      if (name === 'lost' && count('lost') < 3) return request.socket.destroy();
      if (name === 'refused' && count('refused') < 3)
        return problem(response, count('x') % 2 ? 429 : 503, 'rate_limited', { 'Retry-After': '0' });
      return json(response, { id: '1', name }, 201);
    }
    if (request.method === 'DELETE')
      return count('delete') === 1 ? request.socket.destroy() : problem(response, 404, 'not_found');
    if (request.method === 'PATCH') {
      count('patch');
      return request.socket.destroy();
    }
    if (last === 'missing') return problem(response, 404, 'not_found');
    if (last === 'proxy') return response.writeHead(418, { 'Content-Type': 'text/html' }).end('<p>');
    if (last === 'renewed')
      return request.headers.authorization === 'Bearer new'
        ? json(response, { name: 'renewed' })
        : problem(response, 401, 'unauthorized');
    const cursor = searchParams.get('cursor');
    return json(
      response,
      cursor === null
        ? { data: [{ name: 'a' }, { name: 'b' }], next_cursor: 'two' }
        : { data: [{ name: 'c' }], next_cursor: null },
    );
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, seen, keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The first connection is cut in the middle of an event, which the second one sends again. */
function stream(request: IncomingMessage, response: ServerResponse, connection: number) {
  const from = request.headers['last-event-id'];
  if (from === 'old') return problem(response, 410, 'event_cursor_expired');
  const event = (n: number) => `id: c${n}\nevent: order.paid\ndata: {"n":${n}}\n\n`;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (connection === 1) {
    response.write(
      `retry: 1\nid: c0\nevent: ready\ndata: {"cursor":"c0"}\n\n${event(1)}id: c1\n: still here\n\n`,
    );
    response.write('id: c2\nevent: order.paid\ndata: {"n"', () => response.socket?.destroy());
    return response;
  }
  return response.write(from === 'c1' ? `${event(2)}${event(3)}` : event(99));
}

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const now = 1_795_428_120;
const body = JSON.stringify({ type: 'order.paid', data: { name: 'Zürich 🦀' } });

function webhookCases() {
  const id = '01a1fd3b-8681-7c16-bb59-c248af2d2f2b';
  const standard = (key: string) =>
    `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
      .update(`${id}.${now}.${body}`)
      .digest('base64')}`;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': standard(secret),
  };
  const serviceHeaders = (key: string) => ({
    'x-service-delivery': id,
    'x-service-timestamp': String(now),
    'x-service-signature': `v1=${createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('hex')}`,
  });
  const own = signedHeaders({ deliveryId: id, event: 'order.paid', body }, [secret], new Date(now * 1000));
  const sound = { headers, body, secret, now };
  const rotating = `${standard(`whsec_${randomBytes(32).toString('base64')}`)} ${standard(secret)}`;
  return [
    { given: sound, isValid: true },
    { given: { ...sound, headers: { ...headers, 'webhook-signature': rotating } }, isValid: true },
    { given: { ...sound, headers: own }, isValid: true },
    { given: { ...sound, body: `${body} ` }, isValid: false },
    { given: { ...sound, headers: own, body: `${body} ` }, isValid: false },
    { given: { ...sound, now: now + 301 }, isValid: false },
    { given: { ...sound, now: now - 301 }, isValid: false },
    { given: { ...sound, secret: `whsec_${randomBytes(32).toString('base64')}` }, isValid: false },
    { given: { ...sound, headers: { ...headers, 'webhook-id': 'other' } }, isValid: false },
    { given: { ...sound, headers: {} }, isValid: false },
    // An unset variable: anyone could have signed these.
    ...['', 'whsec_'].flatMap((empty) => [
      {
        given: { ...sound, secret: empty, headers: { ...headers, 'webhook-signature': standard(empty) } },
        isValid: false,
      },
      { given: { ...sound, secret: empty, headers: serviceHeaders(empty) }, isValid: false },
    ]),
    // A recording whose signature covers the other timestamp.
    {
      given: { ...sound, headers: { ...own, 'webhook-timestamp': String(now + 600) }, now: now + 600 },
      isValid: false,
    },
    {
      given: { ...sound, headers: { ...headers, 'x-service-timestamp': String(now + 600) }, now: now + 600 },
      isValid: false,
    },
    {
      given: { ...sound, headers: { ...headers, 'webhook-signature': standard(secret).slice(3) } },
      isValid: false,
    },
  ];
}

it('separates lists in queries by commas, as the contract does', () => {
  const lists = operations.flatMap(({ id, parameters }) =>
    parameters
      .filter(
        ({ in: place, schema }) =>
          place === 'query' && typesOf(follow(schema, contract.components.schemas)).includes('array'),
      )
      .map(({ name }) => `${id} ${name}`),
  );
  expect(lists).toEqual([]);
});

/** The names of a package that a README uses: those with its prefix, and classes in code within its sentences. */
function namesIn(readme: string): string[] {
  const qualified = readme.matchAll(/\b(?:gantry\.(?!com\b)|Gantry\\)(\w+(?:\\\w+)*)/g);
  const classes = readme.matchAll(/`(?:new )?\*?([A-Z][a-z]\w+)(?=[`([:.])/g);
  return [...new Set([...qualified, ...classes].map(([, name = '']) => name))];
}

describe.each(languages)('the SDK for $name', (language) => {
  const hasLanguage = isThere(language);
  const itWhereThere = itWhere(hasLanguage);
  const note = hasLanguage ? '' : ` (left out: there is no ${language.name} on this machine)`;

  itWhereThere(`runs the quickstart of its README against the platform${note}`, async () => {
    const tenant = await world.createTenant();
    await createInstance(world, tenant, { name: 'main' });
    const { body: created } = await world
      .call('post', '/api/api-keys', tenant.owner)
      .send({ name: 'SDK', permissions: { 'fleet.view': true, 'clusters.manage': true } })
      .expect(201);
    const readme = readFileSync(join(root, language.readme), 'utf8');
    const [, quickstart = ''] = new RegExp(`\`\`\`${language.fence}\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
    const output = await run(language, quickstart, {
      GANTRY_URL: world.url,
      GANTRY_API_KEY: (created as { key: string }).key,
    });
    expect(output).toMatch(/^main \w+\n[a-z_]+ .+\ndone\n$/);
  });

  itWhereThere(`has every name that its README uses${note}`, async () => {
    const names = namesIn(readFileSync(join(root, language.readme), 'utf8'));
    expect(names).toContain('ProblemError');
    expect(JSON.parse(await run(language, language.missingNames, { NAMES: JSON.stringify(names) }))).toEqual(
      [],
    );
  });

  itWhereThere(`works with the key of a hosting company${note}`, async () => {
    const { body: reseller } = await world
      .call('post', '/api/admin/resellers', world.admin)
      .send({ name: `Ember ${language.name}`, wholesale_rate: { amount: '5.50', currency: 'USD' } })
      .expect(201);
    const environment = { GANTRY_URL: world.url, HOST_KEY: (reseller as { key: string }).key };
    expect(await run(language, language.resellerCall, environment)).toBe('0\n');
  });

  itWhereThere(`filters events by several types${note}`, async () => {
    const tenant = await world.createTenant();
    const { key } = await createKeyWithText(world, tenant);
    const { body: page } = await world.call('get', '/api/events?limit=1', tenant.owner).expect(200);
    const { body: cluster } = await world
      .call('post', '/api/fleet/clusters', tenant.owner)
      .send({ name: 'EU' })
      .expect(201);
    const path = `/api/fleet/clusters/${(cluster as { id: string }).id}`;
    await world.call('patch', path, tenant.owner).send({ name: 'US' }).expect(200);
    await world.call('delete', path, tenant.owner).expect(204);
    const output = await run(language, language.filtered, {
      GANTRY_URL: world.url,
      GANTRY_API_KEY: key,
      CURSOR: (page as { stream_cursor: string }).stream_cursor,
    });
    const types = ['cluster.created', 'cluster.deleted'];
    expect(JSON.parse(output)).toEqual([types, types]);
  });

  itWhereThere(`repeats, pages, renews, verifies and resumes as its README says${note}`, async () => {
    const { server, url, keys, seen } = await faultyServer();
    try {
      const cases = webhookCases();
      const output = await run(language, language.checks, {
        GANTRY_URL: url,
        CASES: JSON.stringify(cases.map(({ given }) => given)),
      });
      expect(
        output
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        'lost',
        'refused',
        'deleted',
        'not repeated',
        ['not_found', 404],
        418,
        'refused path',
        ['a', 'b', 'c'],
        cases.map(({ isValid }) => isValid),
        'renewed',
        [
          ['order.paid', 'c1', 1],
          ['order.paid', 'c2', 2],
          ['order.paid', 'c3', 3],
        ],
        'expired',
      ]);
      for (const sent of keys.values()) {
        expect(sent).toHaveLength(3);
        expect(new Set(sent).size).toBe(1);
        expect(sent[0]).toMatch(/^[0-9a-f]{32}$/);
      }
      expect(seen.filter((each) => each === 'patch')).toHaveLength(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
