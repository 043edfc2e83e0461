import {
  type AgencyId,
  type Decider,
  DomainError,
  derivedUuid,
  type Effect,
  type ImpersonationId,
  textProblem,
  unknownEvent,
} from '#kernel';
import type { ImpersonationReportEvent, ReportInput } from './impersonation-report.events.js';

export const MAX_IMPERSONATION_URL_LENGTH = 2_048;

/** Of RFC 3986, which leaves the letters of other scripts to be percent-encoded. */
const URI = /^https?:\/\/(?!\/)(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})+$/i;

/** What is wrong with the URL, or undefined. Whether its platform is supported, the native platform knows. */
export const impersonationUrlProblem = (url: string): string | undefined => {
  const problem = textProblem(url, MAX_IMPERSONATION_URL_LENGTH);
  if (problem !== undefined) return problem;
  if (!/^https?:\/\/(?!\/)/i.test(url) || !URL.canParse(url)) return 'must be an http or https URL';
  if (URI.test(url)) return undefined;
  const { href } = new URL(url);
  const remedy = URI.test(href) ? `${href} would be accepted` : 'encode other characters than ASCII';
  return `must be percent-encoded: ${remedy}`;
};

/** One key's report. A refused one consumes no key (D45), and leaves nothing behind. */
export type ImpersonationReport =
  | { readonly status: 'none' }
  | (ReportInput & { readonly status: 'open'; readonly isOutcomeUnknown: boolean })
  | (ReportInput & { readonly status: 'done'; readonly impersonationId: ImpersonationId });

export const impersonationReportDecider: Decider<ImpersonationReport, ImpersonationReportEvent> = {
  category: 'impersonationReport',
  initial: { status: 'none' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'impersonationReport.requested.v1': {
        const { creatorId, personal } = event.data;
        return { status: 'open', creatorId, url: personal.url, isOutcomeUnknown: false };
      }
      case 'impersonationReport.outcomeLost.v1':
        return state.status === 'open' ? { ...state, isOutcomeUnknown: true } : state;
      case 'impersonationReport.refused.v1':
        return { status: 'none' };
      case 'impersonationReport.made.v1': {
        const { creatorId, personal, impersonationId } = event.data;
        return { status: 'done', creatorId, url: personal.url, impersonationId };
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

/** Follows from agency and key, and is the platform's reference and key: a report cannot be made twice (D45). */
export const impersonationReportIdOf = (agencyId: AgencyId, idempotencyKey: string): string =>
  derivedUuid('impersonationReport', agencyId, idempotencyKey);

/** The same key asks for the same, or is `idempotency_conflict`. */
export function requireSameReport(state: ImpersonationReport, { creatorId, url }: ReportInput): void {
  if (state.status === 'none') return;
  if (state.creatorId !== creatorId || state.url !== url) throw new DomainError('idempotency_conflict');
}

/** The intent, before anything is sent; nothing for a repeat. */
export function requestReport(state: ImpersonationReport, input: ReportInput): ImpersonationReportEvent[] {
  requireSameReport(state, input);
  if (state.status !== 'none') return [];
  const { creatorId, url } = input;
  return [{ type: 'impersonationReport.requested.v1', data: { creatorId, personal: { url } } }];
}

/** The outcome of reporting; done also if another attempt under the same key was refused during the call. */
export function recordReport(
  state: ImpersonationReport,
  { creatorId, url }: ReportInput,
  effect: Effect<{ readonly impersonationId: ImpersonationId }>,
): ImpersonationReportEvent[] {
  if (effect.outcome === 'done') {
    const { impersonationId } = effect.value;
    const data = { creatorId, impersonationId, personal: { url } };
    return state.status === 'done' ? [] : [{ type: 'impersonationReport.made.v1', data }];
  }
  if (state.status !== 'open') return [];
  const of = { creatorId: state.creatorId };
  if (effect.outcome === 'refused') {
    return [{ type: 'impersonationReport.refused.v1', data: { ...of, code: effect.code } }];
  }
  return state.isOutcomeUnknown ? [] : [{ type: 'impersonationReport.outcomeLost.v1', data: of }];
}
