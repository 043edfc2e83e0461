// What `@jest/globals` exports, for jest-light-runner. It knows no time limit: a test that never ends would stop the run.
const TIME_LIMIT = 30_000;

const limited =
  (test) =>
  async (...row) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the test takes longer than ${TIME_LIMIT} ms`)), TIME_LIMIT);
    });
    try {
      return await Promise.race([test(...row), late]);
    } finally {
      clearTimeout(timer);
    }
  };

const withLimit = (declare) => {
  const declared = (name, test) => declare(name, limited(test));
  declared.each =
    (...table) =>
    (name, test) =>
      declare.each(...table)(name, limited(test));
  return declared;
};

const { describe, expect, jest, afterAll, afterEach, beforeAll, beforeEach } = globalThis;
const it = Object.assign(withLimit(globalThis.it), {
  only: withLimit(globalThis.it.only),
  skip: withLimit(globalThis.it.skip),
});

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, it as test, jest };
