import type { Agency, NativeCreator } from '../../contract/types.js';
import type { Check } from '../check.js';
import { UNKNOWN } from '../samples.js';
import { equal, expect, Skipped } from '../verdict.js';

/** Nothing can be taken off an identity again, so that every run adds the same. */
const ALIAS = 'Conformance Check';
const MAX_CREATORS_READ = 10;

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
    name: 'occupySlot and releaseSlot are idempotent and count once',
    async verify({ client, discovery }) {
      const before = await discovery.capacity();
      if (before.occupied_slots + before.reserved_slots >= before.total_slots) throw new Skipped('no free slot');
      for (const creator of (await discovery.creators()).slice(0, MAX_CREATORS_READ)) {
        const path = discovery.pathOf(creator);
        await client.get('occupySlot', 200, { path });
        const { occupied_slots } = await discovery.capacity();
        // Held before this check: not ours to release.
        if (occupied_slots === before.occupied_slots) continue;
        await client.get('occupySlot', 200, { path });
        equal((await discovery.capacity()).occupied_slots, before.occupied_slots + 1, 'occupied after two PUTs');
        await client.get('releaseSlot', 204, { path });
        await client.get('releaseSlot', 204, { path });
        equal((await discovery.capacity()).occupied_slots, before.occupied_slots, 'occupied after two DELETEs');
        return;
      }
      throw new Skipped('every creator that was read holds a slot');
    },
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
      equal(again.aliases, first.aliases, 'aliases after a repeat');
      equal(again.display_name, creator.display_name, 'a name that was not sent');
      equal((await client.get<NativeCreator>('getNativeCreator', 200, { path })).aliases, first.aliases, 'as read');
    },
  },
  {
    name: 'updateIdentity adds no profile that is there already',
    async verify({ client, discovery }) {
      const creator = (await discovery.creators()).find((one) => one.profiles.length > 0);
      const profile = creator?.profiles[0];
      if (!creator || !profile) throw new Skipped('no creator has a profile');
      const body = { profiles: [{ platform: profile.platform, username: profile.username }] };
      const merged = await client.get<NativeCreator>('updateIdentity', 200, { path: discovery.pathOf(creator), body });
      equal(merged.profiles.length, creator.profiles.length, 'profiles');
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
    name: 'updateIdentity refuses an empty body, unknown members and bad values',
    async verify({ client, discovery }) {
      const path = await discovery.path();
      const bodies = [{}, { [UNKNOWN]: 1 }, { display_name: '' }, { display_name: 'x'.repeat(161) }];
      for (const body of [
        ...bodies,
        { aliases: ['x'.repeat(161)] },
        { aliases: 'one' },
        { profiles: [{ platform: 'x' }] },
      ]) {
        await client.refused('updateIdentity', 400, undefined, { path, body });
      }
    },
  },
];
