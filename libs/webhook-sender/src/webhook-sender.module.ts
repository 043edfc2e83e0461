import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#kernel';
import { WebhookSender } from '#webhooks';
import { dnsResolver, systemResolver } from './checked-addresses.js';
import { ANY_TARGETS, PUBLIC_TARGETS } from './target-rules.js';
import { UndiciSender } from './undici-sender.js';

/** Sending over HTTP, and the check of targets before they are registered, by the same rules. */
@Module({})
export class WebhookSenderModule implements OnApplicationShutdown {
  constructor(private readonly sender: WebhookSender) {}

  /** `public` is D59, `any` for development. */
  static forRoot(targets: 'public' | 'any'): DynamicModule {
    const rules = targets === 'public' ? PUBLIC_TARGETS : ANY_TARGETS;
    const resolve = targets === 'public' ? dnsResolver() : systemResolver;
    const useFactory = (clock: Clock) => new UndiciSender({ rules, resolve, clock });
    const providers = [{ provide: WebhookSender, useFactory, inject: [Clock] }];
    return { module: WebhookSenderModule, global: true, providers, exports: [WebhookSender] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }
}
