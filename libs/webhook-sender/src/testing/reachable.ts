import { ANY_TARGETS, PUBLIC_TARGETS, type TargetRules } from '#webhooks';

/** The public rules, except that these addresses count as public receivers; any scheme and port. */
export const reachable = (...addresses: readonly string[]): TargetRules => ({
  urlProblem: ANY_TARGETS.urlProblem,
  addressProblem: (address) => (addresses.includes(address) ? undefined : PUBLIC_TARGETS.addressProblem(address)),
});
