import type { Agency, NativeCreator, Profile } from '../../contract/types.js';
import { type Check, check, type Subject } from '../check.js';
import { equal, expect, Skipped } from '../contract-client.js';
import { UNKNOWN } from '../samples.js';

/** Nothing can be removed from an identity, so every run adds the same. */
const ALIAS = 'Conformance Check';

const update = ({ client, discovery }: Subject, creator: NativeCreator, body: object): Promise<NativeCreator> =>
  client.get('updateIdentity', 200, { path: discovery.pathOf(creator), body });

export const agencyChecks: readonly Check[] = [
  check('getAgency shows the agency that was asked for', async ({ client, discovery }) => {
    const agency = await client.get<Agency>('getAgency', 200, { path: { agency_id: discovery.agencyId } });
    equal(agency.id, discovery.agencyId, 'id');
  }),

  check('getCapacity counts slots', async ({ discovery }) => void (await discovery.capacity())),

  check('updateIdentity merges aliases exactly and adds no duplicates', async (subject) => {
    const { client, discovery } = subject;
    const creator = await discovery.creator();
    const first = await update(subject, creator, { aliases: [ALIAS, ALIAS] });
    expect(
      creator.aliases.every((alias) => first.aliases.includes(alias)),
      'existing aliases stay',
    );
    equal(first.aliases.filter((alias) => alias === ALIAS).length, 1, 'the alias is there once');
    const again = await update(subject, creator, { aliases: [ALIAS] });
    equal(again.aliases.toSorted(), first.aliases.toSorted(), 'aliases after a repeat');
    equal(again.display_name, creator.display_name, 'a name that was not sent');
    const path = discovery.pathOf(creator);
    const read = await client.get<NativeCreator>('getNativeCreator', 200, { path });
    equal(read.aliases.toSorted(), first.aliases.toSorted(), 'as read');
  }),

  check('updateIdentity adds no profile that is there already, in another case', async (subject) => {
    const creator = (await subject.discovery.creators()).find((one) => one.profiles.length > 0);
    const profile = creator?.profiles[0];
    if (!creator || !profile) throw new Skipped('no creator has a profile');
    const inCapitals = { ...profile, username: profile.username.toUpperCase() };
    const merged = await update(subject, creator, { profiles: [inCapitals] });
    equal(merged.profiles.length, creator.profiles.length, 'profiles');
  }),

  check(
    'updateIdentity merges profiles of manyvids by their id, and one without an id with none that has one',
    async (subject) => {
      const creator = await subject.discovery.creator();
      const merge = async (...profiles: Profile[]) =>
        (await update(subject, creator, { profiles })).profiles.filter(
          ({ platform, username }) => platform === 'manyvids' && username.toLowerCase().startsWith('conformance'),
        ).length;
      const withoutId = { platform: 'manyvids', username: 'conformance' };
      const withId = { ...withoutId, profile_id: '424242' };
      equal(await merge(withId, withoutId), 2, 'one with an id, one without');
      equal(await merge({ ...withId, username: 'conformance_renamed' }), 2, 'after another name of the same id');
      equal(await merge(withoutId), 2, 'after a repeat without an id');
    },
  ),

  check('updateIdentity sets the name', async (subject) => {
    const creator = await subject.discovery.creator();
    const { display_name } = creator;
    const renamed = await update(subject, creator, { display_name: ALIAS });
    const restored = await update(subject, creator, { display_name });
    equal([renamed.display_name, restored.display_name], [ALIAS, display_name], 'names');
  }),

  check('updateIdentity may refuse an empty body, unknown members and bad names', async (subject) => {
    const { client, discovery } = subject;
    const creator = await discovery.creator();
    const path = discovery.pathOf(creator);
    const restore = async () => void (await update(subject, creator, { display_name: creator.display_name }));
    for (const body of [{}, { [UNKNOWN]: 1 }, { display_name: '' }, { display_name: 'x'.repeat(161) }]) {
      await client.mayRefuse('updateIdentity', { path, body }, restore);
    }
  }),
];
