import { createHash } from 'node:crypto';
import type { AuthorizationStatus, EntitlementSource, LeakStatusCode } from '../contract/types.js';
import { newAgency, slotOf } from '../platform/agencies.js';
import { SAMPLE_METHODS } from '../platform/billing.js';
import { newCreator, standingOf } from '../platform/creators.js';
import { addImpersonation } from '../platform/impersonations.js';
import { addLeak, recordStatus } from '../platform/leaks.js';
import type { CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';

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
    world.slots.put({ ...slotOf(world, DEMO_AGENCY, creator.user_id), dashboard: true });
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

export const DEMO_AGENCY = 'agency_demo';
export const OTHER_AGENCY = 'agency_harbour';

/** The people who can sign in to the dashboard, by the text that gives the user id: name, list text, agency, roles. */
export const DASHBOARD_PEOPLE: Readonly<Record<string, readonly [string, string, string | null, readonly string[]]>> = {
  owner: ['Nora Lindgren', 'owner of Northlight Talent', DEMO_AGENCY, []],
  member: ['Tomas Okafor', 'member of Northlight Talent', DEMO_AGENCY, []],
  'other owner': ['Mireille Costa', 'owner of Harbour Talent, another agency', OTHER_AGENCY, []],
  operator: ['Priya Raman', 'operator of this service', null, ['operator']],
  auditor: ['Jonas Weber', 'auditor', null, ['auditor']],
  analyst: ['Aiko Tanaka', 'analyst', null, ['analyst']],
};

export interface Person {
  name: string;
  aliases: string[];
  /** `platform:username` or `platform:username:profile_id`. */
  profiles: string[];
  authorization: AuthorizationStatus;
  entitlement: EntitlementSource;
  leaks: number;
  impersonations: number;
  dashboardSlot?: boolean;
}

function person(name: string, aliases: string[], profiles: string[], leaks = 0, impersonations = 0): Person {
  return { name, aliases, profiles, leaks, impersonations, authorization: 'approved', entitlement: 'agency_plan' };
}

/** All names are fictional. */
export const PEOPLE: readonly Person[] = [
  person(
    'Solène Marchetti',
    ['Solène M', 'solemarch'],
    ['onlyfans:solemarch', 'instagram:sole.marchetti', 'x:solemarch_x'],
    9,
    2,
  ),
  person('Ivy Calloway', ['Ivy Callow', 'ivycal'], ['fansly:ivycalloway', 'tiktok:ivycalloway'], 7, 1),
  { ...person('Noor Vandersteen', ['Noor VDS'], ['fanvue:noorvds', 'instagram:noor.vds'], 5), dashboardSlot: true },
  person('Maëlle Dujardin-Roy', ['Maëlle DR', 'maelleroy'], ['mym:maelleroy', 'instagram:maelle.roy'], 8, 1),
  person('Tess Okonjo', ['Tess O', 'tessokx'], ['onlyfans:tessokonjo', 'manyvids:tessokonjo:1008842'], 6),
  person('Luca Ferrandini', ['Luca F', 'ferrandi'], ['chaturbate:lucaferr', 'x:lucaferrandini'], 4, 1),
  { ...person('Wren Halloran', ['Wren H'], ['stripchat:wrenhall', 'onlyfans:wrenhalloran'], 3), dashboardSlot: true },
  person('Camila Estévez-Lowe', ['Camila EL', 'camilowe'], ['fansly:camilowe', 'tiktok:camilowe'], 5, 1),
  person('Juno Ashgrove', ['Juno', 'junoash'], ['onlyfans:junoash', 'fanvue:junoash', 'instagram:juno.ash'], 2),
  person('Sacha Lindqvist', ['Sasha Lind', 'slindq'], ['mym:slindq', 'x:slindq'], 3),
  person('Priya Thornbury', ['Priya T'], ['manyvids:priyathorn:1011377', 'instagram:priya.thornbury']),
  person('Odalys Brennan', ['Oda B', 'odabren'], ['onlyfans:odabren']),
  { ...person('Margaux Vellin', ['Margaux V'], ['fansly:margauxvellin'], 2), entitlement: 'creator_subscription' },
  { ...person('Kit Sorensen-Vale', ['Kit SV'], ['chaturbate:kitsv', 'tiktok:kitsv']), authorization: 'pending' },
  { ...person('Delphine Arcand', ['Delph A'], ['instagram:delph.arcand'], 1), authorization: 'pending' },
  { ...person('Rowan Petrakis', ['Ro Petra'], ['onlyfans:ropetra'], 2), authorization: 'expired' },
  { ...person('Anouk Beaulac', ['Anouk'], ['mym:anoukb'], 1), authorization: 'expired', dashboardSlot: true },
  { ...person('Zadie Whitlock', ['Zadie W'], ['x:zadiewhit', 'fanvue:zadiewhit']), authorization: 'rejected' },
  { ...person('Elio Castaing', ['Elio C'], ['stripchat:eliocast']), entitlement: 'none' },
  {
    ...person('Freya Nightingale', ['Freya N'], ['onlyfans:freyanight']),
    authorization: 'missing',
    entitlement: 'none',
  },
];
