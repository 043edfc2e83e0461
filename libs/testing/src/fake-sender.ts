import type { SendOutcome, WebhookRequest, WebhookSender } from '#webhooks';
import { settled } from './eventually.js';

/** A sender in memory: a test sets the outcome of each request, and all sent requests are kept. */
export class FakeSender implements WebhookSender {
  readonly requests: WebhookRequest[] = [];
  /** Why any URL is refused. */
  urlProblem: string | undefined;
  readonly checked: string[] = [];
  /** Where set, nothing is answered before it resolves. */
  held: Promise<void> | undefined;
  private outcomes: SendOutcome[] = [{ status: 204, error: null }];
  private readonly underWay = new Set<Promise<unknown>>();
  private isClosed = false;

  /** The next requests end like this in turn, and later ones like the last of these. */
  answer(...outcomes: readonly [SendOutcome, ...SendOutcome[]]): void {
    this.outcomes = [...outcomes];
  }

  async problem(url: string): Promise<string | undefined> {
    this.checked.push(url);
    return this.urlProblem;
  }

  async send(request: WebhookRequest): Promise<SendOutcome> {
    if (this.isClosed) throw new Error('the sender is closed');
    const outcome = this.outcomeOf(request);
    this.underWay.add(outcome);
    return outcome.finally(() => this.underWay.delete(outcome));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.underWay);
    // Callers hear of their outcomes first.
    await settled();
  }

  private async outcomeOf(request: WebhookRequest): Promise<SendOutcome> {
    // A caller may use its buffer again.
    this.requests.push({ ...request, body: Buffer.from(request.body) });
    const [outcome] = this.outcomes.length > 1 ? this.outcomes.splice(0, 1) : this.outcomes;
    if (outcome === undefined) throw new Error('no outcome was scripted');
    await this.held;
    return outcome;
  }
}
