// Lists, reports and sources of plugins: parsed correctly, and bounded for any output of a game server.
import fc from 'fast-check';
import { Messages } from '../../agent/src/messages.ts';
import { readPlugins } from '../../agent/src/plugins/plugin-list.ts';
import { PluginOutput } from '../../agent/src/plugins/plugin-output.ts';
import { declaresClass } from '../../agent/src/plugins/plugin-source.ts';
import { cpuMs } from '../support/patience.ts';

const messages = new Messages();

/** A list that the contract accepts as an agent's reply. */
function isSendable(plugins: unknown): boolean {
  const response = { v: 1, ok: true, framework: 'oxide', framework_version: '1', plugins };
  return messages.parse('PluginsReply', JSON.stringify(response)).isValid;
}

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,30}$/);
const word = fc.stringMatching(/^[A-Za-z][A-Za-z' -]{0,20}[a-z]$/);
const version = fc.stringMatching(/^\d{1,2}\.\d{1,2}\.\d{1,3}$/);
const loaded = fc.record({ name, title: word, author: word, version });
const distinct = fc.uniqueArray(loaded, { selector: (plugin) => plugin.name, maxLength: 20 });
type Loaded = typeof loaded extends fc.Arbitrary<infer T> ? T : never;

const byName = (plugins: Loaded[]) => plugins.toSorted((one, other) => (one.name < other.name ? -1 : 1));
const expected = (plugins: Loaded[]) =>
  byName(plugins).map((plugin) => ({ ...plugin, file: `${plugin.name}.cs`, state: 'loaded' }));

describe('the list of Oxide', () => {
  it('is parsed', () => {
    fc.assert(
      fc.property(distinct, (plugins) => {
        const lines = plugins.map(
          ({ name: file, title, author, version: number }, index) =>
            `  ${String(index + 1).padStart(2, '0')} "${title}" (${number}) by ${author} (0.01s / 12 KB) - ${file}.cs`,
        );
        const text = [`Listing ${lines.length} plugins:`, ...lines].join('\r\n');
        expect(readPlugins('oxide', text)).toEqual(expected(plugins));
      }),
    );
  });

  it('has unloaded plugins, and failed ones with the reason, over several lines too', () => {
    const text = [
      'Listing 4 plugins:',
      '  01 "Old style (yes)" (1.0.0) by A (b) (0.03s) - Old.cs',
      '  02 Quiet - Unloaded',
      '  03 Broken - Error while compiling: Broken.cs(1,2) - error CS1002',
      '    and more',
      '  04 Both - Failed',
    ].join('\n');
    expect(readPlugins('oxide', text)).toEqual([
      { name: 'Both', file: 'Both.cs', state: 'failed', error: 'Failed' },
      {
        name: 'Broken',
        file: 'Broken.cs',
        state: 'failed',
        error: 'Error while compiling: Broken.cs(1,2) - error CS1002 and more',
      },
      {
        name: 'Old',
        file: 'Old.cs',
        state: 'loaded',
        title: 'Old style (yes)',
        author: 'A (b)',
        version: '1.0.0',
      },
      { name: 'Quiet', file: 'Quiet.cs', state: 'unloaded' },
    ]);
    expect(readPlugins('oxide', 'No plugins are currently available')).toEqual([]);
    expect(readPlugins('oxide', "Command 'oxide.plugins' not found")).toBeNull();
  });
});

describe('the list of Carbon', () => {
  const entryOf = ({ name: file, title, author, version: text }: Loaded) => ({
    Name: title,
    Author: author,
    Version: text,
    FilePath: `C:\\server\\carbon\\plugins\\${file}.cs`,
  });

  it('is parsed from its packages', () => {
    fc.assert(
      fc.property(distinct, (plugins) => {
        const half = Math.floor(plugins.length / 2);
        const packages = [plugins.slice(0, half), plugins.slice(half)].map((part) => ({
          Name: 'x',
          Plugins: part.map(entryOf),
        }));
        const expectation = expected(plugins);
        expect(readPlugins('carbon', JSON.stringify({ Plugins: packages }))).toEqual(expectation);
        expect(readPlugins('carbon', JSON.stringify(packages))).toEqual(expectation);
      }),
    );
  });

  it('has unloaded plugins by their paths, and failed ones with the place', () => {
    const text = JSON.stringify({
      Plugins: [{ Name: 'Core', Plugins: [{ Name: 'Core', Version: { Major: 2, Minor: 0, Patch: 8 } }] }],
      Unloaded: ['/srv/carbon/plugins/Quiet.cs', 7],
      Failed: [
        { File: '/srv/carbon/plugins/Broken.cs', Errors: [{ Message: 'CS1002', Line: 3, Column: 4 }] },
        null,
      ],
    });
    expect(readPlugins('carbon', text)).toEqual([
      { name: 'Broken', file: 'Broken.cs', state: 'failed', error: 'CS1002 (3,4)' },
      { name: 'Core', title: 'Core', author: '', version: '2.0.8', state: 'loaded' },
      { name: 'Quiet', file: 'Quiet.cs', state: 'unloaded' },
    ]);
  });

  it('is parsed from the table of older versions', () => {
    const row = (...cells: string[]) =>
      cells.map((cell, index) => cell.padEnd([4, 24, 16, 10, 12][index] ?? 0)).join('');
    const text = [
      row('#', 'package', 'author', 'version', 'hook time', 'compile time'),
      row('1', 'Scripts (1)'),
      row('', 'Kits', 'k1lly0u', 'v4.4.1', '0ms', '254ms'),
      '',
      row('*', 'Unloaded Plugins (1)'),
      row('', 'Quiet.cs'),
      row('*', 'Failed Plugins (1)', 'Line', 'Column', 'Stacktrace'),
      row('', 'Broken.cs', '3', '4', 'CS1002: ; expected'),
      row('', '', '', '', 'and more'),
    ].join('\n');
    expect(readPlugins('carbon', text)).toEqual([
      { name: 'Broken', file: 'Broken.cs', state: 'failed', error: 'CS1002: ; expected (3,4) and more' },
      { name: 'Kits', title: 'Kits', author: 'k1lly0u', version: '4.4.1', state: 'loaded' },
      { name: 'Quiet', file: 'Quiet.cs', state: 'unloaded' },
    ]);
    expect(readPlugins('carbon', "Command 'c.plugins' not found")).toBeNull();
  });
});

describe('any output of a game server', () => {
  const framework = fc.constantFrom('oxide' as const, 'carbon' as const);
  const fragment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      'Listing 3 plugins:',
      '  01 "',
      '" (',
      ') by ',
      ' - ',
      '.cs',
      '\n',
      '# package author version',
    ),
    fc.constantFrom('* Failed Plugins (1)  Line  Column  Stacktrace\n', '* Unloaded Plugins (9)\n', '   '),
  );

  it('as text becomes a list that the contract accepts, or none', () => {
    fc.assert(
      fc.property(framework, fc.array(fragment, { maxLength: 60 }), (which, fragments) => {
        const heading = which === 'oxide' ? 'Listing 9 plugins:\n' : '# package  author  version\n';
        const plugins = readPlugins(which, heading + fragments.join(''));
        expect(plugins === null || isSendable(plugins)).toBe(true);
      }),
    );
  });

  it('as JSON becomes a list that the contract accepts, or none', () => {
    const field = fc.constantFrom(
      'Name',
      'Title',
      'Author',
      'Version',
      'FilePath',
      'File',
      'Errors',
      'Error',
    );
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 400 }));
    const list = fc.array(fc.dictionary(field, value));
    const reply = fc.record({ Plugins: fc.oneof(list, fc.jsonValue()), Unloaded: value, Failed: list });
    fc.assert(
      fc.property(fc.oneof(reply, fc.jsonValue()), (said) => {
        const plugins = readPlugins('carbon', JSON.stringify(said));
        expect(plugins === null || isSendable(plugins)).toBe(true);
      }),
    );
  });

  it('is parsed in bounded time', () => {
    const long = [
      `Listing 1 plugins:\n  01 "${'" ('.repeat(1_000_000)}`,
      `Listing 1 plugins:\n  01 "${') by '.repeat(700_000)} - a.cs`,
      `Listing 1 plugins:${'\n  01 "a" (1) by b (1s) - A.cs'.repeat(130_000)}`,
      `# package author version${' '.repeat(4_000_000)}`,
      `${' '.repeat(2_000_000)}# package`,
    ];
    const ms = cpuMs(() => {
      for (const text of long) for (const which of ['oxide', 'carbon'] as const) readPlugins(which, text);
    });
    expect(ms).toBeLessThan(5_000);
  });
});

describe('a report about a plugin', () => {
  const reported = (...lines: string[]) => {
    const news = new PluginOutput('Kits');
    news.take(lines);
    return news;
  };

  it.each([
    'Error while compiling Kits: CS1002',
    'Error while compiling: Kits.cs(1,2): CS1002',
    "Failed compiling '/srv/carbon/plugins/Kits.cs':",
    'Failed to load plugin Kits (it throws)',
    "Failed to initialize plugin 'Kits v1.0.0' (it throws)",
  ])('"%s" is a failure', (line) => {
    expect(reported(line, '  1. more').failure).toBe(`${line} 1. more`);
  });

  it.each(['Error while compiling OtherKits: CS1002', 'Failed to load plugin Kits_2', 'Kits says hello'])(
    '"%s" is not a failure',
    (line) => {
      expect(reported(line).failure).toBeNull();
    },
  );

  it('matches it by its title or its name', () => {
    const plugin = { name: 'Kits', title: 'Rust Kits', state: 'loaded' as const };
    expect(reported('Loaded plugin Rust Kits v1.0.0 by x').hasLoaded(plugin)).toBe(true);
    expect(reported('(10:00:00) | Loaded plugin Kits v1.0.0 by x').hasLoaded(plugin)).toBe(true);
    expect(reported('Loaded plugin Rust Kits Extra v1.0.0 by x').hasLoaded(plugin)).toBe(false);
    expect(reported("Plugin 'Kits' not found.").isUnknown).toBe(true);
  });
});

describe('a class in a source', () => {
  const noise = fc.array(
    fc.constantFrom(
      '// class Kits\n',
      '/* class Kits */',
      '"class Kits"',
      '"a \\" class Kits"',
      '@"a "" class Kits"',
      '$@"class Kits"',
      '"""\nclass Kits\n"""',
      "'\"'",
      'class KitsExtra {}',
      'class  Other {}',
      '\n',
      ' x ',
    ),
  );

  it('counts where it is code', () => {
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const around = (code: string) => `${before.join(' ')} ${code} ${after.join(' ')}`;
        expect(declaresClass(around(''), 'Kits')).toBe(false);
        expect(declaresClass(around('public class\n  Kits : RustPlugin {}'), 'Kits')).toBe(true);
      }),
    );
  });

  it('is found in bounded time in any source', () => {
    const ms = cpuMs(() => {
      for (const part of ['/*', '"', '@"', '"""', "'", '//', 'class ', 'class\n', '\\"'])
        declaresClass(part.repeat(Math.floor((1024 * 1024) / part.length)), 'Kits');
    });
    expect(ms).toBeLessThan(15_000);
  });
});
