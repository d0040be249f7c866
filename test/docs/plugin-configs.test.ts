// Runs docs/plugin-configs.md twice unchanged with a real agent and a simulated Rust server.
import { runGuideTwice } from '../support/guide.ts';
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { password } from '../support/world.ts';

it('docs/plugin-configs.md leads from the files of a server to other files, and to commands for players', async () => {
  const host = await PluginHost.open();
  try {
    host.write('plugins/GatherManager.cs', pluginSource('GatherManager'));
    const before = {
      Options: { GatherResourceModifiers: { '*': 1, Wood: 2 } },
      Messages: { Hello: 'World' },
    };
    host.write('config/GatherManager.json', JSON.stringify(before, null, 2));
    await host.startServer();
    const runs = await runGuideTwice('docs/plugin-configs.md', {
      GANTRY: host.world.url,
      EMAIL: host.tenant.owner.email,
      PASSWORD: password,
    });
    const expected = {
      status: 0,
      output: expect.stringMatching(
        new RegExp(
          [
            '^config/GatherManager\\.json/Messages',
            '2',
            'stale_version',
            'true',
            'scrap is not the display name .*',
            '0',
            '3',
            '(?:[+-] .*\\n)+succeeded',
            '1 file is written\\. GatherManager 1\\.0\\.0 is loaded\\.',
            'true',
            'succeeded',
            'say Welcome \\{player_name\\}',
            'null\\n$',
          ].join('\\n'),
        ),
      ),
      processes: [],
    };
    expect(runs).toEqual([expected, expected]);
    expect(JSON.parse(host.read('config/GatherManager.json'))).toEqual({
      ...before,
      Options: { GatherResourceModifiers: { '*': 1, Wood: 4, Scrap: 2 } },
    });
  } finally {
    await host.close();
  }
}, 240_000);
