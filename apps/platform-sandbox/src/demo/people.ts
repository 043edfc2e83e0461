import type { AuthorizationStatus, EntitlementSource } from '../contract/types.js';

export const DEMO_AGENCY = 'agency_demo';
export const OTHER_AGENCY = 'agency_harbour';

/** Those who can sign in at the dashboard: name, what the list says, agency and roles of each, by the text that their user id derives from. */
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

/** Nobody here exists. */
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
