import { type AnnouncedStreams, announcesNothing, type PublicAnnouncement } from '#kernel';
import type { ScanEvent } from '../domain/scan.events.js';

export type ScanAnnouncement = PublicAnnouncement<'scan.completed' | 'scan.failed'>;

const about = ({ scanId, jobId }: { readonly scanId: string; readonly jobId: string | null }) => ({
  scan_id: scanId,
  ...(jobId !== null && { svc_job_id: jobId }),
});

export const scanAnnouncements: AnnouncedStreams<null, ScanEvent, ScanAnnouncement> = {
  decider: null,
  rows: {
    'scan.queued.v1': announcesNothing,
    'scan.dispatchStarted.v1': announcesNothing,
    'scan.accepted.v1': announcesNothing,
    'scan.started.v1': announcesNothing,
    'scan.outcomeLost.v1': announcesNothing,
    'scan.jobNotFound.v1': announcesNothing,
    'scan.completed.v1': (_before, _after, { data }) => [
      { type: 'scan.completed', creatorId: data.creatorId, data: about(data) },
    ],
    'scan.failed.v1': (_before, _after, { data }) => {
      const reason = data.errorCode === null ? {} : { reason: data.errorCode };
      return [
        { type: 'scan.failed', creatorId: data.creatorId, data: { ...about(data), status: 'failed', ...reason } },
      ];
    },
    'scan.cancelled.v1': announcesNothing,
  },
};
