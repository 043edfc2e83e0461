import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse } from '@nestjs/swagger';
import { CheckSignature } from '#webhooks';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { signatureMessage } from './signature-message.js';
import { SignatureCheckAnswer, SignatureCheckBody } from './webhooks.dto.js';

@Controller('dashboard/api/signature-check')
export class SignatureCheckController {
  constructor(private readonly queries: QueryBus) {}

  /** A body, because headers and a hash are too long for an address; nothing changes. */
  @Post()
  @HttpCode(200)
  @Rights('read')
  @ApiOkResponse({ type: SignatureCheckAnswer })
  async check(@Visitor() { agencyId }: Visit, @Body() body: SignatureCheckBody): Promise<SignatureCheckAnswer> {
    const named = Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    const endpointId = idParam('webhookEndpoint', body.endpoint);
    const result = await this.queries.execute(new CheckSignature(endpointId, new Map(named), body.sha256, agencyId));
    return { verdict: result.verdict, message: signatureMessage(result) };
  }
}
