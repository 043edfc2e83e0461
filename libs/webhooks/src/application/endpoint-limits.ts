import { Injectable } from '@nestjs/common';
import type { Binding } from '#agencies';
import { invalidRequest } from '#kernel';
import { type EndpointDocument, EndpointList } from '../read-models/endpoint-list.js';

/** Each event is sent to each of them, over its own connections. */
export const MAX_ACTIVE = 100;
/** In all, disabled ones too: lists and searches read all of them. */
export const MAX_ENDPOINTS = 1_000;

/** How many endpoints a binding of an agency may have. Concurrent requests may go beyond that by their number. */
@Injectable()
export class EndpointLimits {
  constructor(private readonly list: EndpointList) {}

  async requireRoomForNew(binding: Binding): Promise<void> {
    const endpoints = await this.ofBinding(binding);
    if (endpoints.length >= MAX_ENDPOINTS) {
      const message = `would be that of more than ${MAX_ENDPOINTS} endpoints; enable a disabled one`;
      throw invalidRequest({ field: 'url', message });
    }
    requireFewActive(endpoints, 'url');
  }

  async requireRoomForActive(binding: Binding): Promise<void> {
    requireFewActive(await this.ofBinding(binding), 'endpoint');
  }

  /** A new owner does not suffer from what the former one registered. */
  private async ofBinding({ agencyId, epoch }: Binding): Promise<EndpointDocument[]> {
    return (await this.list.ofAgency(agencyId)).filter((endpoint) => endpoint.epoch === epoch);
  }
}

const requireFewActive = (endpoints: readonly EndpointDocument[], field: string): void => {
  if (endpoints.filter(({ status }) => status === 'active').length < MAX_ACTIVE) return;
  throw invalidRequest({ field, message: `would be one of more than ${MAX_ACTIVE} active ones; disable another one` });
};
