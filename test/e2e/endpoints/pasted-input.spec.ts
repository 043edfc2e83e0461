import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { InviteCreator, type Profile } from '#creators';
import type { WorkspaceId } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import { operator } from '../support/operator.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency({ slots: 100 });
const { api } = agency;

interface InviteBody {
  readonly external_id: string;
  readonly display_name: string;
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

const refused = async (change: object) => refusedFields(await api.enroll(agency.inviteBody(change)));
const messagesOf = (body: unknown) => {
  const { error } = body as { readonly error: { readonly details: readonly { field: string; message: string }[] } };
  return error.details.map(({ field, message }) => `${field} ${message}`);
};

test.each(['\u200b', '\u3164', '\u2800', '\u00ad', '\u2060 \ufe0f'])(
  'names, aliases and external ids that nobody can see are 400: %j (D96)',
  async (blank) => {
    for (const field of ['external_id', 'display_name', 'first_name', 'last_name']) {
      expect(await refused({ [field]: blank })).toEqual([field]);
    }
    expect(await refused({ aliases: ['ivy', blank] })).toEqual(['aliases[1]']);
  },
);

test.each([' ext', 'ext\u00a0', '\u200bext', 'ext\u2060'])('the external id %j is 400 (D96)', async (external_id) => {
  expect(await refused({ external_id })).toEqual(['external_id']);
});

test.each([
  '<mia@talent.example>',
  'mailto:mia@talent.example',
  'mia..rose@talent.example',
  'mia@talent.example,',
  'mia@talent.example;',
  'mia@talent.example\u200b',
  '(mia@talent.example)',
  'mia@talent.example, eve@talent.example',
  `${'m'.repeat(65)}@talent.example`,
])('the address %j is 400, and nobody is invited (D97)', async (email) => {
  const before = await service.platform.calls('invite');
  expect(await refused({ email })).toEqual(['email']);
  expect(await service.platform.calls('invite')).toHaveLength(before.length);
});

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
      expect.stringMatching(/^profile_urls\[3\].*put the username into aliases$/),
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
