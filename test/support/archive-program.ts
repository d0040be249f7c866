// Archives the months of a database once, as a process that tests kill.
import { LocalStorage } from '../../src/storage/local-storage.ts';
import { openTestArchive } from './archive.ts';

const { GANTRY_TEST_DATABASE: url = '', GANTRY_TEST_STORAGE: folder = '' } = process.env;
const archive = await openTestArchive(url, { storage: new LocalStorage(folder) });
await archive.run();
await archive.close();
