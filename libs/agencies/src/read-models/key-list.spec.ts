import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, derivedId, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import { type ApiKeyEvent, PRESETS } from '../domain/api-key.js';
import { type KeyDocument, KeyList, keyListProjection } from './key-list.js';

const lumen = agencyId('ag_lumen');
const nova = agencyId('ag_nova');

let keys: Projecting<KeyDocument, ApiKeyEvent>;
beforeEach(() => {
  keys = new Projecting(keyListProjection);
});

const idOf = (name: string) => derivedId('key', name);
const issue = (name: string, at: number, agency = lumen) => {
  const issued = { keyId: idOf(name), agencyId: agency, workspaceId, epoch: 1, name, expiresAt: null };
  return keys.record(
    streamName('apiKey', idOf(name)),
    { type: 'apiKey.issued.v1', data: { ...issued, scopes: PRESETS.read_only, secretHash: 'feed', lastFour: 'x7Qa' } },
    at,
  );
};
const revoke = (name: string, at: number) =>
  keys.record(
    streamName('apiKey', idOf(name)),
    { type: 'apiKey.revoked.v1', data: { keyId: idOf(name), agencyId: lumen } },
    at,
  );

it('shows a key without anything that could open a door', async () => {
  await issue('ci', 5);
  expect(await keys.get(idOf('ci'))).toEqual({
    id: idOf('ci'),
    agencyId: lumen,
    epoch: 1,
    name: 'ci',
    scopes: PRESETS.read_only,
    expiresAt: null,
    lastFour: 'x7Qa',
    createdAt: 5,
    revokedAt: null,
    position: 2,
  });
});

it('keeps a revoked key, with the time of its end', async () => {
  await issue('ci', 5);
  await revoke('ci', 8);
  expect(await keys.get(idOf('ci'))).toMatchObject({ createdAt: 5, revokedAt: 8 });
  await revoke('unheard of', 9);
  expect(await keys.all()).toHaveLength(1);
});

it('lists an agency’s keys, the oldest first', async () => {
  await issue('second', 20);
  await issue('first', 10);
  await issue('other', 15, nova);
  const names = (await new KeyList(keys.readModel).ofAgency(lumen)).map(({ name }) => name);
  expect(names).toEqual(['first', 'second']);
});
