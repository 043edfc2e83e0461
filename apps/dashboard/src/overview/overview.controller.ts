import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { ApiAddress } from '../api-address.js';
import { callSamples } from '../code-samples.js';
import { OverviewAnswer } from './overview.dto.js';
import { Overview } from './overview.js';

@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly overview: Overview,
    private readonly api: ApiAddress,
  ) {}

  @Get()
  @Rights('read')
  @ApiOkResponse({ type: OverviewAnswer })
  async show(@Visitor() { agencyId, workspaceId }: Visit): Promise<OverviewAnswer> {
    const api_url = this.api.url;
    return { ...(await this.overview.of(agencyId, workspaceId)), api_url, samples: callSamples(api_url) };
  }
}
