import type { CommandBus } from '@nestjs/cqrs';
import { DAY, MINUTE, SECOND } from '#kernel';
import type { Service } from '../../../contexts/src/service.fixtures.js';
import { commandBusOf } from '../../../testing/src/buses.js';
import { AdvanceScanHandler } from '../application/advance-scan.js';
import { CancelQueuedScanHandler } from '../application/cancel-queued-scan.js';
import { CompleteScanAdmissionHandler } from '../application/complete-scan-admission.js';
import { EndSetAsideAdmissionHandler } from '../application/end-set-aside-admission.js';
import { QueueScheduledScanHandler } from '../application/queue-scheduled-scan.js';
import { ReleaseScanHandler } from '../application/release-scan.js';
import { ScanCompletion } from '../application/scan-completion.js';
import type { ScansOptions } from '../scans.options.js';

const OPTIONS: ScansOptions = { pollEvery: MINUTE, providerTimeout: 5 * SECOND, scheduleEvery: DAY };

/** The command bus with the use cases that the processes execute. */
export const scanCommands = (service: Service, options = OPTIONS): CommandBus => {
  const { log, scanRepository, scanAllowances, scans, creators, access, engine, cases, clock } = service;
  const completion = new ScanCompletion(scanRepository, creators, cases);
  return commandBusOf(
    new AdvanceScanHandler(log, scanRepository, creators, access, engine, completion, clock, options),
    new QueueScheduledScanHandler(scanRepository, scans, creators, access, clock, options),
    new CompleteScanAdmissionHandler(scanAllowances, scans),
    new EndSetAsideAdmissionHandler(scanRepository, scanAllowances),
    new ReleaseScanHandler(scanAllowances),
    new CancelQueuedScanHandler(scanRepository, scans, creators),
  );
};
