import type {
  Authorization,
  AuthorizationStatus,
  Entitlement,
  EntitlementSource,
  NativeCreator,
} from '../contract/types.js';

/** What a control may say about a creator's standing: a word, the contract's own object, or just `eligible`. */
export interface StandingRequest {
  eligible?: boolean;
  authorization?: AuthorizationStatus | Authorization;
  entitlement?: EntitlementSource | Entitlement;
}

type Standing = Pick<NativeCreator, 'authorization' | 'entitlement'>;

export function standingOf(request: StandingRequest): Partial<Standing> {
  const standing: Partial<Standing> = {};
  if (request.eligible !== undefined) {
    standing.authorization = authorizationOf(request.eligible ? 'approved' : 'pending');
    standing.entitlement = entitlementOf(request.eligible ? 'agency_plan' : 'none');
  }
  if (request.authorization !== undefined) standing.authorization = authorizationOf(request.authorization);
  if (request.entitlement !== undefined) standing.entitlement = entitlementOf(request.entitlement);
  return standing;
}

/** Objects are shown as given, even an `expires_at` of the past together with `approved: true`. */
function authorizationOf(given: AuthorizationStatus | Authorization): Authorization {
  return typeof given === 'string' ? { approved: given === 'approved', status: given, expires_at: null } : given;
}

function entitlementOf(given: EntitlementSource | Entitlement): Entitlement {
  return typeof given === 'string' ? { active: given !== 'none', source: given } : given;
}
