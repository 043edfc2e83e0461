import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig, VARIABLES } from './config.js';
import { withSecretFiles } from './secret-files.js';

const KEY = Buffer.alloc(32, 0xa7).toString('base64');

/** Addresses that are shown to everybody. */
const PUBLIC = ['API_URL', 'DASHBOARD_URL', 'FAVICON_URL', 'OIDC_ISSUER_URL'];
const secrets = VARIABLES.filter((name) => /^MASTER_KEY|_TOKEN$|_URL$/.test(name) && !PUBLIC.includes(name));

describe('a secret in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const fileWith = (content: string): string => {
    const file = join(folder, 'secret');
    writeFileSync(file, content, { mode: 0o644 });
    return file;
  };

  it.each(['', '\n', '\r\n'])('is read without the line end %j, with any mode of the file (D85)', (end) => {
    const { masterKey } = readConfig({ MASTER_KEY_FILE: fileWith(KEY + end) });
    expect(masterKey).toEqual(Buffer.alloc(32, 0xa7));
  });

  it('D107: is read without the byte order mark of UTF-8; UTF-16 and Latin-1 are refused by name', () => {
    const { masterKey } = readConfig({ MASTER_KEY_FILE: fileWith(`\ufeff${KEY}\n`) });
    expect(masterKey).toEqual(Buffer.alloc(32, 0xa7));
    const problemsOf = (content: Buffer) => {
      writeFileSync(join(folder, 'other'), content);
      return withSecretFiles({ OIDC_CLIENT_SECRET_FILE: join(folder, 'other') }).problems;
    };
    expect(problemsOf(Buffer.from(`\ufeff${KEY}`, 'utf16le'))).toEqual([
      'OIDC_CLIENT_SECRET_FILE: is UTF-16: save it as UTF-8',
    ]);
    expect(problemsOf(Buffer.from('geheimnisträger', 'latin1'))).toEqual(['OIDC_CLIENT_SECRET_FILE: is not UTF-8']);
  });

  it.each([...secrets, 'SANDBOX_TOKEN'])('can be %s', (name) => {
    const { environment, problems } = withSecretFiles({ [`${name}_FILE`]: fileWith('text\n') });
    expect([environment[name], problems]).toEqual(['text', []]);
  });

  it('is refused together with the variable itself', () => {
    const { problems } = withSecretFiles({ MASTER_KEY: KEY, MASTER_KEY_FILE: fileWith(KEY) });
    expect(problems).toEqual(['MASTER_KEY_FILE: must not be set together with MASTER_KEY']);
  });

  it('that is not there, or far too large, is named without its content', () => {
    const missing = withSecretFiles({ MASTER_KEY_FILE: join(folder, 'none') });
    expect(missing.problems).toEqual(['MASTER_KEY_FILE: cannot be read (ENOENT)']);
    const large = withSecretFiles({ NATIVE_PLATFORM_TOKEN_FILE: fileWith('x'.repeat(65_537)) });
    expect(large.problems).toEqual(['NATIVE_PLATFORM_TOKEN_FILE: is larger than 65536 bytes']);
  });

  it('that is wrong is named by the variable, and its content is not shown', () => {
    expect(() => readConfig({ MASTER_KEY_FILE: fileWith('hunter2') })).toThrow(
      /^(?!.*hunter2).*MASTER_KEY: must be 32 bytes(?!.*hunter2)/s,
    );
  });
});
