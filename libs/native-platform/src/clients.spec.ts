import { beforeEach, describe, expect, test } from '@jest/globals';
import { agencyId, type CreatorId, type ScanId, type UserId } from '#kernel';
import { failure, json, type Reply, raw } from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import type { RefusedReport } from './provider.js';
import * as fixtures from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const A = agencyId('ag/1 é?#');
const AT = '/base/agencies/ag%2F1%20%C3%A9%3F%23';
const U = fixtures.USER as UserId;
const REFERENCE = fixtures.REFERENCE as CreatorId;
const SCAN = fixtures.SCAN as ScanId;

const { service, connect } = await scriptedService();
let platform: NativePlatform;
beforeEach(() => {
  platform = connect({
    platform: { url: `${service.url}/base/`, token: 'platform-token' },
    engine: { url: service.url, token: 'engine-token' },
  });
});

const sent = () => {
  const [call, ...more] = service.calls;
  expect(more).toEqual([]);
  if (call === undefined) throw new Error('nothing was sent');
  const { method, url, body, headers } = call;
  return {
    line: `${method} ${url}`,
    body,
    key: headers['idempotency-key'],
    fence: headers.fence,
    authorization: headers.authorization,
  };
};

const nativeCreator = {
  userId: U,
  invitationReference: REFERENCE,
  identity: {
    displayName: 'Lea Martin',
    aliases: ['lea.m'],
    profiles: [{ platform: 'manyvids', username: 'lea', profileId: '1001' }],
  },
  isStaff: false,
  onboardingComplete: true,
  authorization: { approved: true, status: 'approved', expiresAt: '2027-01-31T00:00:00.000Z' },
  entitlement: { active: true, source: 'agency_plan' },
};
const nativeInvitation = {
  id: 'inv-1',
  status: 'pending',
  userId: null,
  emailSent: true,
  expiresAt: 1_790_000_000_000,
};
const job = { jobId: 'job-1', status: 'completed', errorCode: null, finishedAt: 1_790_000_000_000 };
const nativeImpersonation = {
  nativeId: 'imp-1',
  platform: 'instagram',
  url: 'https://instagram.com/not_lea',
  username: 'not_lea',
  status: 'reported',
  createdAt: 1_780_000_000_000,
  updatedAt: 1_790_000_000_000,
};
const one = (record: object) => json(200, { data: [record] });
const page = (record: object, next_cursor: string | null) => json(200, { data: [record], next_cursor });

type Read = [line: string, reply: Reply, read: (platform: NativePlatform) => Promise<unknown>, value: unknown];

describe('a read', () => {
  test.each<Read>([
    [
      `GET ${AT}`,
      json(200, { ...fixtures.agency, id: A }),
      ({ client }) => client.getAgency(A),
      { id: A, name: 'Aurora Talent', onboardingComplete: true, kycStatus: 'approved', ownerUserId: U },
    ],
    [
      `GET ${AT}/capacity`,
      json(200, fixtures.capacity),
      ({ client }) => client.getCapacity(A),
      {
        plan: 'pro',
        subscriptionStatus: 'active',
        protectionEligible: true,
        totalSlots: 10,
        occupiedSlots: 3,
        reservedSlots: 1,
        apiIncluded: true,
      },
    ],
    [
      `GET ${AT}/creators?limit=200`,
      page(fixtures.creator, U),
      ({ client }) => client.listRoster(A, { limit: 200 }),
      { creators: [nativeCreator], refused: [], nextCursor: U },
    ],
    [
      `GET ${AT}/creators?limit=2&after=${U}`,
      page({ ...fixtures.creator, user_id: fixtures.OTHER_USER }, null),
      ({ client }) => client.listRoster(A, { limit: 2, after: U }),
      { creators: [{ ...nativeCreator, userId: fixtures.OTHER_USER }], refused: [], nextCursor: null },
    ],
    [`GET ${AT}/creators/${U}`, json(200, fixtures.creator), ({ client }) => client.getCreator(A, U), nativeCreator],
    [
      `GET ${AT}/invitations?reference=${REFERENCE}`,
      one(fixtures.invitation),
      ({ client }) => client.findInvitation(A, REFERENCE),
      nativeInvitation,
    ],
    [
      `GET ${AT}/invitations?reference=${REFERENCE}`,
      json(200, { data: [] }),
      ({ client }) => client.findInvitation(A, REFERENCE),
      undefined,
    ],
    [
      `GET ${AT}/invitations/inv-1`,
      json(200, fixtures.invitation),
      ({ client }) => client.getInvitation(A, 'inv-1'),
      nativeInvitation,
    ],
    [
      `GET ${AT}/creators/${U}/leaks?limit=100&after=a%26b%20%2B%C3%A9&updated_since=17`,
      page(fixtures.leak, 'z'),
      ({ client }) => client.listLeaks(A, U, { limit: 100, after: 'a&b +é', updatedSince: 17 }),
      {
        leaks: [
          {
            leakId: 'leak-1',
            url: 'https://leaks.example/lea',
            status: 'Signalé',
            statusCode: 'notice_sent',
            actionable: null,
            deadOnArrival: false,
            createdAt: 1_780_000_000_000,
            updatedAt: 1_790_000_000_000,
            jobId: 'job-1',
          },
        ],
        refused: [],
        nextCursor: 'z',
      },
    ],
    [
      `GET ${AT}/creators/${U}/impersonations?limit=200&after=imp-0`,
      page({ ...fixtures.impersonation, private_notes: 'upset' }, 'z'),
      ({ client }) => client.listImpersonations(A, U, { limit: 200, after: 'imp-0' }),
      { impersonations: [nativeImpersonation], refused: [], nextCursor: 'z' },
    ],
    [
      `GET ${AT}/creators/${U}/activity?limit=25&cursor=a%26b%20%2B%C3%A9`,
      page(fixtures.activity, null),
      ({ client }) => client.listActivity(A, U, { limit: 25, cursor: 'a&b +é' }),
      {
        records: [
          {
            id: 'act-1',
            type: 'notice.sent',
            occurredAt: 1_790_000_000_000,
            timestampBasis: 'recorded',
            leakId: 'leak-1',
            url: 'https://leaks.example/lea',
            status: 'Signalé',
            statusCode: 'notice_sent',
          },
        ],
        refused: [],
        nextCursor: null,
      },
    ],
    [`GET /scan-jobs?reference=${SCAN}`, one(fixtures.scanJob), ({ engine }) => engine.findJob(SCAN), job],
    [`GET /scan-jobs/job-1`, json(200, fixtures.scanJob), ({ engine }) => engine.getJob('job-1'), job],
  ])('%s', async (line, reply, read, value) => {
    service.answer(reply);
    expect(await read(platform)).toEqual(value);
    const token = line.includes('scan-jobs') ? 'engine-token' : 'platform-token';
    expect(sent()).toMatchObject({ line, body: undefined, key: undefined, authorization: `Bearer ${token}` });
  });

  test.each(['.', '..', '', '\ud800'])('of an id that no address can hold (%j) finds nothing', async (id) => {
    service.answer(json(200, fixtures.agency));
    expect(await platform.client.getAgency(agencyId(id))).toBeUndefined();
    expect(await platform.engine.getJob(id)).toBeUndefined();
    expect(await platform.client.occupySlot(agencyId(id), U, 7)).toEqual({ outcome: 'refused', code: 'not_found' });
    expect(service.calls).toEqual([]);
  });
});

describe('a change', () => {
  test('of an identity sends what changes', async () => {
    service.answer(json(200, fixtures.creator));
    const profiles = [
      { platform: 'x', username: 'lea', profileId: null },
      { platform: 'manyvids', username: 'lea', profileId: '1001' },
    ];
    expect(await platform.client.updateIdentity(A, U, { aliases: ['lea.m'], profiles })).toEqual({
      outcome: 'done',
      value: nativeCreator,
    });
    expect(sent()).toMatchObject({ line: `PATCH ${AT}/creators/${U}`, key: undefined });
    expect(sent().body).toEqual({
      aliases: ['lea.m'],
      profiles: [
        { platform: 'x', username: 'lea' },
        { platform: 'manyvids', username: 'lea', profile_id: '1001' },
      ],
    });
  });

  test('that invites bears the reference as its key', async () => {
    service.answer(json(201, fixtures.invitation));
    const effect = await platform.client.invite(A, {
      reference: REFERENCE,
      email: 'lea@example.org',
      firstName: 'Lea',
      lastName: 'Martin',
      locale: 'fr',
      displayName: 'Lea M',
    });
    expect(effect).toEqual({ outcome: 'done', value: nativeInvitation });
    expect(sent()).toEqual({
      line: `POST ${AT}/invitations`,
      key: REFERENCE,
      authorization: 'Bearer platform-token',
      body: {
        reference: REFERENCE,
        email: 'lea@example.org',
        first_name: 'Lea',
        last_name: 'Martin',
        locale: 'fr',
        display_name: 'Lea M',
      },
    });
  });

  test('that withdraws an invitation has neither body nor key', async () => {
    service.answer(json(200, { ...fixtures.invitation, status: 'cancelled' }));
    const value = { ...nativeInvitation, status: 'cancelled' };
    expect(await platform.client.withdrawInvitation(A, 'inv-1')).toEqual({ outcome: 'done', value });
    expect(sent()).toEqual({
      line: `DELETE ${AT}/invitations/inv-1`,
      body: undefined,
      key: undefined,
      authorization: 'Bearer platform-token',
    });
    service.answer(failure(409, 'creator_onboarding_completed'));
    const refused = { outcome: 'refused', code: 'creator_onboarding_completed' };
    expect(await platform.client.withdrawInvitation(A, 'inv-1')).toEqual(refused);
  });

  test('that sends an invitation again has the given key, and no body', async () => {
    service.answer(json(200, fixtures.invitation));
    expect(await platform.client.resendInvitation(A, 'inv-1', 'key-1')).toEqual({
      outcome: 'done',
      value: nativeInvitation,
    });
    expect(sent()).toEqual({
      line: `POST ${AT}/invitations/inv-1/resend`,
      body: undefined,
      key: 'key-1',
      authorization: 'Bearer platform-token',
    });
    for (const code of ['capacity_reached', 'invitation_not_pending']) {
      service.answer(failure(409, code));
      expect(await platform.client.resendInvitation(A, 'inv-1', 'key-1')).toEqual({ outcome: 'refused', code });
    }
  });

  test.each([
    [200, '{"held":true}'],
    [200, ''],
    [204, ''],
  ])('of a slot is done by a %d with body %j', async (status, body) => {
    service.answer(raw(status, body));
    expect(await platform.client.occupySlot(A, U, 7)).toEqual({ outcome: 'done', value: undefined });
    expect(sent()).toMatchObject({ line: `PUT ${AT}/slots/${U}`, body: undefined, key: undefined, fence: '7' });
    service.answer(raw(status, body));
    expect(await platform.client.releaseSlot(A, U, 7)).toEqual({ outcome: 'done', value: undefined });
    expect(sent()).toMatchObject({ line: `DELETE ${AT}/slots/${U}`, body: undefined, key: undefined, fence: '7' });
  });

  test('that reports an impersonation bears the reference as its key', async () => {
    service.answer(json(201, { ...fixtures.impersonation, recipient_contact: 'desk@host.example' }));
    const report = { reference: 'report-1', url: 'https://instagram.com/not_lea' };
    expect(await platform.client.reportImpersonation(A, U, report)).toEqual({
      outcome: 'done',
      value: nativeImpersonation,
    });
    expect(sent()).toEqual({
      line: `POST ${AT}/creators/${U}/impersonations`,
      key: 'report-1',
      authorization: 'Bearer platform-token',
      body: report,
    });
  });

  test('that dispatches a scan bears the reference as its key', async () => {
    service.answer(json(202, { ...fixtures.scanJob, status: 'queued', finished_at: null }));
    const handles = [{ platform: 'x', username: 'lea', variants: ['lea.m'] }];
    expect(await platform.engine.dispatch({ reference: SCAN, agencyId: A, userId: U, handles })).toEqual({
      outcome: 'done',
      value: { ...job, status: 'queued', finishedAt: null },
    });
    expect(sent()).toEqual({
      line: 'POST /scan-jobs',
      key: SCAN,
      authorization: 'Bearer engine-token',
      body: { reference: SCAN, agency_id: A, user_id: U, handles },
    });
  });
});

test.each<[kind: string, record: object, read: (platform: NativePlatform) => Promise<unknown>]>([
  ['creator', fixtures.creator, ({ client }) => client.listRoster(A, { limit: 9 })],
  ['leak', fixtures.leak, ({ client }) => client.listLeaks(A, U, { limit: 9 })],
  ['impersonation', fixtures.impersonation, ({ client }) => client.listImpersonations(A, U, { limit: 9 })],
  ['activity', fixtures.activity, ({ client }) => client.listActivity(A, U, { limit: 9 })],
])(
  'D65: records of kind %s that were left out of a page are reported, without their values',
  async (kind, record, read) => {
    const reports: RefusedReport[] = [];
    const reporting = connect({ onRefused: (report) => reports.push(report) });
    service.answer(json(200, { data: [record], next_cursor: null }));
    await read(reporting);
    service.answer(
      json(200, { data: [7, { ...record, url: 'secret\n', invitation_reference: 'secret\n' }], next_cursor: null }),
    );
    await read(reporting);
    expect(reports).toEqual([
      { kind, records: [{ id: null, reason: 'the record is not an object' }, expect.any(Object)] },
    ]);
    expect(JSON.stringify(reports)).not.toContain('secret');
  },
);
