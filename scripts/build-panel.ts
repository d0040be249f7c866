// Builds the web panel unless it is built from the present sources: `npm run panel:build`.
import { buildPanelIfChanged } from '../src/pages/panel/build.ts';

const isNew = await buildPanelIfChanged(() => console.log('The panel is being built.'));
console.log(isNew ? 'The panel is built.' : 'The panel was built already.');
