// The commands for scripts in docs/local-manager.md, run as they stand.
import { runGuide } from '../support/guide.ts';
import { ManagerWorld } from './support/manager.ts';

it('docs/local-manager.md leads scripts to the state of the machine, the bundle and the operations', async () => {
  const at = await ManagerWorld.start({ begins: 'ready' });
  try {
    const run = await runGuide('docs/local-manager.md', { LOCAL_MANAGER_HOME: at.home });
    expect(run).toEqual({ status: 0, output: 'running\n{"data":[]}', processes: [] });
  } finally {
    await at.stop();
  }
}, 60_000);
