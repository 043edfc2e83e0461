// Provides the exports of `@jest/globals` for jest-light-runner. The runner has no time limit: a test that never ends
// would stop the run. `npm run test:stores` sets the factor for slow servers.
const TIME_LIMIT = Math.max(120_000, 30_000 * Number(process.env.E2E_TIMEOUT_FACTOR ?? 1));

const { describe, expect, jest } = globalThis;

/** The limits that spec files have set for themselves. */
const limits = new Map();
const specFile = () => expect.getState().testPath;
const limitOfFile = () => limits.get(specFile()) ?? TIME_LIMIT;
jest.setTimeout = (limit) => limits.set(specFile(), limit);

const limited =
  (work, limit) =>
  async (...row) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it takes longer than ${limit} ms`)), limit);
    });
    try {
      return await Promise.race([work(...row), late]);
    } finally {
      clearTimeout(timer);
    }
  };

const withLimit = (declare) => {
  const declared = (name, test, limit = limitOfFile()) => declare(name, limited(test, limit));
  declared.each =
    (...table) =>
    (name, test, limit = limitOfFile()) =>
      declare.each(...table)(name, limited(test, limit));
  return declared;
};

const it = Object.assign(withLimit(globalThis.it), {
  only: withLimit(globalThis.it.only),
  skip: withLimit(globalThis.it.skip),
});

const hook =
  (declare) =>
  (work, limit = limitOfFile()) =>
    declare(limited(work, limit));

const [beforeAll, beforeEach, afterEach, afterAll] = [
  globalThis.beforeAll,
  globalThis.beforeEach,
  globalThis.afterEach,
  globalThis.afterAll,
].map(hook);

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, it as test, jest };
