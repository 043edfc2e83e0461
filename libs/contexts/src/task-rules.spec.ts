import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatorEvent } from '#creators';
import type { DeadLetterEvent } from '#jobs';
import { derivedId, type Instant, type StreamName, streamName, type Task } from '#kernel';
import type { ScanEvent } from '#scans';
import type { WebhookEndpointEvent, WebhookReplayEvent } from '#webhooks';
import { Projecting, workspaceId } from '../../projections/src/read-models/projected.fixtures.js';
import { taskProjection } from './index.js';
import {
  about,
  admitted,
  agency,
  agencyStream,
  allowanceStream,
  creatorId,
  creatorStream,
  ending,
  enrollmentRetried,
  imported,
  importLinked,
  invited,
  linked,
  onboarded,
  plain,
  queued,
  refused,
  replaced,
  resent,
  rosterStream,
  SECOND,
  scanAdmitted,
  scanId,
  scanStream,
  sent,
  standing,
  T,
  userId,
  type WorkEvent,
  withdrawn,
} from './task-rules.fixtures.js';

let work: Projecting<Task, WorkEvent>;
beforeEach(() => {
  work = new Projecting(taskProjection);
});

/** The kinds that wait, with how long after the last event each is due. */
const waiting = async (from: Instant = T) =>
  Object.fromEntries((await work.all()).map(({ kind, readyAt }) => [kind, readyAt - from]));

const record = (stream: StreamName, event: WorkEvent, at = T) => work.record(stream, event, at);
const ofCreator = (event: CreatorEvent, at = T) => record(creatorStream, event, at);
const ofScan = (event: ScanEvent, at = T) => record(scanStream, event, at);

it('says what is due, for whom, where, since when and after which event', async () => {
  const event = await ofScan(queued);
  expect(await work.get(`scan-${scanId}`)).toMatchObject({
    kind: 'scan',
    subject: scanId,
    workspaceId,
    dueAt: T,
    cause: { id: event.id, correlationId: event.metadata.correlationId },
    readyAt: T,
    failures: 0,
  });
});

it('forgets postponements and failures when an event moves an item on', async () => {
  await ofScan(queued);
  const before = await work.get(`scan-${scanId}`);
  const event = await ofScan({ type: 'scan.dispatchStarted.v1', data: { ...about, personal: { handles: [] } } }, T + 5);
  expect(await work.get(`scan-${scanId}`)).toEqual({
    ...before,
    dueAt: T + 5 + 10 * SECOND,
    cause: { id: event.id, correlationId: event.metadata.correlationId },
    readyAt: T + 5 + 10 * SECOND,
    position: 4,
  });
});

describe('the synchronization of a roster', () => {
  it('is due immediately for an agency that is bound, and stays when it is bound again', async () => {
    await record(agencyStream, {
      type: 'agency.bound.v1',
      data: { agencyId: agency, workspaceId, epoch: 1, ownerUserId: userId },
    });
    expect(await work.get(`rosterSync-${agency}`)).toMatchObject({ subject: agency, readyAt: T });
    await record(agencyStream, { type: 'agency.rebound.v1', data: { epoch: 2, ownerUserId: userId } }, T + 9);
    expect(await waiting()).toEqual({ rosterSync: 0 });
  });

  it('belongs to the workspace that the binding names, not to the one in its context', async () => {
    const other = derivedId('workspace', 'ag_other');
    await record(agencyStream, {
      type: 'agency.bound.v1',
      data: { agencyId: agency, workspaceId: other, epoch: 1, ownerUserId: userId },
    });
    expect(await work.get(`rosterSync-${agency}`)).toMatchObject({ workspaceId: other });
  });
});

describe('an enrollment', () => {
  it.each([
    ['admitted', rosterStream, admitted, 10 * SECOND],
    ['imported, and now enrolled', rosterStream, replaced, 10 * SECOND],
    ['tried again after a refusal', rosterStream, enrollmentRetried, 10 * SECOND],
    ['begun as a link', creatorStream, linked, 10 * SECOND],
    ['begun as an invitation', creatorStream, invited, 10 * SECOND],
    ['begun for an import', creatorStream, importLinked, 10 * SECOND],
    ['whose identity may not have been written', creatorStream, plain('identityWriteUnknown'), SECOND],
    ['whose invitation may not have been sent', creatorStream, plain('invitationUnknown'), SECOND],
    ['whose invitation was sent', creatorStream, sent, 30 * SECOND],
    ['whose invitation was sent again', creatorStream, resent, 30 * SECOND],
    ['whose invitation was accepted', creatorStream, plain('invitationAccepted'), 30 * SECOND],
    ['whose user is onboarded', creatorStream, onboarded, 0],
  ])('%s is due after its time', async (_, stream, event, after) => {
    await record(stream, event);
    expect(await work.get(`enrollment-${creatorId}`)).toMatchObject({ subject: creatorId, readyAt: T + after });
  });

  it.each([
    ['written', plain('identityWritten')],
    ['imported', imported],
    ['refused', refused],
    ['expired', plain('invitationExpired')],
    ['withdrawn', withdrawn],
  ])('that is %s needs nothing more', async (_, event) => {
    await record(rosterStream, admitted);
    await ofCreator(event);
    expect(await work.get(`enrollment-${creatorId}`)).toBeUndefined();
  });
});

describe('a walk of the cases', () => {
  it.each([
    ['linked', linked],
    ['imported', imported],
    ['onboarded', onboarded],
    ['back', plain('returned')],
  ])('is due soon for a creator that is %s', async (_, event) => {
    await ofCreator(event);
    expect(await work.get(`caseWalk-${creatorId}`)).toMatchObject({ readyAt: T + SECOND });
  });

  it('and an unfinished enrollment end with the membership, and return with the creator (D51)', async () => {
    await ofCreator(linked);
    await ofCreator(plain('membershipEnded'));
    expect(await waiting()).toEqual({});
    await ofCreator(plain('returned'));
    expect(await waiting()).toEqual({ caseWalk: SECOND, enrollment: SECOND });
  });

  it('ends for good with the personal data (D72)', async () => {
    await ofCreator(linked);
    await ofCreator(plain('personalDataErased'));
    expect(await waiting()).toEqual({});
  });

  it('is not due for an invitee, who has no records', async () => {
    for (const event of [invited, sent, plain('invitationAccepted')]) await ofCreator(event);
    expect(await waiting()).toEqual({ enrollment: 30 * SECOND });
  });

  it('continues while the creator is missing, and ends with its membership', async () => {
    await ofCreator(imported);
    await ofCreator(plain('memberNotFound'));
    expect(await waiting()).toEqual({ caseWalk: SECOND });
    await ofCreator(plain('membershipEnded'));
    expect(await waiting()).toEqual({});
  });
});

describe('the end of an authorization (D40)', () => {
  const ends = T + 90_000_000;
  const until = { approved: true, status: 'approved', expiresAt: new Date(ends).toISOString() };

  it('is not observed of a creator whose personal data was erased (D72)', async () => {
    await ofCreator(standing(until));
    await ofCreator(plain('personalDataErased'));
    expect(await work.get(`authorizationEnd-${creatorId}`)).toBeUndefined();
  });

  it('is due when it comes, and moves with what is observed', async () => {
    await ofCreator(standing(until));
    expect(await work.get(`authorizationEnd-${creatorId}`)).toMatchObject({ dueAt: ends });
    await ofCreator(standing({ ...until, expiresAt: new Date(ends + 5).toISOString() }));
    expect(await work.get(`authorizationEnd-${creatorId}`)).toMatchObject({ dueAt: ends + 5 });
  });

  it.each([
    ['without an end', { ...until, expiresAt: null }],
    ['that is not approved', { ...until, approved: false }],
    ['whose end is no time', { ...until, expiresAt: 'soon' }],
  ])('is not due for one %s', async (_, authorization) => {
    await ofCreator(standing(until));
    await ofCreator(standing(authorization));
    expect(await waiting()).toEqual({});
  });

  it('is no longer due when it is recorded', async () => {
    await ofCreator(standing(until));
    await ofCreator(plain('authorizationLapsed'), ends);
    expect(await waiting()).toEqual({});
  });

  it('is also due for a creator that left, because it may have returned by then', async () => {
    await ofCreator(standing(until));
    await ofCreator(plain('membershipEnded'));
    await ofCreator(plain('returned'));
    expect(await work.get(`authorizationEnd-${creatorId}`)).toMatchObject({ dueAt: ends });
  });
});

const activationId = 'act';
const requested: CreatorEvent = { type: 'creator.activationRequested.v1', data: { activationId } };
const activated: CreatorEvent = {
  type: 'creator.protectionActivated.v1',
  data: { activationId, reason: 'api_request' },
};
const paused: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'api_request' } };
const abandoned: CreatorEvent = {
  type: 'creator.activationAbandoned.v1',
  data: { activationId, reason: 'capacity_reached' },
};

describe('a slot (D42)', () => {
  it('is due 30 seconds after an activation was requested', async () => {
    await ofCreator(requested);
    expect(await waiting()).toEqual({ slot: 30 * SECOND });
  });

  it('is no longer due when it is held or released', async () => {
    await ofCreator(requested);
    await ofCreator(activated);
    expect(await work.get(`slot-${creatorId}`)).toBeUndefined();
    await ofCreator(paused);
    await ofCreator(plain('slotReleased'));
    expect(await waiting()).toEqual({});
  });

  it.each([
    ['after a pause', [activated, paused]],
    ['of an activation that was abandoned', [requested, abandoned]],
  ])('is to be given back soon %s', async (_, events) => {
    for (const event of events) await ofCreator(event);
    expect(await waiting()).toEqual({ slot: SECOND });
  });
});

describe('the slot of an active creator that is seen again (D77)', () => {
  it('is due when the request that saw it has had its time, until the slot is occupied', async () => {
    await ofCreator(activated);
    await ofCreator(plain('slotReoccupationRequested'));
    expect(await waiting()).toMatchObject({ slot: 10 * SECOND });
    await ofCreator(plain('slotReoccupied'));
    expect(await work.get(`slot-${creatorId}`)).toBeUndefined();
  });
});

describe('scheduled scans (D49)', () => {
  it('are due while protection is active', async () => {
    await ofCreator(activated);
    expect(await waiting()).toEqual({ scheduledScan: 0 });
    await ofCreator(paused);
    expect(await work.get(`scheduledScan-${creatorId}`)).toBeUndefined();
  });
});

describe('an admission', () => {
  it('is completed by a worker where the request left no scan', async () => {
    await record(allowanceStream, scanAdmitted);
    expect(await work.get(`admission-${creatorId}`)).toMatchObject({ subject: creatorId, readyAt: T + 10 * SECOND });
  });

  it('is no longer due when the scan is queued', async () => {
    await record(allowanceStream, scanAdmitted);
    await ofScan(queued);
    expect(await waiting()).toEqual({ scan: 0 });
  });
});

describe('a scan (D47)', () => {
  it.each<[string, ScanEvent, number]>([
    ['queued, immediately', queued, 0],
    [
      'dispatching, after time for the call itself',
      { type: 'scan.dispatchStarted.v1', data: { ...about, personal: { handles: [] } } },
      10 * SECOND,
    ],
    ['accepted, soon', { type: 'scan.accepted.v1', data: { ...about, jobId: 'j' } }, SECOND],
    ['running, soon', { type: 'scan.started.v1', data: { ...about, jobId: 'j' } }, SECOND],
    ['uncertain, soon', { type: 'scan.outcomeLost.v1', data: about }, SECOND],
    ['not found, soon', { type: 'scan.jobNotFound.v1', data: about }, SECOND],
  ])('is due when it is %s', async (_, event, after) => {
    await ofScan(event);
    expect(await waiting()).toEqual({ scan: after });
  });

  it.each<[string, ScanEvent]>([
    ['completed', { type: 'scan.completed.v1', data: ending }],
    ['failed', { type: 'scan.failed.v1', data: ending }],
    ['cancelled', { type: 'scan.cancelled.v1', data: ending }],
  ])('that has %s is due no more', async (_, event) => {
    await ofScan(queued);
    await ofScan(event);
    expect(await waiting()).toEqual({});
  });
});

describe('a disabled endpoint (D82)', () => {
  const endpointId = derivedId('webhookEndpoint', 'one');
  const ofEndpoint = (event: WebhookEndpointEvent) => record(streamName('webhookEndpoint', endpointId), event);
  const disabled: WebhookEndpointEvent = {
    type: 'webhookEndpoint.disabled.v1',
    data: { endpointId, reason: 'operator', failingSince: null },
  };

  it('has its pending deliveries failed immediately', async () => {
    await ofEndpoint(disabled);
    expect(await work.get(`disabledEndpoint-${endpointId}`)).toMatchObject({ subject: endpointId, readyAt: T });
  });

  it.each(['pendingDeliveriesFailed', 'enabled'] as const)('needs nothing more after %s', async (name) => {
    await ofEndpoint(disabled);
    await ofEndpoint({ type: `webhookEndpoint.${name}.v1`, data: { endpointId } });
    expect(await waiting()).toEqual({});
  });
});

it('a replay goes on after each page, and is not due again after its last one', async () => {
  const endpointId = derivedId('webhookEndpoint', 'one');
  const advanced = (after: string | null): WebhookReplayEvent => ({
    type: 'webhookReplay.advanced.v1',
    data: { endpointId, replayed: 2, after },
  });
  const stream = streamName('webhookReplay', endpointId);
  await record(stream, advanced('whd_2'));
  expect(await work.get(`webhookReplay-${endpointId}`)).toMatchObject({ subject: endpointId, readyAt: T });
  await record(stream, advanced(null));
  expect(await waiting()).toEqual({});
});

it('can have items of all kinds for one creator at the same time', async () => {
  for (const event of [
    linked,
    standing({ approved: true, status: null, expiresAt: new Date(T + 7).toISOString() }),
    activated,
  ]) {
    await ofCreator(event);
  }
  expect(await waiting()).toEqual({ authorizationEnd: 7, caseWalk: SECOND, enrollment: 10 * SECOND, scheduledScan: 0 });
});

describe('a task that was set aside (D67)', () => {
  const cause = { id: 'e', correlationId: 'c' };
  const deadLetter = async () => {
    const [item] = await work.all();
    const { id: itemId = '', kind: dueKind = '', subject = '', cause: madeDueBy = cause } = item ?? {};
    const about = { kind: 'dueItem', itemId, dueKind, subject, cause: madeDueBy } as const;
    return { runner: 'due-work', part: null, item: about };
  };
  const record = (event: DeadLetterEvent, at = T) => work.record(streamName('setAside', 'x'), event, at);

  it('waits as set aside for its retry, which makes it due immediately', async () => {
    await ofCreator(imported);
    const data = await deadLetter();
    const [before] = await work.all();
    await record({ type: 'setAside.setAside.v1', data: { ...data, error: 'TypeError', tries: 3 } }, T + 5);
    expect(await work.all()).toMatchObject([{ id: before?.id, readyAt: T + 5, isSetAside: true }]);
    await record({ type: 'setAside.retried.v1', data }, T + 9);
    expect(await work.all()).toMatchObject([{ id: before?.id, kind: before?.kind, readyAt: T + 9 }]);
    expect(await work.all()).not.toMatchObject([{ isSetAside: true }]);
  });

  it('stays due if another event has made it due again', async () => {
    await ofCreator(imported);
    const data = await deadLetter();
    await ofCreator(onboarded, T + 1);
    await record({ type: 'setAside.setAside.v1', data: { ...data, error: 'TypeError', tries: 3 } });
    expect(await waiting(T + 1)).toMatchObject({ caseWalk: SECOND });
  });
});
