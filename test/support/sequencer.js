// The order of suites: that of Jest, except that known slow ones come first until Jest has measured them itself.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { slowSuites } from './slow-suites.js';

const root = resolve(import.meta.dirname, '../..');
const ranks = new Map(slowSuites.map((suite, index) => [resolve(root, suite), index]));

const unknown = slowSuites.filter((suite) => !existsSync(resolve(root, suite)));
if (unknown.length > 0) throw new Error(`slow-suites.js lists what does not exist: ${unknown.join(', ')}`);

export default class Sequencer extends TestSequencer {
  sort(tests) {
    const rankOf = (test) => {
      if (this.hasFailed(test)) return -1;
      return test.duration === undefined ? (ranks.get(test.path) ?? ranks.size) : ranks.size;
    };
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
