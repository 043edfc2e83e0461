import type { AnnouncedStreams, PublicAnnouncement } from '#kernel';
import type { CasesOptions } from '../cases.options.js';
import { type CaseEvent, type CaseState, caseDecider } from '../domain/case.js';
import { publicCase } from './public-case.js';

export type CaseAnnouncement = PublicAnnouncement<'case.created' | 'case.updated' | 'case.deleted'>;

const announce =
  (type: 'case.created' | 'case.updated') =>
  (_before: CaseState, after: CaseState, _event: unknown, { faviconTemplate }: CasesOptions) => {
    if (after.status === 'unknown') return [];
    const shown = publicCase(after, faviconTemplate);
    const scan = shown.scan_id === null ? {} : { scan_id: shown.scan_id };
    return [
      { type, creatorId: after.creatorId, data: { case_id: shown.id, ...scan, status: shown.status, case: shown } },
    ];
  };
const updated = announce('case.updated');

export const caseAnnouncements: AnnouncedStreams<CaseState, CaseEvent, CaseAnnouncement, CasesOptions> = {
  decider: caseDecider,
  rows: {
    'case.opened.v1': announce('case.created'),
    'case.changed.v1': updated,
    'case.attributed.v1': updated,
    'case.restored.v1': updated,
    'case.removed.v1': (_before, after) =>
      after.status === 'unknown'
        ? []
        : [{ type: 'case.deleted', creatorId: after.creatorId, data: { case_id: after.caseId } }],
  },
};
