import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { newEventId, withUpcasters } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { STORED_EVENTS } from './index.js';

/** The types of all events of a log that version 0.8.0 has written. */
const { eventTypes } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/data-folder-2026-11.json', import.meta.url), 'utf8'),
) as { eventTypes: string[] };

const RENAMED = [
  ['creator.found.v1', 'creator.memberFound.v1'],
  ['creator.identityObserved.v1', 'creator.identityObserved.v2'],
  ['creator.missing.v1', 'creator.memberNotFound.v1'],
  ['deindexRequest.dispatching.v1', 'deindexRequest.dispatchStarted.v1'],
  ['deindexRequest.uncertain.v1', 'deindexRequest.outcomeLost.v1'],
  ['impersonationReport.done.v1', 'impersonationReport.made.v1'],
  ['impersonationReport.unknown.v1', 'impersonationReport.outcomeLost.v1'],
  ['invitationResend.done.v1', 'invitationResend.sent.v1'],
  ['invitationResend.unknown.v1', 'invitationResend.outcomeLost.v1'],
  ['roster.creatorReadmitted.v1', 'roster.seatReservedAgain.v1'],
  ['roster.creatorTriedAgain.v1', 'roster.enrollmentRetried.v1'],
  ['scan.dispatching.v1', 'scan.dispatchStarted.v1'],
  ['scan.notFound.v1', 'scan.jobNotFound.v1'],
  ['scan.uncertain.v1', 'scan.outcomeLost.v1'],
  ['webhookEndpoint.heldBack.v1', 'webhookEndpoint.suspended.v1'],
  ['webhookEndpoint.registered.v1', 'webhookEndpoint.registered.v2'],
  ['webhookEndpoint.released.v1', 'webhookEndpoint.resumed.v1'],
  ['webhookEndpoint.secretReencrypted.v1', 'webhookEndpoint.secretReencrypted.v2'],
  ['webhookEndpoint.secretRotated.v1', 'webhookEndpoint.secretRotated.v2'],
] as const;

const stored = new InMemoryEventLog();
const log = withUpcasters(stored, STORED_EVENTS.upcasters);
const metadata = { at: 7, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };
for (const type of eventTypes) {
  const data = { type, personal: { identity: {} } };
  await stored.append(`${type.split('.')[0] ?? ''}-1`, 'any', [{ id: newEventId(), type, data, metadata }]);
}

it('reads each event of an older log under its present type', async () => {
  const { events } = await log.readLog({ after: 0 });
  const renamed = events.filter(({ type, data }) => Reflect.get(data, 'type') !== type);
  const pairs = renamed.map(({ type, data }) => [Reflect.get(data, 'type'), type]);
  expect(pairs.toSorted()).toEqual(RENAMED);
});

it.each(RENAMED)('finds %s with a filter for %s', async (from, to) => {
  const { events } = await log.readLog({ after: 0, types: new Set([to]) });
  expect(events.map(({ type, data }) => [Reflect.get(data, 'type'), type])).toEqual([[from, to]]);
});

it('gives webhook secrets of an older log their present name', async () => {
  const webhooks = new InMemoryEventLog();
  await webhooks.append('webhookEndpoint-1', 'none', [
    { id: newEventId(), type: 'webhookEndpoint.registered.v1', data: { url: 'u', sealedSecret: 'a' }, metadata },
    { id: newEventId(), type: 'webhookEndpoint.secretRotated.v1', data: { sealedSecret: 'b' }, metadata },
    { id: newEventId(), type: 'webhookEndpoint.secretReencrypted.v1', data: { sealedSecrets: ['c', 'd'] }, metadata },
  ]);
  const { events } = await withUpcasters(webhooks, STORED_EVENTS.upcasters).readLog({ after: 0 });
  expect(events.map(({ data }) => data)).toEqual([
    { url: 'u', encryptedSecret: 'a' },
    { encryptedSecret: 'b' },
    { encryptedSecrets: ['c', 'd'] },
  ]);
});

it('reads an observation of an older log as one that says all', async () => {
  const creators = new InMemoryEventLog();
  const identity = { displayName: 'Mia', aliases: ['mimi'], profiles: [] };
  const data = { personal: { identity } };
  await creators.append('creator-1', 'none', [
    { id: newEventId(), type: 'creator.identityObserved.v1', data, metadata },
  ]);
  const { events } = await withUpcasters(creators, STORED_EVENTS.upcasters).readLog({ after: 0 });
  expect(events).toMatchObject([{ data: { keptAliases: 0, keptProfiles: 0, personal: identity } }]);
});

it('has one upcaster for each renamed type', () => {
  expect(STORED_EVENTS.upcasters.map(({ from, to }) => [from, to]).toSorted()).toEqual(RENAMED);
});
