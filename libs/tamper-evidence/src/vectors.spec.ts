import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** A verifier made from docs/auditing.md alone: nothing of this library is imported here. */

interface Vector {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const { publicKey, keyId, events } = JSON.parse(
  readFileSync(new URL('../vectors/log.json', import.meta.url), 'utf8'),
) as { publicKey: string; keyId: string; events: Vector[] };

const H = (...parts: (string | Buffer)[]): Buffer => {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest();
};
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** RFC 6962, 2.1, word for word. */
const treeOf = (hashes: readonly Buffer[]): Buffer => {
  const [only] = hashes;
  if (only === undefined) return H('');
  if (hashes.length === 1) return H(Buffer.of(0x00), only);
  const half = 2 ** (Math.ceil(Math.log2(hashes.length)) - 1);
  return H(Buffer.of(0x01), treeOf(hashes.slice(0, half)), treeOf(hashes.slice(half)));
};

const hashOf = ({ metadata }: Vector): string => /,"hash":"(.{43})"\}$/.exec(metadata)?.[1] ?? '';

it('has a hash at each event that covers seven lines', () => {
  const ends = new Map<string, string>();
  for (const event of events) {
    const { stream, revision, id, type, data, metadata } = event;
    const bare = metadata.replace(/,"hash":".{43}"\}$/, '}');
    const lines = [ends.get(stream) ?? 'A'.repeat(43), stream, revision, id, type, data, bare];
    expect(base64url(H(lines.join('\n')))).toBe(hashOf(event));
    ends.set(stream, hashOf(event));
  }
  expect(ends.size).toBe(4);
});

it('has seals whose roots and signatures follow from the events before them', () => {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'base64url')]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  expect(H(Buffer.from(publicKey, 'base64url')).toString('hex').slice(0, 16)).toBe(keyId);
  const seals = events.filter(({ type }) => type === 'seal.sealed.v1');
  expect(seals).toHaveLength(2);
  let previous: string | null = null;
  let covered = 0;
  for (const seal of seals) {
    const { statement, signature, prints } = JSON.parse(seal.data);
    const sealed = events.slice(0, statement.count);
    expect(base64url(treeOf(sealed.map((event) => Buffer.from(hashOf(event), 'base64url'))))).toBe(statement.root);
    expect(sealed.at(-1)).toMatchObject(statement.through);
    const { count, through, root, frontier, at, key: named } = statement;
    expect(statement).toEqual({ count, through, root, frontier, previous, at, key: keyId });
    const text = `seal.v1\n${JSON.stringify({ count, through, root, frontier, previous, at, key: named })}`;
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(prints).toBe(
      sealed
        .slice(covered)
        .map((event) => hashOf(event).slice(0, 4))
        .join(''),
    );
    const peaks = frontier.map((hash: string) => Buffer.from(hash, 'base64url')) as Buffer[];
    const folded = peaks.reduceRight((right, left) => H(Buffer.of(0x01), left, right));
    expect(base64url(folded)).toBe(root);
    previous = seal.id;
    covered = count;
  }
});
