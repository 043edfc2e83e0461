import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { ENROLLMENT_COUNT, METERING, PUBLISHER, SCAN_PLACES } from '#processes';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../composition/src/index.js';
import { SERVICES } from '../tokens.js';
import type { AccessedRequest } from './access.js';

/** What an agency can read of a write: lists, feed, usage, and what a pause cancels. */
export const VIEWS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT];
const PATIENCE = 2_000;

/** An answer to a write is given once the views have passed it, or after two seconds. */
@Injectable()
export class ReadYourWritesInterceptor implements NestInterceptor {
  constructor(@Inject(SERVICES) private readonly services: Services) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    if (request.method === 'GET') return next.handle();
    return next.handle().pipe(
      concatMap(async (answer) => {
        const position = request.access?.context.trail.position ?? 0;
        if (position > 0) await this.services.progress.passed(VIEWS, position, PATIENCE);
        return answer;
      }),
    );
  }
}
