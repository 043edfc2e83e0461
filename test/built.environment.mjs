import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** Where modules that were built are loaded outside of Jest's own registry: see built.transform.mjs. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadBuilt = createRequire(import.meta.url);
  }
}
