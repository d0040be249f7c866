// Runs the commands for scripts in docs/local-manager.md twice unchanged.
import { runGuideTwice } from '../support/guide.ts';
import { ManagerWorld } from './support/manager.ts';

it('docs/local-manager.md shows scripts the state of the machine, the bundle and the operations', async () => {
  const at = await ManagerWorld.start({ begins: 'ready' });
  try {
    const runs = await runGuideTwice('docs/local-manager.md', { LOCAL_MANAGER_HOME: at.home });
    const expected = { status: 0, output: 'running\n{"data":[]}', processes: [] };
    expect(runs).toEqual([expected, expected]);
  } finally {
    await at.stop();
  }
});
