import { addDemoData } from '../demo/demo-data.js';
import { countSlots } from '../platform/slots.js';
import type { Settings } from '../state/records.js';
import { COUNT, type Control, controlBody, FLAG } from './control.js';

export const stateControls: readonly Control[] = [
  {
    method: 'PATCH',
    path: '/settings',
    members: {
      scan_duration_ms: COUNT,
      scan_auto: FLAG,
      leaks_per_handle: COUNT,
      deindex_step_ms: { type: ['integer', 'null'], minimum: 0 },
      email_accepted: FLAG,
      onboard_after_ms: { type: ['integer', 'null'], minimum: 0 },
    },
    run({ world }, call) {
      world.settings = { ...world.settings, ...controlBody<Partial<Settings>>(call) };
      return world.settings;
    },
  },
  {
    method: 'POST',
    path: '/reset',
    members: { demo: FLAG },
    run(core, call) {
      core.world.clear();
      core.faults.clear();
      core.calls.clear();
      if (controlBody<{ demo?: boolean }>(call).demo) addDemoData(core.world);
    },
  },
  {
    method: 'GET',
    path: '/state',
    members: {},
    run({ world }) {
      return {
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
      };
    },
  },
];
