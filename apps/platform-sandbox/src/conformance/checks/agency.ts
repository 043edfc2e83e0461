import type { Agency, NativeCreator, Profile } from '../../contract/types.js';
import type { Check } from '../check.js';
import { UNKNOWN } from '../samples.js';
import { equal, expect, Skipped } from '../verdict.js';

/** Nothing can be taken off an identity again, so that every run adds the same. */
const ALIAS = 'Conformance Check';

export const agencyChecks: readonly Check[] = [
  {
    name: 'getAgency shows the agency that was asked for',
    async verify({ client, discovery }) {
      const agency = await client.get<Agency>('getAgency', 200, { path: { agency_id: discovery.agencyId } });
      equal(agency.id, discovery.agencyId, 'id');
    },
  },
  {
    name: 'getCapacity counts slots',
    verify: async ({ discovery }) => void (await discovery.capacity()),
  },
  {
    name: 'updateIdentity merges aliases exactly and adds no duplicates',
    async verify({ client, discovery }) {
      const creator = await discovery.creator();
      const path = discovery.pathOf(creator);
      const first = await client.get<NativeCreator>('updateIdentity', 200, { path, body: { aliases: [ALIAS, ALIAS] } });
      expect(
        creator.aliases.every((alias) => first.aliases.includes(alias)),
        'existing aliases stay',
      );
      equal(first.aliases.filter((alias) => alias === ALIAS).length, 1, 'the alias is there once');
      const again = await client.get<NativeCreator>('updateIdentity', 200, { path, body: { aliases: [ALIAS] } });
      equal(again.aliases.toSorted(), first.aliases.toSorted(), 'aliases after a repeat');
      equal(again.display_name, creator.display_name, 'a name that was not sent');
      const read = await client.get<NativeCreator>('getNativeCreator', 200, { path });
      equal(read.aliases.toSorted(), first.aliases.toSorted(), 'as read');
    },
  },
  {
    name: 'updateIdentity adds no profile that is there already, in another case',
    async verify({ client, discovery }) {
      const creator = (await discovery.creators()).find((one) => one.profiles.length > 0);
      const profile = creator?.profiles[0];
      if (!creator || !profile) throw new Skipped('no creator has a profile');
      const body = { profiles: [{ ...profile, username: profile.username.toUpperCase() }] };
      const merged = await client.get<NativeCreator>('updateIdentity', 200, { path: discovery.pathOf(creator), body });
      equal(merged.profiles.length, creator.profiles.length, 'profiles');
    },
  },
  {
    name: 'updateIdentity merges profiles of manyvids by their id, and one without an id with none that has one',
    async verify({ client, discovery }) {
      const path = await discovery.path();
      const merge = async (profiles: Profile[]) =>
        (await client.get<NativeCreator>('updateIdentity', 200, { path, body: { profiles } })).profiles.filter(
          ({ platform, username }) => platform === 'manyvids' && username.toLowerCase().startsWith('conformance'),
        ).length;
      const withId = { platform: 'manyvids', username: 'conformance', profile_id: '424242' };
      const first = await merge([withId, { platform: 'manyvids', username: 'conformance' }]);
      equal(first, 2, 'one with an id, one without');
      equal(await merge([{ ...withId, username: 'conformance_renamed' }]), 2, 'after another name of the same id');
      equal(await merge([{ platform: 'manyvids', username: 'conformance' }]), 2, 'after a repeat without an id');
    },
  },
  {
    name: 'updateIdentity sets the name',
    async verify({ client, discovery }) {
      const { display_name, ...creator } = await discovery.creator();
      const path = { agency_id: discovery.agencyId, user_id: creator.user_id };
      const renamed = await client.get<NativeCreator>('updateIdentity', 200, { path, body: { display_name: ALIAS } });
      const restored = await client.get<NativeCreator>('updateIdentity', 200, { path, body: { display_name } });
      equal([renamed.display_name, restored.display_name], [ALIAS, display_name], 'names');
    },
  },
  {
    name: 'updateIdentity may refuse an empty body, unknown members and bad names',
    async verify({ client, discovery }) {
      const { display_name, ...creator } = await discovery.creator();
      const path = { agency_id: discovery.agencyId, user_id: creator.user_id };
      const restore = async () => void (await client.get('updateIdentity', 200, { path, body: { display_name } }));
      for (const body of [{}, { [UNKNOWN]: 1 }, { display_name: '' }, { display_name: 'x'.repeat(161) }]) {
        await client.mayRefuse('updateIdentity', { path, body }, restore);
      }
    },
  },
];
