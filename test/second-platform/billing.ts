import { type Answer, CANARY, Refusal } from './answer.js';
import type { Agency } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

/** A minute: shorter than people read. */
const VALID_MS = 60_000;

/** None is the default, and what may be absent or null is the one here and the other there. */
export function listPaymentMethods(world: World, { path }: Call): Answer {
  const { paymentMethods } = offeredTo(world, path.agency_id);
  return { status: 200, body: { data: paymentMethods.map((method) => ({ ...method, iban: CANARY })), page: 1 } };
}

/** The page is at a third place, and its address holds what has to stay as it is. */
export function createBillingSession(world: World, { path, body }: Call): Answer {
  offeredTo(world, path.agency_id);
  const back = encodeURIComponent((body as { return_url: string }).return_url);
  const url = `https://paiements.second.example:8443/p;v=2/${world.scattered()}?retour=${back}&x=%C3%A9#carte`;
  return { status: 201, body: { url, expires_at: world.now() + VALID_MS, secret: CANARY } };
}

function offeredTo(world: World, agencyId: string | undefined): Agency {
  const agency = world.agency(agencyId);
  if (agency.billingLacks) throw new Refusal(agency.billingLacks, 'not_offered');
  return agency;
}
