import { ApiProperty } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import { Text } from '../../../api/src/http/validation/rules.js';

const MAX_PATH_LENGTH = 2_000;

export class OpenBillingBody {
  /** The page of the dashboard that the platform's page leads back to. */
  @Text(MAX_PATH_LENGTH)
  return_path!: string;
}

export class BillingPageAnswer {
  @ApiProperty()
  readonly url!: string;
  @ApiProperty({ type: Number })
  readonly expires_at!: Instant;
}

class PaymentMethodAnswer {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly kind!: string;
  @ApiProperty()
  readonly label!: string;
  /** `YYYY-MM`. */
  @ApiProperty({ type: String, nullable: true })
  readonly expires!: string | null;
  @ApiProperty()
  readonly is_default!: boolean;
}

/** How the agency pays, as the platform has it. */
export class BillingAnswer {
  /** False: this platform shows no payment methods. */
  @ApiProperty()
  readonly offered!: boolean;
  @ApiProperty({ type: String, nullable: true })
  readonly plan!: string | null;
  @ApiProperty({ type: String, nullable: true })
  readonly subscription_status!: string | null;
  @ApiProperty({ type: [PaymentMethodAnswer] })
  readonly payment_methods!: readonly PaymentMethodAnswer[];
}
