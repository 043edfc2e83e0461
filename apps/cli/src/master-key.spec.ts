import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  agencyId,
  CommandRunner,
  type CreatorId,
  derivedId,
  newId,
  type WebhookEndpointId,
  WrongMasterKey,
} from '#kernel';
import { KeyRing } from '#personal-data';
import { RotateMasterKey } from '#privacy';
import { SEALS, Sealing } from '#tamper-evidence';
import { InMemoryDocumentStore, InMemoryEventLog, InMemoryKeyStore, KeysInMemory } from '#testing';
import { GetEndpoint, registerEndpoint, SecretCipher, webhookEndpointDecider } from '#webhooks';
import { MasterKeys } from '../../../libs/stores/src/master-keys.js';
import { resultOf } from './master-key.js';
import { operatorContext } from './operator.js';
import { FailedCheck } from './print.js';
import { startTool } from './tool.fixtures.js';

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const URL = 'https://hooks.example/svc';
const agency = agencyId('ag_lumen');
const workspaceId = derivedId('workspace', agency);

let log: InMemoryEventLog;
let keys: KeysInMemory;
let app: INestApplicationContext;
let now: number;

/** A process with the keys; started as all that serve are (D71). */
const start = (current: Buffer, previous?: Buffer): Promise<INestApplicationContext> => {
  const stores = { log, documents: new InMemoryDocumentStore(), personalKeys: new InMemoryKeyStore(keys) };
  return startTool(stores, new MasterKeys(current, previous), { now: () => now, elapsed: () => now });
};

const rotate = () => app.get(CommandBus).execute(new RotateMasterKey(operatorContext()));

const encryptedWith = (master: Buffer, endpointId: WebhookEndpointId): string =>
  new SecretCipher(new MasterKeys(master).derived('webhook secrets')).encrypt({ endpointId, url: URL }, 'whsec_1');

const registered = async (master: Buffer): Promise<WebhookEndpointId> => {
  const endpointId = newId('webhookEndpoint');
  const encryptedSecret = encryptedWith(master, endpointId);
  const registration = { endpointId, agencyId: agency, workspaceId, epoch: 1, url: URL, encryptedSecret };
  await app
    .get(CommandRunner)
    .run(webhookEndpointDecider, endpointId, { ...operatorContext(), workspaceId }, (state) =>
      registerEndpoint(state, registration),
    );
  return endpointId;
};

const opens = async (endpointId: WebhookEndpointId): Promise<void> => {
  const restarted = await start(NEW);
  const cipher = restarted.get(SecretCipher);
  const endpoint = await restarted.get(QueryBus).execute(new GetEndpoint(endpointId));
  for (const { encrypted } of endpoint.secrets) expect(cipher.decrypt(endpoint, encrypted)).toBe('whsec_1');
};

beforeEach(async () => {
  now = 1_767_225_600_000;
  log = new InMemoryEventLog();
  keys = new KeysInMemory();
  await start(OLD);
  app = await start(NEW, OLD);
});
afterEach(() => log.close());

describe('D85: a rotation of the master key', () => {
  it('ends in spite of keys and secrets that neither key decrypts, and lists them', async () => {
    const [damaged, mia] = [newId('creator'), newId('creator')];
    const store = new InMemoryKeyStore(keys);
    await store.add(new Map<CreatorId, Buffer>([[damaged, randomBytes(60)]]));
    await app.get(KeyRing).keysFor(new Set([mia]));
    const foreign = await registered(OTHER);
    const endpointId = await registered(OLD);

    const expected = { rewrapped: 1, reencrypted: 1, unreadable: [damaged, foreign] };
    expect(await rotate()).toEqual(expected);
    expect(resultOf(expected)).toBeInstanceOf(FailedCheck);
    expect(JSON.parse(JSON.stringify(resultOf(expected)))).toEqual(expected);
    await opens(endpointId);
    expect((await (await start(NEW)).get(KeyRing).keysOf([mia])).get(mia)).toBeInstanceOf(Buffer);
    expect(await rotate()).toEqual({ ...expected, rewrapped: 0, reencrypted: 0 });
  });

  it('moves the sentinel first: if it is killed after that, no process goes on with the old key alone', async () => {
    const ring = app.get(KeyRing);
    const rewrapAll = ring.rewrapAll.bind(ring);
    ring.rewrapAll = () => Promise.reject(new Error('killed'));
    await expect(rotate()).rejects.toThrow('killed');
    for (const key of [OLD, NEW]) await expect(start(key)).rejects.toThrow(WrongMasterKey);
    ring.rewrapAll = rewrapAll;
    await rotate();
    await start(NEW);
    await expect(start(OLD)).rejects.toThrow(WrongMasterKey);
  });

  it('changes no seal key if the previous master key was never in use', async () => {
    await start(OLD, OTHER).then((process) => process.get(CommandBus).execute(new RotateMasterKey(operatorContext())));
    expect(await log.readStream(SEALS)).toEqual([]);
    await rotate();
    expect(await log.readStream(SEALS)).toMatchObject([{ type: 'seal.keyChanged.v1' }]);
  });

  it('finds the secret that a process recorded under the old key, and died, when the first pass was over', async () => {
    const early = await registered(OLD);
    let late: WebhookEndpointId | undefined;
    const sealing = app.get(Sealing);
    const changeKey = sealing.changeKey.bind(sealing);
    sealing.changeKey = async (...args) => {
      late = await registered(OLD);
      return changeKey(...args);
    };
    expect(await rotate()).toEqual({ rewrapped: 0, reencrypted: 2, unreadable: [] });
    if (late === undefined) throw new Error('the key of the seals was not changed');
    for (const endpointId of [early, late]) await opens(endpointId);
  });
});
