import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  derivedUuid,
  type Effect,
  type ImpersonationId,
  renamedTypes,
  textProblem,
  unknownEvent,
} from '#kernel';

export interface ReportInput {
  readonly creatorId: CreatorId;
  readonly url: string;
}

type Recorded = Pick<ReportInput, 'creatorId'> & { readonly personal: Pick<ReportInput, 'url'> };

type Fact<Type extends string, Data extends object> = {
  readonly type: `impersonationReport.${Type}.v1`;
  readonly data: Data;
};

export type ImpersonationReportEvent =
  | Fact<'requested', Recorded>
  | Fact<'outcomeLost', Pick<ReportInput, 'creatorId'>>
  | Fact<'refused', Pick<ReportInput, 'creatorId'> & { code: string }>
  | Fact<'made', Recorded & { impersonationId: ImpersonationId }>;

/** Logs of builds up to 0.8 have the types on the left. */
export const impersonationReportUpcasters = renamedTypes<ImpersonationReportEvent['type']>({
  'impersonationReport.done.v1': 'impersonationReport.made.v1',
  'impersonationReport.unknown.v1': 'impersonationReport.outcomeLost.v1',
});

export const MAX_IMPERSONATION_URL_LENGTH = 2_048;

/** RFC 3986 leaves the letters of other scripts to be percent-encoded. */
const URI = /^https?:\/\/(?!\/)(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})+$/i;

/** Undefined for a valid URL. The native platform knows which platforms it supports. */
export const impersonationUrlProblem = (url: string): string | undefined => {
  const problem = textProblem(url, MAX_IMPERSONATION_URL_LENGTH);
  if (problem !== undefined) return problem;
  if (!/^https?:\/\/(?!\/)/i.test(url) || !URL.canParse(url)) return 'must be an http or https URL';
  if (URI.test(url)) return undefined;
  const { href } = new URL(url);
  const remedy = URI.test(href) ? `${href} would be accepted` : 'encode all characters other than ASCII';
  return `must be percent-encoded: ${remedy}`;
};

/** The report of one key. A refused one does not use up the key (D45), and leaves nothing behind. */
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

/** Derived from agency and key, and the platform's reference and key: a report cannot be made twice (D45). */
export const impersonationReportIdOf = (agencyId: AgencyId, idempotencyKey: string): string =>
  derivedUuid('impersonationReport', agencyId, idempotencyKey);

/** The same key must request the same, or it is `idempotency_conflict`. */
export function requireSameReport(state: ImpersonationReport, { creatorId, url }: ReportInput): void {
  if (state.status === 'none') return;
  if (state.creatorId !== creatorId || state.url !== url) throw new DomainError('idempotency_conflict');
}

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
