// What `@jest/globals` exports, for jest-light-runner. It knows no time limit: a test that never ends would stop the run.
// `npm run test:stores` sets the factor for slow servers.
const TIME_LIMIT = 30_000 * Number(process.env.E2E_TIMEOUT_FACTOR ?? 1);

const limited =
  (test, limit) =>
  async (...row) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the test takes longer than ${limit} ms`)), limit);
    });
    try {
      return await Promise.race([test(...row), late]);
    } finally {
      clearTimeout(timer);
    }
  };

const withLimit = (declare) => {
  const declared = (name, test, limit = TIME_LIMIT) => declare(name, limited(test, limit));
  declared.each =
    (...table) =>
    (name, test, limit = TIME_LIMIT) =>
      declare.each(...table)(name, limited(test, limit));
  return declared;
};

const { describe, expect, jest, afterAll, afterEach, beforeAll, beforeEach } = globalThis;
const it = Object.assign(withLimit(globalThis.it), {
  only: withLimit(globalThis.it.only),
  skip: withLimit(globalThis.it.skip),
});

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, it as test, jest };
