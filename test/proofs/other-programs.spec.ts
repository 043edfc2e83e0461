import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqliteStoredLog } from '#event-log';
import { consistencyText, newestCheckpoint, proofText, prove, verifierKey } from '#tamper-evidence';
import { key, recorded, SealedLog } from '../../libs/tamper-evidence/src/verification/sealed-log.fixtures.js';

const { PROOFS_GO: go } = process.env;

interface Task {
  readonly verifier: string;
  readonly text: string;
  readonly oldRoot?: string;
}

let sealed: SealedLog;

beforeAll(async () => {
  sealed = await SealedLog.write();
});

afterAll(() => sealed.remove());

const verdictsOf = (program: string, tasks: readonly Task[]): string[] => {
  const input = tasks.map((task) => JSON.stringify(task)).join('\n');
  const { status, stdout, stderr } = spawnSync(program, [], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split('\n');
};

const base64 = (base64url: string) => Buffer.from(base64url, 'base64url').toString('base64');

if (go === undefined) {
  test.skip('sumdb and torchwood for Go verify proofs, as PROOFS_GO is not set', () => undefined);
} else {
  test('sumdb and torchwood for Go verify proofs, and refuse what was changed in them', async () => {
    const log = openSqliteStoredLog(sealed.original);
    const { checkpoint } = await newestCheckpoint(log, key.publicKey);
    const verifier = verifierKey(checkpoint.slice(0, checkpoint.indexOf('\n')), key.publicKey);
    const ids = new Set(sealed.rows.slice(0, sealed.newest.statement.count).map(({ id }) => id));
    const { events } = await prove(log, key.publicKey, ids);
    const texts = events.map(proofText);
    const seals = sealed.rows.map(recorded).filter(({ type }) => type === 'seal.sealed.v1');
    const extensions: Task[] = [];
    for (const { data } of seals) {
      const from = data as typeof sealed.newest;
      const { consistency } = await prove(log, key.publicKey, new Set(), { from });
      if (consistency === undefined) throw new Error('nothing was proven');
      extensions.push({ verifier, text: consistencyText(consistency), oldRoot: base64(from.statement.root) });
    }
    await log.close();
    const genuine = [...texts.map((text) => ({ verifier, text })), ...extensions];
    expect(genuine.length).toBeGreaterThan(200);
    expect(verdictsOf(go, genuine).filter((verdict) => verdict !== 'ok')).toEqual([]);

    const [text = ''] = texts;
    const [extension] = extensions;
    const changed: Task[] = [
      { verifier, text: text.replace('index 0', 'index 1') },
      { verifier, text: text.replace(/extra ..../, 'extra AAAA') },
      { verifier, text: text.replace(/\n[A-Za-z0-9+/]{43}=\n/, '\n') },
      { verifier, text: text.replace(/\n(\d+)\n(?=[A-Za-z0-9+/]{43}=\n\n— )/, '\n9$1\n') },
      { verifier: verifierKey('log/another', key.publicKey), text },
      { verifier, text: extension?.text ?? '', oldRoot: extensions.at(-1)?.oldRoot ?? '' },
      { verifier, text: extension?.text.replace(/^old \d+/, 'old 7') ?? '', oldRoot: extension?.oldRoot ?? '' },
    ];
    for (const { text: other } of changed.slice(0, 4)) expect(other).not.toBe(text);
    expect(verdictsOf(go, changed)).not.toContain('ok');
  });
}
