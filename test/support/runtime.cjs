// The runtime of Jest in which a suite is loaded by Node itself: all suites of a worker share one copy of the code, and
// nothing is transformed.
'use strict';

const { pathToFileURL } = require('node:url');

module.exports = class NativeRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  requireModule(path) {
    return require(path);
  }

  /** Jest's own modules; its test framework keeps the state of a suite in its module, so each suite needs another copy. */
  requireInternalModule(path) {
    delete require.cache[path];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'EVENT_HANDLERS') delete globalThis[symbol];
    return require(path);
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getSourceMaps() {
    return new Map();
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
  teardown() {}
};
