import { ENROLLMENT_COUNT } from '#creators';
import { PUBLISHER } from '#event-feed';
import { READ_MODELS } from '#projections';
import { SCAN_PLACES } from '#scans';
import { METERING } from '#usage';
import { WEBHOOK_SCHEDULING } from '#webhooks';

/** All that follows the log. */
export const LOG_RUNNERS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT, WEBHOOK_SCHEDULING];
