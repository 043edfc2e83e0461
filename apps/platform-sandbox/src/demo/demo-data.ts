import { createHash } from 'node:crypto';
import type { LeakStatusCode } from '../contract/types.js';
import { newAgency } from '../platform/agencies.js';
import { SAMPLE_METHODS } from '../platform/billing.js';
import { addImpersonation } from '../platform/impersonations.js';
import { addLeak, recordStatus } from '../platform/leaks.js';
import { newCreator, standingOf } from '../platform/membership.js';
import type { CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { DASHBOARD_PEOPLE, DEMO_AGENCY, OTHER_AGENCY, PEOPLE, type Person } from './people.js';

const DAY = 24 * 60 * 60 * 1000;
const HOSTS = ['mirror-vault.example', 'leakpile.example', 'galerie-pirate.example', 'fanhoard.example'];

const STATES: readonly (readonly [LeakStatusCode, string])[] = [
  ['detected', 'Detected'],
  ['reviewing', 'En cours d’examen'],
  ['notice_sent', 'Notice sent'],
  ['removed', 'Supprimé'],
  ['detected', 'Détecté'],
  ['rejected', 'Rejected by host'],
  ['notice_sent', 'Mise en demeure envoyée'],
  ['ignored', 'Ignored'],
];

/** One approved agency with twenty creators; the same ids in every sandbox. */
export function addDemoData(world: World): void {
  world.agencies.put({
    ...newAgency(DEMO_AGENCY),
    name: 'Northlight Talent',
    owner_user_id: uuidOf('owner'),
    total_slots: 12,
    dashboard_slots: 1,
    payment_methods: SAMPLE_METHODS.slice(0, 1).map((method) => ({ ...method, id: 'pm_demo', is_default: true })),
  });
  world.agencies.put({ ...newAgency(OTHER_AGENCY), name: 'Harbour Talent', owner_user_id: uuidOf('other owner') });
  for (const [who, [name, title, agency_id, roles]] of Object.entries(DASHBOARD_PEOPLE)) {
    world.people.put({ id: uuidOf(who), name, title, agency_id, roles: [...roles] });
  }
  for (const [at, person] of PEOPLE.entries()) {
    const creator = addPerson(world, person, at);
    for (let number = 0; number < person.leaks; number++) addFinding(world, creator, at, number);
    for (let number = 0; number < person.impersonations; number++) addImpostor(world, creator, number);
  }
}

function addPerson(world: World, person: Person, at: number): CreatorRecord {
  const { authorization, entitlement, name, aliases } = person;
  const creator = world.creators.put({
    ...newCreator(world, DEMO_AGENCY, uuidOf(name), at),
    display_name: name,
    aliases,
    profiles: person.profiles.map((text) => {
      const [platform = '', username = '', profile_id = null] = text.split(':');
      return { platform, username, profile_id };
    }),
    ...standingOf({ authorization, entitlement }),
  });
  if (person.dashboardSlot) {
    world.slots.put({ user_id: creator.user_id, agency_id: DEMO_AGENCY, dashboard: true, api: false });
  }
  return creator;
}

function addFinding(world: World, creator: CreatorRecord, at: number, number: number): void {
  const [status_code, status] = STATES[(at + number) % STATES.length] ?? ['detected', 'Detected'];
  const created_at = world.now() - (40 - number * 3) * DAY + at * 60_000;
  const updated_at = status_code === 'detected' ? created_at : created_at + 2 * DAY;
  const username = creator.profiles[0]?.username ?? 'unknown';
  const leak = addLeak(world, creator.user_id, {
    leak_id: `leak_${uuidOf(`${creator.user_id} leak ${number}`).replaceAll('-', '')}`,
    url: `https://${HOSTS[number % HOSTS.length]}/${username}/set-${number + 1}`,
    status,
    status_code,
    actionable: number % 5 === 4 ? null : status_code !== 'ignored',
    dead_on_arrival: number % 5 === 4 ? null : number % 7 === 6,
    created_at,
    updated_at,
  });
  if (status_code !== 'detected') recordStatus(world, leak);
}

function addImpostor(world: World, creator: CreatorRecord, number: number): void {
  const username = `${creator.profiles[0]?.username ?? 'someone'}_official${number + 1}`;
  addImpersonation(world, creator.user_id, {
    impersonation_id: `imp_${uuidOf(`${creator.user_id} imp ${number}`).replaceAll('-', '')}`,
    platform: number % 2 === 0 ? 'instagram' : 'x',
    url: number % 2 === 0 ? `https://instagram.com/${username}` : `https://x.com/${username}`,
    username,
    status: number % 2 === 0 ? 'open' : 'reported',
    created_at: world.now() - 12 * DAY,
    private_notes: `Likely the same person as last spring. Do not tell ${creator.display_name} yet.`,
  });
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`northlight ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
