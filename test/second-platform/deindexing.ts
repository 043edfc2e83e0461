import { type Answer, Refusal } from './answer.js';
import type { DeindexSubmission } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

interface DeindexBody {
  reference: string;
  agency_id: string;
  user_id: string;
  leak_id: string;
  url: string;
}

export function submitDeindex(world: World, { body }: Call): Answer {
  const { reference, agency_id, user_id, leak_id, url } = body as DeindexBody;
  const leak = world.member(agency_id, user_id).leaks.get(leak_id);
  if (leak?.url !== url) throw new Refusal(422, 'not_deindexable');
  const submission: DeindexSubmission = {
    submission_id: `s-${world.scattered()}`,
    reference,
    status: 'queued',
    submitted_to_provider: false,
    removal_verified: false,
    error_code: null,
    updated_at: world.now(),
  };
  world.submissions.set(reference, submission);
  return { status: 202, body: submission };
}

export function findDeindexSubmission(world: World, { query }: Call): Answer {
  const found = world.submissions.get(query.reference ?? '');
  return { status: 200, body: { data: found ? [found] : [] } };
}
