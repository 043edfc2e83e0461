import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#kernel';
import { ANY_TARGETS, PUBLIC_TARGETS, TargetPolicy, WebhookSender } from '#webhooks';
import { CheckedTargets } from './checked-targets.js';
import { dnsResolver, systemResolver } from './name-resolver.js';
import { UndiciSender } from './undici-sender.js';

/** Sending over HTTP, and the check of targets before they are registered, by the same rules. */
@Module({})
export class WebhookSenderModule implements OnApplicationShutdown {
  constructor(private readonly sender: WebhookSender) {}

  /** `public` is D59, `any` for development. */
  static forRoot(targets: 'public' | 'any'): DynamicModule {
    const rules = targets === 'public' ? PUBLIC_TARGETS : ANY_TARGETS;
    const resolve = targets === 'public' ? dnsResolver() : systemResolver;
    const createSender = (clock: Clock) => new UndiciSender({ rules, resolve, clock });
    const providers = [
      { provide: WebhookSender, useFactory: createSender, inject: [Clock] },
      { provide: TargetPolicy, useValue: new CheckedTargets(rules, resolve) },
    ];
    return { module: WebhookSenderModule, global: true, providers, exports: [WebhookSender, TargetPolicy] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }
}
