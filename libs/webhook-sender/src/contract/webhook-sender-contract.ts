import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { type Duration, newId } from '#kernel';
import { eventually } from '#testing';
import type { WebhookRequest, WebhookSender } from '#webhooks';

/** A sender, and the receiver at the other end of it, whichever way that is made. */
export interface SenderUnderTest {
  readonly sender: WebhookSender;
  readonly url: string;
  /** Bodies that have arrived, in order. */
  received(): readonly Buffer[];
  /** Later requests are answered with this status. */
  answer(status: number, retryAfter?: Duration): void;
  /** Later requests are held until the returned function lets them be answered. */
  hold(): () => void;
  /** Later requests reach nobody. */
  disconnect(): Promise<void>;
  dispose(): Promise<void>;
}

/** The tests that every sender passes. */
export const describeWebhookSender = (name: string, start: () => Promise<SenderUnderTest>): void => {
  describe(`A webhook sender: ${name}`, () => {
    let at: SenderUnderTest;
    const endpointId = newId('webhookEndpoint');
    const request = (text = '{}'): WebhookRequest => ({
      endpointId,
      url: at.url,
      body: Buffer.from(text),
      headers: {},
    });

    beforeEach(async () => {
      at = await start();
    });

    afterEach(async () => {
      await at.sender.close();
      await at.dispose();
    });

    it('sends the bytes, once', async () => {
      const body = Buffer.from([0x7b, 0x00, 0xff, 0x0d, 0x0a, 0x7d]);
      await at.sender.send({ ...request(), body });
      expect(at.received()).toEqual([body]);
    });

    test.each([200, 204, 299])('reports %i as delivered', async (status) => {
      at.answer(status);
      expect(await at.sender.send(request())).toEqual({ status, error: null });
    });

    test.each([301, 404, 429, 500])('reports %i as refused, and sends only once', async (status) => {
      at.answer(status);
      expect(await at.sender.send(request())).toEqual({ status, error: 'refused' });
      expect(at.received()).toHaveLength(1);
    });

    it('reports how long the receiver asks to wait', async () => {
      at.answer(503, 7_000);
      expect(await at.sender.send(request())).toEqual({ status: 503, error: 'refused', retryAfter: 7_000 });
    });

    it('reports that the target was not reached, and does not reject', async () => {
      await at.disconnect();
      expect(await at.sender.send(request())).toEqual({ status: null, error: 'connection_failed' });
    });

    it('sends side by side', async () => {
      const release = at.hold();
      const sends = ['1', '2', '3'].map((text) => at.sender.send(request(text)));
      await eventually(() => at.received().length === 3);
      release();
      expect(await Promise.all(sends)).toHaveLength(3);
      expect(at.received().map(String).sort()).toEqual(['1', '2', '3']);
    });

    it('when closed, waits for requests in progress, and sends nothing more', async () => {
      const release = at.hold();
      const order: string[] = [];
      const sent = at.sender.send(request()).then(() => order.push('sent'));
      await eventually(() => at.received().length === 1);
      const closed = at.sender.close().then(() => order.push('closed'));
      await expect(at.sender.send(request())).rejects.toThrow('closed');
      release();
      await Promise.all([sent, closed]);
      expect(order).toEqual(['sent', 'closed']);
      expect(at.received()).toHaveLength(1);
    });
  });
};
