// The Node environment of Jest, with modules that all suites of a worker share instead of loading copies of their own.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { TestEnvironment } from 'jest-environment-node';
import { standIns } from '../../jest.config.js';

const urls = new Map(standIns.map(([specifier, path]) => [specifier, pathToFileURL(path).href]));

registerHooks({
  resolve: (specifier, context, next) => {
    const url = urls.get(specifier);
    return url === undefined ? next(specifier, context) : { url, format: 'commonjs', shortCircuit: true };
  },
});

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.importShared = (url) => import(url);
    this.global.sharedDate = Date;
  }
}
