// The text of notifications: names are plain text, and templates have only their own fields.
import fc from 'fast-check';
import { messageFor, shortened, type NotificationSubject } from '../../src/services/notifications/message.ts';
import { cleaned, forMarkdown, forPlainText } from '../../src/text/neutral-text.ts';
import { requestFor, pushoverUrl } from '../../src/services/notifications/requests.ts';
import { retryAfter } from '../../src/outbound/reply.ts';
import { fill, refuseTemplate, templateFields } from '../../src/services/notifications/templates.ts';

/** Text of every kind, with special characters more often than at random. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '@everyone',
        '@here',
        '<@123>',
        '<@&5>',
        '<#1>',
        '<!channel>',
        '<:a:1>',
        '[x](https://evil.example)',
        'https://evil.example/a',
        'www.evil.example',
        '**',
        '~~',
        '||',
        '`',
        '\\',
        '\n# ',
        '\u202e',
        '\u200b',
        '{{title}}',
        '{{#title}}',
        '</p>',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const apart = '\u200b';

describe('a name', () => {
  it('in a chat has no character with a meaning, and looks unchanged', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const text = forMarkdown(name);
        const meant = text.replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) =>
          character === '@' ? '\u0001' : '\u0002',
        );
        expect(meant).not.toMatch(/[!-/:-@[-`{-~]/);
        expect(meant.replaceAll(`\u0001${apart}`, '')).not.toContain('\u0001');
        expect(text).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(text.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll(apart, '')).toBe(cleaned(name));
      }),
      { numRuns: 500 },
    );
  });

  it('elsewhere has no URL character in any spelling', () => {
    const faults: string[] = [];
    for (let code = 0x80; code <= 0x10_ff_ff; code += 1) {
      const sign = String.fromCodePoint(code);
      const plain = sign.normalize('NFKC').replaceAll('\u3002', '.');
      const open = { '.': `evil${sign}example`, '@': `me${sign}example`, ':': `https${sign}//evil` };
      for (const [meant, text] of Object.entries(open))
        if (plain.includes(meant) && !forPlainText(text).includes(`${sign}\u200b`)) faults.push(text);
      if (/^[/\\]/.test(plain) && !forPlainText(`https:${sign}`).includes(':\u200b'))
        faults.push(`https:${sign}`);
    }
    expect(faults).toEqual([]);
  });

  it('elsewhere makes no link and no mention, and looks unchanged', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const text = forPlainText(name);
        expect(text).not.toMatch(/@(?!\u200b)|:\/|\.[\p{L}\p{N}]|[\r\n\u2028\u2029]/u);
        expect(text.replaceAll(apart, '')).toBe(cleaned(name));
      }),
      { numRuns: 500 },
    );
  });

  it('is never evaluated as a template, and cannot end the surrounding text', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (subjectName, hostName, license) => {
        const alertNotification: NotificationSubject = {
          event: 'raised',
          alert: {
            id: 'id',
            kind: 'host_down',
            severity: 'Critical',
            subjectName,
            hostName,
            metadata: { last_heartbeat_at: '2026-11-21T10:00:00.000Z' },
            raisedAt: '2026-11-21T10:05:00.000Z',
            endedAt: null,
          },
        };
        const template = '{{subject}}|\u0003|{{host}}|\u0003|{{license}}|\u0003|{{severity}}';
        const { text } = messageFor({ kind: 'ntfy', template }, alertNotification, license);
        expect(text).toBe(
          [forPlainText(subjectName), forPlainText(hostName), forPlainText(license), 'Critical'].join(
            '|\u0003|',
          ),
        );
        const chat = messageFor({ kind: 'chat_webhook', template: null }, alertNotification, license);
        const { body = '' } = requestFor({ kind: 'chat_webhook', url: 'https://chat.example.com' }, chat, {
          id: 'id',
        });
        expect(JSON.parse(body)).toMatchObject({
          allowed_mentions: { parse: [] },
          embeds: [{ title: expect.any(String) as string }],
        });
      }),
    );
  });
});

describe('a template', () => {
  const values = Object.fromEntries(templateFields.map((field) => [field, `<${field}>`])) as Record<
    (typeof templateFields)[number],
    string
  >;

  it('fills in each of its fields, and literal text', () => {
    for (const field of templateFields) expect(fill(`a {{ ${field} }} & b`, values)).toBe(`a <${field}> & b`);
  });

  it.each([
    '{{#title}}{{/title}}',
    '{{^title}}{{/title}}',
    '{{{title}}}',
    '{{&title}}',
    '{{>title}}',
    '{{=<% %>=}}',
    '{{.}}',
    '{{title.length}}',
    '{{constructor}}',
    '{{__proto__}}',
    '{{toString}}',
    '{{',
    '{{}}',
  ])('with %s is rejected', (template) => {
    expect(() => refuseTemplate(template)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }) as Error,
    );
  });

  it('of any text is rejected or filled in', () => {
    const text = fc
      .array(
        fc.oneof(fc.constantFrom('{{', '}}', '{', '#', '/', '&', 'title', ' ', '\n', '=', '!'), fc.string()),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (template) => {
        try {
          refuseTemplate(template);
        } catch (error) {
          expect(error).toMatchObject({ code: 'validation_failed' });
          return;
        }
        expect(typeof fill(template, values)).toBe('string');
      }),
    );
  });
});

it('shortens texts between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
      const short = shortened(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(true);
      expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
    }),
  );
});

it('limits Retry-After, in seconds or as a time, to an hour', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  expect(retryAfter('2', now)).toBe(2);
  expect(retryAfter('0.3', now)).toBe(1);
  expect(retryAfter('0', now)).toBe(1);
  expect(retryAfter('86400', now)).toBe(3_600);
  expect(retryAfter('Sat, 21 Nov 2026 10:01:00 GMT', now)).toBe(60);
  expect(retryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now)).toBe(1);
  for (const header of [undefined, '', 'soon', '-5', ['2', '3']])
    expect(retryAfter(header, now)).toBeUndefined();
});

it('uses the public address of Pushover', () => {
  const message = {
    title: 'a',
    text: 'b',
    event: 'raised',
    severity: 'Critical',
    at: '2026-11-21T10:00:00Z',
  } as const;
  const request = requestFor({ kind: 'pushover', token: 't', user: 'u' }, message, { id: 'id' });
  expect(request.url).toBe(pushoverUrl);
  expect(Object.fromEntries(new URLSearchParams(request.body))).toMatchObject({ priority: '1', title: 'a' });
});
