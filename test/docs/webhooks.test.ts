// The signature check of each language in docs/webhooks.md, unchanged, against signatures of the platform.
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { retrySeconds } from '../../src/services/webhooks/outcomes.ts';
import { WebhookSecrets } from '../../src/services/webhooks/secrets.ts';
import { signedHeaders } from '../../src/services/webhooks/signature.ts';
import { isInstalled, itWhere } from '../support/it-where.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');

function snippet(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has nothing in ${language}`);
  return code;
}

interface Case {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  secret: string;
  now: number;
}

const now = 1_795_428_120;
const secret = 'whsec_4hx6tq2mvb7kz3cnra5wyd2jfe6up4s7lgxo3i5bqtw';
const id = '01a1fd3b-8681-7c16-bb59-c248af2d2f2b';
const body = JSON.stringify({ type: 'host.offline', data: { hostname: 'Zürich 🦀' } });

/** A delivery as the platform signs it, with changes made in transit. */
function delivery(changes: Partial<Case> = {}, secrets = [secret]): Case {
  const headers = signedHeaders(
    { deliveryId: id, event: 'host.offline', body },
    secrets,
    new Date(now * 1000),
  );
  const { 'x-service-timestamp': timestamp = '', 'x-service-signature': signature = '' } = headers;
  return { id, timestamp, signature, body, secret, now, ...changes };
}

function forgedWith(key: string): Case {
  const signature = createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('hex');
  return delivery({ secret: key, signature: `v1=${signature}` });
}

const sound = delivery();
const cases: [string, Case, boolean][] = [
  ['what the platform signs', sound, true],
  ['a clock that is a little off', delivery({ now: now + 299 }), true],
  ['the new secret of two', delivery({}, [secret, 'whsec_former']), true],
  ['the former secret of two', delivery({}, ['whsec_new', secret]), true],
  ['another secret', delivery({ secret: `${secret}x` }), false],
  ['an empty secret, with which anyone could have signed', forgedWith(''), false],
  ['another body', delivery({ body: `${body} ` }), false],
  ['another delivery', delivery({ id: id.replace('0', '1') }), false],
  ['another time', delivery({ timestamp: String(now + 1) }), false],
  ['a recording', delivery({ now: now + 301 }), false],
  ['a time to come', delivery({ now: now - 301 }), false],
  ['no time', delivery({ timestamp: '' }), false],
  ['a time that is none', delivery({ timestamp: '1e9' }), false],
  ['no signature', delivery({ signature: '' }), false],
  ['half a signature', delivery({ signature: sound.signature.slice(0, 20) }), false],
  ['a signature of nonsense', delivery({ signature: 'v1=zz,,v1=' }), false],
  ['a signature beyond ASCII', delivery({ signature: 'v1=ü' }), false],
];

interface Language {
  name: string;
  /** Files of a program that reads the cases from its input and writes a list of results. */
  files: Record<string, string>;
  command: [string, ...string[]];
  /** Whether the language is installed. */
  probe: [string, ...string[]];
  /** Whether the gate may lack it: Debian has no .NET, and the registry of Python may be out of reach. */
  isOptional?: boolean;
}

const checkingNode = (module: string) => `
import { isAuthentic } from './${module}';
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, secret, now, ...headers }) =>
  isAuthentic({ ...headers, body: Buffer.from(body) }, secret, now))));`;

const languages: Language[] = [
  {
    name: 'TypeScript',
    files: { 'webhooks.ts': snippet('ts'), 'main.mjs': checkingNode('webhooks.ts') },
    command: [process.execPath, 'main.mjs'],
    probe: [process.execPath, '--version'],
  },
  {
    name: 'JavaScript',
    files: { 'webhooks.mjs': stripTypeScriptTypes(snippet('ts')), 'main.mjs': checkingNode('webhooks.mjs') },
    command: [process.execPath, 'main.mjs'],
    probe: [process.execPath, '--version'],
  },
  {
    name: 'Python',
    files: {
      'webhooks.py': snippet('python'),
      'main.py': `
import json, sys
from webhooks import is_authentic
print(json.dumps([
    is_authentic(c["id"], c["timestamp"], c["signature"], c["body"].encode(), c["secret"], c["now"])
    for c in json.loads(sys.stdin.buffer.read())
]))`,
    },
    command: ['python3', 'main.py'],
    probe: ['python3', '--version'],
  },
  {
    name: 'Go',
    files: {
      'go.mod': 'module check\n\ngo 1.18\n',
      'webhooks/webhooks.go': snippet('go'),
      'main.go': `package main

import (
	"check/webhooks"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func main() {
	var cases []struct {
		Id, Timestamp, Signature, Body, Secret string
		Now                                    int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, c := range cases {
		results = append(results, webhooks.IsAuthentic(
			c.Id, c.Timestamp, c.Signature, []byte(c.Body), c.Secret, time.Unix(c.Now, 0)))
	}
	text, _ := json.Marshal(results)
	fmt.Println(string(text))
}
`,
    },
    command: ['go', 'run', '.'],
    probe: ['go', 'version'],
  },
  {
    name: 'C#',
    files: {
      'check.csproj': `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net$([MSBuild]::VersionMajor('$(NETCoreSdkVersion)')).0</TargetFramework></PropertyGroup></Project>`,
      'Webhooks.cs': snippet('csharp'),
      'Main.cs': `
using System;
using System.Linq;
using System.Text;
using System.Text.Json;

var cases = JsonDocument.Parse(Console.OpenStandardInput()).RootElement.EnumerateArray();
Console.WriteLine(JsonSerializer.Serialize(cases.Select(c =>
{
    string Text(string name) => c.GetProperty(name).GetString()!;
    return Webhooks.IsAuthentic(Text("id"), Text("timestamp"), Text("signature"),
        Encoding.UTF8.GetBytes(Text("body")), Text("secret"),
        DateTimeOffset.FromUnixTimeSeconds(c.GetProperty("now").GetInt64()));
})));`,
    },
    command: ['dotnet', 'run'],
    probe: ['dotnet', '--version'],
    isOptional: true,
  },
];

/** Has the program of a language judge deliveries; it is left out, and named, where the language is not installed. */
function itJudges(cases: readonly [string, object, boolean][], language: Language): void {
  const { name, files, command, probe } = language;
  const [program, ...args] = command;
  const isThere = isInstalled(...probe);
  const itWhereThere = language.isOptional && !isThere ? it.skip : itWhere(isThere);

  itWhereThere(
    `is right for every delivery${isThere ? '' : ` (left out: there is no ${name} on this machine)`}`,
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'gantry-snippet-'));
      try {
        for (const [file, text] of Object.entries(files)) {
          mkdirSync(dirname(join(directory, file)), { recursive: true });
          writeFileSync(join(directory, file), text);
        }
        const run = spawnSync(program, args, {
          cwd: directory,
          input: JSON.stringify(cases.map(([, given]) => given)),
          encoding: 'utf8',
          env: { ...process.env, GOFLAGS: '-mod=mod', GOCACHE: join(directory, 'cache'), DOTNET_NOLOGO: '1' },
        });
        expect({ status: run.status, stderr: run.status === 0 ? '' : run.stderr }).toEqual({
          status: 0,
          stderr: '',
        });
        const responses = JSON.parse(run.stdout) as boolean[];
        expect(cases.map(([what], index) => [what, responses[index]])).toEqual(
          cases.map(([what, , isRight]) => [what, isRight]),
        );
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
    120_000,
  );
}

describe.each(languages)('the check in $name', (language) => {
  itJudges(cases, language);
});

it('the guide documents the attempts of a delivery', () => {
  expect([...retrySeconds]).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
  expect(guide.replace(/\s+/g, ' ')).toContain(
    'retried after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours and 10 hours',
  );
});

/** Deliveries as a library of Standard Webhooks gets them: it compares their time with its own clock. */
const standardCases = ((): [string, object, boolean][] => {
  const { secret: own } = new WebhookSecrets('a'.repeat(32)).create(id);
  const { secret: other } = new WebhookSecrets('a'.repeat(32)).create(id);
  const received = (changes: Record<string, string> = {}, { secrets = [own], ageMs = 0 } = {}) => {
    const at = new Date(Date.now() - ageMs);
    const all = signedHeaders({ deliveryId: id, event: 'host.offline', body }, secrets, at);
    const { headers = '{}', ...rest } = changes;
    const standard = Object.entries(all).filter(([name]) => name.startsWith('webhook-'));
    return {
      body,
      secret: own,
      ...rest,
      headers: { ...Object.fromEntries(standard), ...(JSON.parse(headers) as object) },
    };
  };
  return [
    ['what the platform signs', received(), true],
    ['a clock that is a little off', received({}, { ageMs: 240_000 }), true],
    ['the new secret of two', received({}, { secrets: [own, other] }), true],
    ['the former secret of two', received({}, { secrets: [other, own] }), true],
    ['another secret', received({ secret: other }), false],
    ['another body', received({ body: `${body} ` }), false],
    ['another delivery', received({ headers: `{"webhook-id":"${id.replace('0', '1')}"}` }), false],
    [
      'another time',
      received({ headers: `{"webhook-timestamp":"${Math.floor(Date.now() / 1000) + 60}"}` }),
      false,
    ],
    ['a recording', received({}, { ageMs: 360_000 }), false],
    ['a time to come', received({}, { ageMs: -360_000 }), false],
    ['no signature', received({ headers: '{"webhook-signature":""}' }), false],
  ];
})();

const ownPackages = pathToFileURL(resolve(import.meta.dirname, '../../package.json')).href;

/** Libraries as their registries have them. */
const libraries: Language[] = [
  {
    name: 'standardwebhooks of npm',
    files: {
      'main.mjs': `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const { Webhook, WebhookVerificationError } = createRequire(${JSON.stringify(ownPackages)})('standardwebhooks');
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(({ body, secret, headers }) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
})));`,
    },
    command: [process.execPath, 'main.mjs'],
    probe: [process.execPath, '--version'],
  },
  {
    name: 'standardwebhooks of PyPI',
    files: {
      'main.py': `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError

def is_authentic(case):
    try:
        Webhook(case["secret"]).verify(case["body"], case["headers"])
        return True
    except WebhookVerificationError:
        return False

print(json.dumps([is_authentic(case) for case in json.loads(sys.stdin.buffer.read())]))`,
    },
    command: ['python3', 'main.py'],
    probe: ['python3', '-c', 'import standardwebhooks'],
    isOptional: true,
  },
];

describe('the headers of Standard Webhooks', () => {
  describe.each(libraries)('for $name', (library) => {
    itJudges(standardCases, library);
  });

  const signatureFor = (secrets: string[]) =>
    signedHeaders(
      { deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', event: 'order.paid', body: '{"test": 2432232314}' },
      secrets,
      new Date(1_614_265_330_000),
    )['webhook-signature'];
  const known = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const knownSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('have the signature that Python’s hmac makes of the same message', () => {
    expect(signatureFor([knownSecret])).toBe(known);
  });

  it('have a signature for each of two secrets', () => {
    const { secret: other } = new WebhookSecrets('a'.repeat(32)).create(id);
    const [first, second, ...more] = signatureFor([other, knownSecret])?.split(' ') ?? [];
    expect(first).not.toBe(known);
    expect([second, more]).toEqual([known, []]);
  });

  it('are made with secrets that strict decoders of base64 take', () => {
    const { secret: created } = new WebhookSecrets('a'.repeat(32)).create(id);
    expect(created).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
