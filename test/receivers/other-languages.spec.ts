import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { SIGNATURE_HEADER } from '#webhooks';
import { deliveries } from './deliveries.js';
import { isInstalled, snippet } from './programs.js';

const { RECEIVER_PYTHON: python, RECEIVER_GO: go } = process.env;
const PROGRAM = fileURLToPath(new URL('languages/verify.py', import.meta.url));

/** Returns the program's verdict on each delivery, which it reads as one JSON object per line. */
const verdictsOf = (command: string, args: readonly string[]): unknown[] => {
  const input = deliveries().map(([, , delivery]) => JSON.stringify(delivery));
  const { status, stdout, stderr } = spawnSync(command, args, { input: input.join('\n'), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const genuine = deliveries().map(([, isGenuine]) => isGenuine);

if (python === undefined) {
  test.skip('D61, D102: libraries of PyPI verify deliveries, as RECEIVER_PYTHON is not set', () => undefined);
} else {
  test('D61, D102: standardwebhooks and stripe of PyPI verify deliveries', () => {
    expect(verdictsOf(python, [PROGRAM])).toEqual(genuine.map((is) => ({ standardwebhooks: is, stripe: is })));
  });
}

if (go === undefined) {
  test.skip('D102: svix for Go verifies deliveries, as RECEIVER_GO is not set', () => undefined);
} else {
  test('D102: svix for Go verifies deliveries', () => {
    expect(verdictsOf(go, [])).toEqual(genuine.map((is) => ({ svix: is })));
  });
}

/** Reads header, body and secret of each delivery in base64, one delivery a line, and prints what the documented code says. */
const AROUND: Readonly<Record<'java' | 'php', (code: string) => string>> = {
  // Java runs the first class of a file.
  java: (code) => {
    const imports = code.match(/^import .*$/gm) ?? [];
    return `${imports.join('\n')}
class Verify {
    public static void main(String[] args) throws Exception {
        for (var line : new String(System.in.readAllBytes()).split("\\n")) {
            var parts = java.util.Arrays.stream(line.split(" ")).map(java.util.Base64.getDecoder()::decode).toList();
            System.out.println(SvcSignature.isGenuine(new String(parts.get(0)), parts.get(1), new String(parts.get(2))));
        }
    }
}
${code.replaceAll(/^import .*$/gm, '')}`;
  },
  php: (code) =>
    `${code}
foreach (file('php://stdin') as $line) {
    [$header, $body, $secret] = array_map('base64_decode', explode(' ', trim($line)));
    echo json_encode(is_genuine($header, $body, $secret)), "\\n";
}`,
};

const DOCUMENTED = [
  ['java', 'In Java', 'Verify.java'],
  ['php', 'In PHP', 'verify.php'],
] as const;

describe('The verification of docs/webhooks.md', () => {
  for (const [language, heading, file] of DOCUMENTED) {
    if (!isInstalled(language)) {
      test.skip(`${heading}, as ${language} is not installed`, () => undefined);
      continue;
    }
    test(`${heading}, accepts what is genuine and nothing more (D61)`, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'verification-'));
      try {
        const program = join(directory, file);
        writeFileSync(program, AROUND[language](await snippet(heading, language)));
        const lines = deliveries().map(([, , { headers, body, secret }]) =>
          // D118: white space around the secret, and a member that it does not know.
          [`${headers[SIGNATURE_HEADER]},v2=00`, body, ` ${secret}\n`]
            .map((text) => Buffer.from(text).toString('base64'))
            .join(' '),
        );
        const { status, stdout, stderr } = spawnSync(language, [program], {
          input: lines.join('\n'),
          encoding: 'utf8',
        });
        expect([status, stderr]).toEqual([0, '']);
        expect(
          stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual(genuine);
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
  }
});
