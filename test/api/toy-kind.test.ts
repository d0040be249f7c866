// An additional kind of plugin configuration needs only its definition and its schema.
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { contractWithToy, kindsWithToy } from '../support/toy-kind/kind.ts';

describe('a platform with an additional kind', () => {
  let host: PluginHost;

  beforeAll(async () => {
    host = await PluginHost.open({ contract: contractWithToy(), pluginKinds: kindsWithToy });
    host.write('plugins/Toy.cs', pluginSource('Toy', { reads: ['Toy'], saves: ['Toy'] }));
    host.write('data/Toy.json', '{"Settings": {"Speed (1.0 = normal)": 1.0}, "Own": 1.50}');
    await host.startServer();
  });

  afterAll(async () => {
    await host.close();
  });

  it('validates, stores, previews, applies, exports and imports its configurations', async () => {
    const refused = await host
      .call('post', 'toy', { name: 'Toy', config_data: { speed: 'fast' } })
      .expect(400);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/config_data/speed' }] });
    const wrong = await host
      .call('post', 'toy', { name: 'Toy', config_data: { speed: 2, limit: 1 } })
      .expect(422);
    expect(wrong.body).toMatchObject({
      errors: [{ pointer: '/config_data/speed', detail: 'is more than limit' }],
    });
    expect((await host.call('get', 'toy/defaults').expect(200)).body).toEqual({
      kind: 'toy',
      config_data: { speed: 1, limit: 10 },
    });
    expect((await host.call('get', 'toy/presets').expect(200)).body).toEqual({
      data: [{ kind: 'toy', name: 'Fast', description: 'It runs.', config_data: { speed: 9 } }],
    });
    const { id } = await host.create('toy', { speed: 2, mood: 'calm' });
    const { body: preview } = await host
      .call('post', `toy/${id}/preview`, { instance_id: host.instanceId })
      .expect(200);
    const content = '{"Settings": {"Speed (1.0 = normal)": 2.0}, "Own": 1.50}';
    expect(preview).toMatchObject({
      files: [{ file: 'data/Toy.json', content, is_changed: true }],
      not_written: [{ pointer: '/mood' }],
    });
    // It saves its data while it unloads, and still gets the new values.
    expect(await host.apply('toy', id)).toMatchObject({ status: 'succeeded', kind: 'toy' });
    expect(host.read('data/Toy.json')).toBe(content);
    const { body: imported } = await host
      .call('post', 'toy/import-from-server', { name: 'As it is', instance_id: host.instanceId })
      .expect(201);
    expect(imported).toMatchObject({ config: { config_data: { speed: 2 } } });
  });
});
