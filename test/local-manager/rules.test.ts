// The manager's pure rules: byte-exact edits of files, quoting, dialogues, and classification of failures.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { endOf, quoted } from '../../local-manager/src/guest-shell/guest-shell.ts';
import { IniDocument } from '../../local-manager/src/game-config/ini-document.ts';
import { readValue, settings, writeValue } from '../../local-manager/src/game-config/settings.ts';
import { hostRefusal } from '../../local-manager/src/powershell/host-errors.ts';
import { isEncrypted } from '../../local-manager/src/keys/key-file.ts';
import { mountedPath } from '../../local-manager/src/keys/local-folder.ts';
import { Secrets } from '../../local-manager/src/security/secrets.ts';
import { Dialogue } from '../../local-manager/src/guest-shell/dialogue.ts';
import { setupPrompts } from '../../local-manager/src/setup/setup-prompts.ts';
import { interfacesOf } from '../../local-manager/src/setup/interfaces.ts';
import { addressIn, withAddress } from '../../local-manager/src/visibility/settings-file.ts';
import { fittingRung, memoryToTry } from '../../local-manager/src/vm/memory-ladder.ts';
import { isPrivateAddress } from '../../local-manager/src/visibility/addresses.ts';

describe('line 4 of settings.conf', () => {
  const address = fc.ipV4();
  const file = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const lines = fc
    .tuple(
      fc.array(fc.stringMatching(/^[ -~]{0,20}$/), { minLength: 4, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
    )
    .map(([texts, end, isClosed]) => ({ texts, end, text: texts.join(end) + (isClosed ? end : '') }));

  it('is the only change, and has the written text', () => {
    fc.assert(
      fc.property(lines, address, ({ texts, end, text }, wanted) => {
        const after = withAddress(Buffer.from(text), wanted).toString();
        const isThere = text.split(end).length > 4 || texts[3] !== '';
        if (isThere)
          expect(after).toBe(
            [...texts.slice(0, 3), wanted, ...texts.slice(4)].join(end) +
              (text.endsWith(end) && texts.at(-1) !== '' ? end : text.slice(texts.join(end).length)),
          );
        expect(addressIn(Buffer.from(after))).toBe(wanted);
      }),
    );
  });

  it('is found in any bytes, and bytes before it stay', () => {
    fc.assert(
      fc.property(file, address, (bytes, wanted) => {
        const after = withAddress(bytes, wanted);
        expect(addressIn(after)).toBe(wanted);
        expect(withAddress(after, wanted).equals(after)).toBe(true);
        const [first = -1, second = -1, third = -1, fourth = bytes.length] = [...bytes.keys()].filter(
          (at) => bytes[at] === 0x0a,
        );
        const before = [first, second, third].includes(-1) ? bytes : bytes.subarray(0, third + 1);
        expect(after.subarray(0, before.length).equals(before)).toBe(true);
        const behind = bytes.subarray(Math.max(fourth, before.length));
        expect(after.subarray(after.length - behind.length).equals(behind)).toBe(true);
      }),
    );
  });

  it('is created where it is missing', () => {
    expect(withAddress(Buffer.from(''), '1.2.3.4').toString()).toBe('\n\n\n1.2.3.4\n');
    expect(withAddress(Buffer.from('a\r\nb'), '1.2.3.4').toString()).toBe('a\r\nb\r\n\r\n1.2.3.4\r\n');
    expect(addressIn(withAddress(Buffer.from('a\nb\nc\nd\ne'), null))).toBeNull();
  });
});

describe('an INI file', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '; a comment',
      '[A]',
      '[B]',
      '[a]',
      '+List=(X=1)',
      'no equals sign',
      '  Key = 1 ',
      'key=2',
      'Other=3',
      'Sandstorm.Enabled=1',
    ),
    fc.stringMatching(/^[ -~]{0,30}$/),
  );
  const text = fc
    .tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n'))), fc.boolean())
    .map(([all, isClosed]) => {
      const whole = all.map(([one, end]) => `${one}${end}`).join('');
      return isClosed ? whole : whole.replace(/\r?\n$/, '');
    });
  const value = fc.stringMatching(/^[A-Za-z0-9."]{1,10}$/);

  it('is written unchanged', () => {
    fc.assert(fc.property(text, (whole) => expect(new IniDocument(whole).toString()).toBe(whole)));
  });

  it('keeps every other line when a key is set, and reads the value back', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('A', 'B', 'C'),
        fc.constantFrom('Key', 'Other', 'New'),
        value,
        (whole, section, key, wanted) => {
          const document = new IniDocument(whole);
          const had = document.get(section, key);
          document.set(section, key, wanted);
          const after = document.toString();
          expect(new IniDocument(after).get(section, key)).toBe(wanted);
          const [one, other] = [linesOf(whole), linesOf(after)];
          if (had === undefined)
            expect(
              withoutAdded(other, one).every(
                (added) => added === '' || added === `${key}=${wanted}` || added === `[${section}]`,
              ),
            ).toBe(true);
          else
            expect(one.filter((each, index) => each !== other[index])).toHaveLength(
              had === wanted && one.join() === other.join() ? 0 : one.join() === other.join() ? 0 : 1,
            );
          document.set(section, key, wanted);
          expect(document.toString()).toBe(after);
        },
      ),
    );
  });

  it('loses a deleted key, and keeps every line of others', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('A', 'B'), (whole, section) => {
        const document = new IniDocument(whole);
        document.delete(section, 'Key');
        expect(document.get(section, 'Key')).toBeUndefined();
        const kept = (all: string) =>
          linesOf(all.replace(/\r?\n$/, '')).filter((each) => !/^\s*key\s*=/i.test(each));
        expect(kept(document.toString())).toEqual(kept(whole));
      }),
    );
  });

  const linesOf = (all: string) => all.split(/\r?\n/);

  /** The rest of the longer list after removing the shorter one in order. */
  function withoutAdded(all: string[], original: string[]): string[] {
    const rest = [...original];
    return all.filter((each) => {
      if (rest[0] !== each) return true;
      rest.shift();
      return false;
    });
  }

  it('spells each type as the game does', () => {
    for (const setting of settings) {
      const sample =
        setting.type === 'boolean'
          ? 'true'
          : setting.type === 'text'
            ? 'a b'
            : String(Math.max(setting.minimum ?? 1, 1));
      expect(readValue(setting, writeValue(setting, sample, ''))).toBe(sample);
      if (setting.default !== null && setting.type !== 'boolean')
        expect(writeValue(setting, setting.default, '')).toBe(setting.default);
    }
  });
});

it('quotes any word for sh', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll('\0', '')),
      (text) => {
        expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoted(text)}`]).toString()).toBe(text);
      },
    ),
    { numRuns: 40 },
  );
});

describe('the end of a session', () => {
  const address = {
    host: 'h',
    port: 22,
    user: 'u',
    alias: 'a',
    knownHostsFile: 'k',
    keyFile: 'f',
    keySource: 'f',
    isKeyEncrypted: false,
  };
  const end = (stdout: string, stderr: string, exitCode = 1) => ({
    stdout,
    stderr,
    exitCode,
    hasTimedOut: false,
  });
  const closed = 'Connection to 127.0.0.1 closed.\r\n';
  const failure = (stdout: string, stderr: string, hasTerminal: boolean) => {
    try {
      endOf(end(stdout, stderr, 255), 'mark', hasTerminal, address);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('is the code of the marker, with and without a terminal', () => {
    expect(endOf(end('out\nmark 3\n', closed), 'mark', true, address)).toMatchObject({
      exitCode: 3,
      stdout: 'out',
    });
    expect(endOf(end('out\r\n\r\nmark 0\r\n', ''), 'mark', false, address)).toMatchObject({
      exitCode: 0,
      stdout: 'out\n',
    });
  });

  it('without a marker is a success only for a terminal that printed output and was closed with nothing but the notice', () => {
    expect(endOf(end('out', closed), 'mark', true, address)).toMatchObject({ exitCode: 0, stdout: 'out' });
    const remark = "Warning: Permanently added 'gantry' (ED25519) to the list of known hosts.\r\n";
    expect(endOf(end('out', `${remark}${closed}`), 'mark', true, address).exitCode).toBe(0);
    expect(failure('out', closed, false)).toBe('guest_failed');
    expect(failure('', closed, true)).toBe('guest_failed');
    expect(failure('out', `something\n${closed}`, true)).toBe('guest_failed');
    expect(failure('out', '', true)).toBe('guest_failed');
    expect(failure('out', 'Connection to 127.0.0.1 closed by remote host.\r\n', true)).toBe(
      'guest_unreachable',
    );
  });
});

describe('memory', () => {
  it('is tried as configured first, then reduced', () => {
    expect(memoryToTry(22, undefined)).toEqual([22, 20, 18, 16, 14, 12]);
    expect(memoryToTry(40, undefined)).toEqual([40, 32, 30, 24, 20, 18, 16, 14, 12]);
    expect(memoryToTry(10, undefined)).toEqual([10]);
    expect(memoryToTry(40, 16)).toEqual([16]);
    expect(memoryToTry(null, undefined)[0]).toBe(40);
    expect(fittingRung(31)).toBe(24);
    expect(fittingRung(8)).toBeNull();
  });

  it.each([
    [
      { fqid: 'OutOfMemory,Microsoft.HyperV.PowerShell.Commands.StartVM', message: '内存不足' },
      'out_of_memory',
    ],
    [{ message: 'Za mało pamięci (0x8007000E)' }, 'out_of_memory'],
    [{ message: 'Insufficient system resources (0x800705AA)' }, 'out_of_memory'],
    [{ message: 'x', hresult: -2147024882 }, 'out_of_memory'],
    [{ message: 'You do not have the required permission' }, 'host_permission'],
    [{ message: 'x', category: 'PermissionDenied' }, 'host_permission'],
    [{ message: 'x', fqid: 'Modules_ModuleNotFound,ImportModule' }, 'hyperv_unavailable'],
    [{ message: 'x', fqid: 'GantryServiceStopped' }, 'hyperv_unavailable'],
    [{ message: 'out of memory of something else' }, 'host_failed'],
  ])('and other shortages are recognised from the message of Windows: %j', (error, code) => {
    expect(hostRefusal('start-vm', error).code).toBe(code);
  });

  it("is not confused with another script's error or with missing rights", () => {
    const copying = hostRefusal('import-vm', { message: 'Not enough storage (0x8007000E)' });
    expect(copying).toMatchObject({ code: 'host_failed', message: expect.stringContaining('0x8007000E') });
    const file = {
      message: 'Access to the path is denied.',
      category: 'PermissionDenied',
      fqid: 'RemoveItemUnauthorizedAccessError,Microsoft.PowerShell.Commands.RemoveItemCommand',
    };
    expect(hostRefusal('remove-keys', file).code).toBe('host_failed');
  });
});

describe('the dialogue of a setup', () => {
  const responses = { worldName: 'W', regionLabel: 'Europe', token: 'T', playerIp: '1.2.3.4' };
  const dialogue = () => new Dialogue(setupPrompts(responses));

  it('replies to known prompts, in pieces and with colours, and to nothing else', () => {
    const heard = dialogue();
    expect(heard.hear('Creating the world token secret\n')).toBeUndefined();
    expect(heard.hear('\u001b[1mEnter world ')).toBeUndefined();
    expect(heard.hear('name\u001b[0m: ')).toBe('W');
    expect(heard.hear('\r\n1) Asia\r\n 2) Europe\r\nSelect region: ')).toBe('2');
    expect(heard.hear('\nEnter your self-hosting token: ')).toBe('T');
    expect(heard.hear('\nEnter the IP address for players: ')).toBe('1.2.3.4');
    expect(heard.failure).toBeUndefined();
  });

  it('distinguishes the region from other choices, and types yes in full where required', () => {
    const heard = dialogue();
    expect(heard.hear('Choose a name for your world: ')).toBe('W');
    expect(heard.hear('\n1) Public\n2) Private\n3) Manual\nSelect the IP mode: ')).toBe('3');
    expect(heard.hear('\nPlayer IP: ')).toBe('1.2.3.4');
    expect(heard.hear('\n [1] Asia\n [2] Europe\nYour choice: ')).toBe('2');
    expect(heard.hear('\nThis takes long. Continue? (yes/no) ')).toBe('yes');
    expect(heard.hear('\nOverwrite? [y/N] ')).toBe('y');
    const privately = new Dialogue(setupPrompts({ ...responses, playerIp: '' }));
    expect(privately.hear('1) Public\n2) Private\n3) Manual\nSelect the IP mode: ')).toBe('2');
  });

  it('retries a download three times, and fails on a repeated prompt', () => {
    const heard = dialogue();
    for (let times = 0; times < 3; times += 1)
      expect(heard.hear('Steam download failed. Retry? [Y/N] ')).toBe('y');
    expect(heard.hear('Steam download failed. Retry? [Y/N] ')).toBeUndefined();
    expect(heard.failure).toContain('a retry');
  });
});

describe('an address', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const addressIn = (...[first, second = octet]: [fc.Arbitrary<number>, fc.Arbitrary<number>?]) =>
    fc.tuple(first, second, octet, octet).map((octets) => octets.join('.'));
  const between = (min: number, max: number) => fc.integer({ min, max });
  const privateAddress = fc.oneof(
    addressIn(fc.constant(10)),
    addressIn(fc.constant(172), between(16, 31)),
    addressIn(fc.constant(192), fc.constant(168)),
    addressIn(fc.constant(100), between(64, 127)),
    addressIn(fc.constant(169), fc.constant(254)),
  );
  /** By comparison of numbers, which is not how the manager decides. */
  const isPrivate = (text: string) => {
    const value = text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    return [
      [0x0a000000, 0x0affffff],
      [0xac100000, 0xac1fffff],
      [0xc0a80000, 0xc0a8ffff],
      [0x64400000, 0x647fffff],
      [0xa9fe0000, 0xa9feffff],
    ].some(([first = 0, last = 0]) => value >= first && value <= last);
  };

  it('is private in exactly the ranges that no player outside reaches', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), privateAddress), (advertisedIp) => {
        expect(isPrivateAddress(advertisedIp)).toBe(isPrivate(advertisedIp));
      }),
      { numRuns: 1000 },
    );
    for (const edge of ['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '100.63.255.255'])
      expect(isPrivateAddress(edge)).toBe(false);
  });

  it('is none of another text', () => {
    const anything = fc.string().filter((text) => !/^\d+\.\d+\.\d+\.\d+$/.test(text));
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), anything), (text) => {
        expect(isPrivateAddress(text)).toBe(false);
      }),
    );
  });
});

it("writes the addresses of a virtual machine in Alpine's format", () => {
  const fixed = {
    mode: 'static',
    staticIp: '192.168.1.50',
    staticPrefixLength: 24,
    staticGateway: '192.168.1.1',
  } as const;
  expect(interfacesOf(fixed)).toEqual({
    address: '192.168.1.50',
    interfaces: expect.stringContaining(
      'iface eth0 inet static\n\taddress 192.168.1.50\n\tnetmask 255.255.255.0\n\tgateway 192.168.1.1\n',
    ),
    nameServers: 'nameserver 192.168.1.1\n',
  });
  for (const wrong of [
    { staticGateway: '10.0.0.1' },
    { staticGateway: '192.168.1.0' },
    { staticGateway: '192.168.1.255' },
    { staticIp: '192.168.1.1' },
    { staticIp: '192.168.1.0' },
    { staticIp: '192.168.1.255' },
    { staticIp: '192.168.1.127', staticPrefixLength: 25 },
    { staticDns: ['1.2.3'] },
  ])
    expect(() => interfacesOf({ ...fixed, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid_address' }),
    );
});

it('recognises keys with a passphrase, and finds Windows folders under their mounts', () => {
  const openssh = (cipher: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(cipher.length);
    const body = Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      length,
      Buffer.from(`${cipher}rest`),
    ]).toString('base64');
    return Buffer.from(`-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`);
  };
  expect(isEncrypted(openssh('none'))).toBe(false);
  expect(isEncrypted(openssh('aes256-ctr'))).toBe(true);
  expect(isEncrypted(Buffer.from('Proc-Type: 4,ENCRYPTED'))).toBe(true);
  expect(mountedPath('C:\\Users\\A B')).toBe('/mnt/c/Users/A B');
  expect(mountedPath('\\\\server\\share')).toBeUndefined();
});

it('masks known secrets, tokens and keys', () => {
  const secrets = new Secrets();
  secrets.add('sesame');
  const text = secrets.hide(
    'sesame eyJhbGciOi.eyJhIjoxfQ.c2ln -----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY----- kept',
  );
  expect(text).toBe('••• ••• ••• kept');
});
