// Moves a license as a child of a benchmark, which kills it after one of the steps.
import { settingsOfChild } from '../support/child.ts';
import { Directory } from '../support/cells/directory.ts';
import { moveLicense, type MoveOptions, type Step } from '../support/cells/move.ts';

interface Settings extends Pick<
  MoveOptions,
  'licenseId' | 'sourceUrl' | 'targetUrl' | 'targetCell' | 'graceMs'
> {
  directoryUrl: string;
  stopAfter: Step;
}

const { directoryUrl, stopAfter, ...options } = settingsOfChild<Settings>();
process.on('disconnect', () => process.exit(0));
const directory = await Directory.connect(directoryUrl);
await moveLicense({
  ...options,
  directory,
  onStep: (step) => {
    if (step !== stopAfter) return undefined;
    process.send?.({ url: '' });
    return new Promise(() => undefined);
  },
});
