import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { platform } = service;

const clip = (profile_id: string | null) => ({ platform: 'manyvids', username: 'ivy', profile_id });
const URL_OF_CLIP = 'https://www.manyvids.com/Profile/17/ivy';

interface Identity {
  readonly aliases?: readonly string[];
  readonly profiles?: readonly object[];
}

/** What a scan of the creator asks the engine for. */
const handlesOf = async (agency: Agency, id: string, userId: string) => {
  await agency.api.protect(id, 'active');
  await agency.api.queueScan(id, `scan of ${id}`);
  await service.passUntil(async () => expect(await platform.jobsOf(userId)).toHaveLength(1));
  return (await platform.jobsOf(userId))[0]?.handles;
};

test("the platform's aliases have one form: shown once, merged, and searched once (D33, D34)", async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({
    aliases: ['Ame\u0301lie', 'Amélie', ' Mia ', '\u200bMia', '\u3164', '@mia'],
    profiles: [{ platform: 'x', username: 'ivy', profile_id: null }],
  });
  expect((await agency.api.creator(id)).aliases).toEqual(['Amélie', 'Mia', '@mia']);
  const patched = await agency.api.patch(id, { aliases: ['Mia\u2060', 'rosie'] });
  expect(patched.body).toMatchObject({ aliases: ['Amélie', 'Mia', '@mia', 'rosie'] });
  expect(await handlesOf(agency, id, userId)).toEqual([
    { platform: 'x', username: 'ivy', variants: ['Amélie', 'Mia'] },
  ]);
});

test.each<[string, Identity]>([
  ['no id', { profiles: [clip(null)] }],
  ['a blank id', { profiles: [clip('\u200b')] }],
  ['an id that is no number', { profiles: [clip('ivy')] }],
])("an entry of the platform with %s does not beat the agency's URL (D32, D75)", async (_what, identity) => {
  const agency = await service.agency();
  const { id } = await agency.linked(identity);
  expect((await agency.api.creator(id)).profile_urls).toEqual([]);
  const patched = await agency.api.patch(id, { profile_urls: [URL_OF_CLIP] });
  expect(patched.body).toMatchObject({ profile_urls: [URL_OF_CLIP] });
});

test('nor at onboarding: identity_sync_pending ends when it was written (D75)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited({ profile_urls: [URL_OF_CLIP] });
  await platform.control('POST', `/invitations/${id}/accept`);
  const accepted = await platform.control('POST', `/invitations/${id}/onboard`, {});
  const { user_id } = accepted as { readonly user_id: string };
  await agency.changeUser(user_id, { profiles: [clip('ivy')] });
  await service.pass(MINUTE);
  await service.passUntil(async () =>
    expect(await agency.api.creator(id)).toMatchObject({ identity_sync_pending: false, profile_urls: [URL_OF_CLIP] }),
  );
});

test('blank usernames are not searched, blank leak URLs are no cases, and a blank name is replaced (D65, D96)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({
    display_name: 'Ivy',
    profiles: [
      { platform: 'x', username: '\u3164', profile_id: null },
      { platform: 'x', username: 'ivy', profile_id: null },
    ],
  });
  await agency.leaks(userId, 1, { url: '\u2800' });
  await agency.leaks(userId, 1, { url: 'https://leaks.example/1' });
  expect((await agency.api.cases(id)).map(({ url }) => url)).toEqual(['https://leaks.example/1']);
  expect(await handlesOf(agency, id, userId)).toEqual([expect.objectContaining({ username: 'ivy' })]);
  await agency.changeUser(userId, { display_name: ' \u200b' });
  expect(await agency.api.creator(id)).toMatchObject({ display_name: 'ivy' });
  await agency.changeUser(userId, { profiles: [] });
  expect(await agency.api.creator(id)).toMatchObject({ display_name: userId });
});
