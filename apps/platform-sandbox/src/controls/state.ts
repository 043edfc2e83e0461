import { objectOf } from '../contract/schemas.js';
import { addDemoData } from '../demo/demo-data.js';
import { countSlots } from '../platform/slots.js';
import type { Settings } from '../state/records.js';
import { COUNT, control, FLAG, NO_MEMBERS, NULLABLE_COUNT } from './control.js';

const SETTINGS = objectOf({
  scan_duration_ms: COUNT,
  scan_auto: FLAG,
  leaks_per_handle: COUNT,
  deindex_step_ms: NULLABLE_COUNT,
  email_accepted: FLAG,
  onboard_after_ms: NULLABLE_COUNT,
});

export const stateControls = [
  control<Partial<Settings>>('PATCH', '/settings', SETTINGS, ({ world }, { body }) => {
    world.settings = { ...world.settings, ...body };
    return world.settings;
  }),

  control<{ demo?: boolean }>('POST', '/reset', objectOf({ demo: FLAG }), ({ world, faults, calls }, { body }) => {
    world.clear();
    faults.clear();
    calls.clear();
    if (body.demo) addDemoData(world);
  }),

  control('GET', '/state', NO_MEMBERS, ({ world }) => ({
    settings: world.settings,
    agencies: [...world.agencies.values()].map((agency) => ({ ...agency, slots: countSlots(world, agency.id) })),
    creators: [...world.creators.values()],
    people: [...world.people.values()],
    slots: [...world.slots.values()],
    invitations: [...world.invitations.values()],
    leaks: [...world.leaks.values()],
    impersonations: [...world.impersonations.values()],
    activity: [...world.activity.values()],
    scan_jobs: [...world.jobs.values()],
    deindex_submissions: [...world.submissions.values()],
  })),
];
