import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { InviteCreator, type Profile } from '#creators';
import type { WorkspaceId } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import { operator } from '../support/operator.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency({ slots: 100 });
const { api } = agency;

const refused = async (change: object) => refusedFields(await api.enroll(agency.inviteBody(change)));

test.each(['external_id', 'display_name', 'first_name', 'last_name', 'email', 'locale', 'workspace_id'])(
  '%s is a string that is neither blank nor holds control characters (D7)',
  async (field) => {
    for (const value of [null, 1, ['x'], '  \t ', 'a\u007fb', '\ud800']) {
      expect(await refused({ [field]: value })).toEqual([field]);
    }
  },
);

test('aliases are up to 30 of up to 160 code points', async () => {
  const aliases = Array.from({ length: 30 }, (_, at) => `${at}`.padEnd(160, 'x'));
  expect((await api.enroll(agency.inviteBody({ aliases }))).outcome).toBe('201');
  expect(await refused({ aliases: [...aliases, 'one more'] })).toEqual(['aliases']);
  // D83: 81 letters that NFC makes 162, too.
  for (const wrong of ['x'.repeat(161), '\u0958'.repeat(81), '', null, 1, {}])
    expect(await refused({ aliases: [wrong] })).toEqual(['aliases[0]']);
  expect(await refused({ aliases: 'ivy' })).toEqual(['aliases']);
  expect(await refused({ aliases: null })).toEqual(['aliases']);
});

test('profile_urls are up to 20', async () => {
  const profile_urls = Array.from({ length: 20 }, (_, at) => `https://x.com/ivy${at}`);
  expect((await api.enroll(agency.inviteBody({ profile_urls }))).outcome).toBe('201');
  expect(await refused({ profile_urls: [...profile_urls, 'https://x.com/ivy'] })).toEqual(['profile_urls']);
});

test('either a user, or email and names; both or neither is 400 (D23)', async () => {
  const userId = await agency.user();
  const link = agency.linkBody(userId);
  expect(refusedFields(await api.enroll({ ...link, svc_user_id: undefined }))).toEqual([
    'email',
    'first_name',
    'last_name',
  ]);
  for (const extra of [{ email: 'i@example.com' }, { first_name: 'Ivy' }, { last_name: 'Vale' }, { locale: 'en' }]) {
    expect(refusedFields(await api.enroll({ ...link, ...extra }))).toEqual(Object.keys(extra));
  }
  expect(await refused({ last_name: undefined })).toEqual(['last_name']);
  expect(refusedFields(await api.enroll({ ...link, svc_user_id: 'ivy' }))).toEqual(['svc_user_id']);
});

interface InviteBody {
  readonly external_id: string;
  readonly display_name: string;
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

const messagesOf = (body: unknown) => {
  const { error } = body as { readonly error: { readonly details: readonly { field: string; message: string }[] } };
  return error.details.map(({ field, message }) => `${field} ${message}`);
};

test('one answer names every wrong field and item, each with its reason and what would be accepted (D98)', async () => {
  const answer = await api.enroll(
    agency.inviteBody({
      display_name: '\u200b',
      email: '<mia@talent.example>',
      aliases: ['ivy', '', 7],
      profile_urls: [
        'https://x.com/ivy',
        'https://instagram.com/talia.moss.',
        'https://twitter.com/ivy',
        'https://x.com/hashtag',
      ],
      surname: 'Vale',
      first_name: undefined,
    }),
  );
  expect(refusedFields(answer).toSorted()).toEqual([
    'aliases[1]',
    'aliases[2]',
    'display_name',
    'email',
    'first_name',
    'profile_urls[1]',
    'profile_urls[2]',
    'profile_urls[3]',
    'surname',
  ]);
  expect(messagesOf(answer.body)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^profile_urls\[1\].*period; https:\/\/instagram\.com\/talia\.moss would be accepted$/),
      expect.stringMatching(/^profile_urls\[2\].*https:\/\/x\.com\/ivy would be accepted$/),
      expect.stringMatching(/^profile_urls\[3\].*add the username to aliases$/),
    ]),
  );
});

test('an answer has at most 20 details (D98)', async () => {
  expect(await refused({ aliases: Array.from({ length: 30 }, () => '') })).toHaveLength(20);
  const { id } = await agency.linked();
  expect(refusedFields(await api.patch(id, { aliases: Array.from({ length: 25 }, () => '') }))).toHaveLength(20);
});

test("what was accepted before stays a repeat although today's rules refuse it (D98)", async () => {
  const body = agency.inviteBody({
    external_id: ' ext-before ',
    display_name: '\u3164',
    aliases: ['\u200b'],
    profile_urls: ['https://x.com/hashtag'],
    email: '<mia@talent.example>',
  }) as InviteBody;
  // As a build without these rules enrolled it.
  const profiles: Profile[] = [{ platform: 'x', username: 'hashtag', profileId: null }];
  const request = {
    externalId: body.external_id,
    identity: { displayName: body.display_name, aliases: body.aliases, profiles },
    invitee: {
      email: 'mia@talent.example',
      firstName: body.first_name,
      lastName: body.last_name,
      locale: 'en',
    } as const,
    fingerprint: createHash('sha256')
      .update(JSON.stringify(Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1))))
      .digest('hex'),
  };
  const scope = { agencyId: agency.id, workspaceId: agency.workspaceId as WorkspaceId, epoch: 1 };
  const before = await service.services.commands.execute(
    new InviteCreator(scope, request, { ...operator(), workspaceId: scope.workspaceId }),
  );

  const repeat = await api.enroll(body);
  expect(repeat.outcome).toBe('200');
  expect(bodyOf<Creator>(repeat).id).toBe(before.creator.creatorId);
  // Another payload is new, and judged by the rules of today.
  expect(refusedFields(await api.enroll({ ...body, last_name: 'Oak' })).toSorted()).toEqual([
    'aliases[0]',
    'display_name',
    'email',
    'external_id',
    'profile_urls[0]',
  ]);
  expect(refusedFields(await api.enroll({ ...body, workspace_id: 'wsp_other' }))).toHaveLength(5);
});

test('a reported URL that is not percent-encoded is refused with the form that would be accepted (D98)', async () => {
  const { id } = await agency.linked();
  const answer = await api.reportImpersonation(id, 'https://instagram.com/mía', 'report');
  expect(messagesOf(answer.body)).toEqual([
    'url must be percent-encoded: https://instagram.com/m%C3%ADa would be accepted',
  ]);
});
