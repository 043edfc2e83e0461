import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsHash, IsObject } from 'class-validator';
import { MINUTE, SECOND } from '#kernel';
import { type CheckResult, CheckSignature } from '#webhooks';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { Text } from '../../../api/src/http/validation/rules.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import type { SignatureCheckAnswer } from './answers.js';

const MAX_ID_LENGTH = 40;

class SignatureCheckBody {
  @Text(MAX_ID_LENGTH)
  endpoint!: string;

  @IsObject({ message: 'must be an object with the headers' })
  headers!: Readonly<Record<string, string>>;

  /** SHA-256 of the received bytes. */
  @IsHash('sha256', { message: 'must be a SHA-256 in hexadecimal' })
  sha256!: string;
}

@Controller('dashboard/api/signature-check')
export class SignatureCheckController {
  constructor(private readonly queries: QueryBus) {}

  /** A body, because headers and a hash are too long for an address; nothing changes. */
  @Post()
  @HttpCode(200)
  @Rights('read')
  async check(@Visitor() { agencyId }: Visit, @Body() body: SignatureCheckBody): Promise<SignatureCheckAnswer> {
    const named = Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    const endpointId = idParam('webhookEndpoint', body.endpoint);
    const result = await this.queries.execute(new CheckSignature(endpointId, new Map(named), body.sha256, agencyId));
    return { verdict: result.verdict, message: signatureMessage(result) };
  }
}

/** What the verdict means, and what to check in the receiver. */
const signatureMessage = ({ verdict, age }: CheckResult): string => {
  switch (verdict) {
    case 'valid':
      return 'Valid: these headers and bytes are what was sent, and the signature is of a secret in force.';
    case 'clock':
      return `Clock: the signature is right, but its timestamp is ${distance(age)} the present time; receivers refuse more than five minutes. If the request has just arrived, the receiver's clock is wrong.`;
    case 'bytes':
      return 'Bytes: the body is not what was sent. Check the signature over the raw bytes, before anything parses or prints them again.';
    case 'older_secret':
      return 'Older secret: a secret that no longer signs has made the signature. The request is from before the rotation.';
    case 'unknown_secret':
      return 'Unknown secret: no secret of this endpoint has made this signature. Check that the header is complete.';
  }
};

const distance = (age: number): string => {
  const seconds = Math.round(Math.abs(age) / SECOND);
  const length = Math.abs(age) < 2 * MINUTE ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${length} ${age < 0 ? 'after' : 'before'}`;
};
