import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

/** Agencies compile against these types. A change that is meant puts the new hash here. */
const PUBLIC_TYPES = '9b67351e01d545855ab2d742197781461a56f14dff2d504e012039b6cab53d6c';

test('the types of the client have not changed by accident', async () => {
  // `npm run client:types` makes the file.
  const types = await readFile(new URL('../../libs/client/src/generated/types.gen.ts', import.meta.url), 'utf8');
  const withoutComments = types.replaceAll(/ *\/\*\*.*?\*\/\n/gs, '');
  expect(createHash('sha256').update(withoutComments).digest('hex')).toBe(PUBLIC_TYPES);
});
