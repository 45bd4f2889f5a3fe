import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { scriptOfChargebee } from '../../src/server/http/checkout-scripts.ts';

const origin = 'https://console.example.org';
const opening = {
  type: 'open',
  site: 'example',
  hostedPageId: 'hp_1',
  url: 'https://pay.example.org/hp_1',
  isChange: false,
};

/** What the frame's script asks of Chargebee's. */
interface Checkout {
  readonly hostedPage: () => Promise<unknown>;
  readonly success: (id: string) => void;
  readonly close: () => void;
  readonly error: () => void;
}

/** Runs the script of the frame beside Chargebee's, or without it. */
function frame({ isBlocked = false } = {}) {
  const told: unknown[] = [];
  const sites: string[] = [];
  const checkouts: Checkout[] = [];
  const listeners: ((event: unknown) => void)[] = [];
  const parent = { postMessage: (message: unknown, target: string) => told.push([message, target]) };
  const Chargebee = {
    init: ({ site }: { site: string }) => {
      sites.push(site);
      return { openCheckout: (checkout: Checkout) => checkouts.push(checkout) };
    },
  };
  runInNewContext(scriptOfChargebee, {
    document: { documentElement: { dataset: { origin } } },
    window: { parent },
    addEventListener: (_type: string, listen: (event: unknown) => void) => listeners.push(listen),
    ...(isBlocked ? {} : { Chargebee }),
  });
  const hear = (data: unknown, from: object = { source: parent, origin }) => {
    for (const listen of listeners) listen({ data, ...from });
  };
  return { told, sites, checkouts, hear, parent };
}

describe('the frame of the checkout with Chargebee', () => {
  test.each([
    ['a new plan', false, 'checkout_new'],
    ['a plan that goes on', true, 'checkout_existing'],
  ])('opens the page of %s', async (_name, isChange, type) => {
    const { sites, checkouts, hear } = frame();
    hear({ ...opening, isChange });
    expect(sites).toEqual(['example']);
    expect(await checkouts[0]?.hostedPage()).toEqual({
      id: 'hp_1',
      type,
      url: opening.url,
      state: 'created',
      embed: true,
    });
  });

  test('opens once, for its parent at the origin of the console alone', () => {
    const { checkouts, hear, parent } = frame();
    hear(opening, { source: {}, origin });
    hear(opening, { source: parent, origin: 'https://evil.example.org' });
    expect(checkouts).toEqual([]);
    hear(opening);
    hear(opening);
    expect(checkouts).toHaveLength(1);
  });

  test('tells what became of the page, and not that it closed once it is paid', () => {
    const { told, checkouts, hear } = frame();
    hear(opening);
    checkouts[0]?.close();
    checkouts[0]?.error();
    checkouts[0]?.success('hp_1');
    checkouts[0]?.close();
    expect(told).toEqual(
      [
        { type: 'ready' },
        { type: 'closed' },
        { type: 'failed' },
        { type: 'success', hostedPageId: 'hp_1' },
      ].map((message) => [message, origin]),
    );
  });

  test('says so where the script of Chargebee did not load', () => {
    const { told, hear } = frame({ isBlocked: true });
    hear(opening);
    expect(told.at(-1)).toEqual([{ type: 'failed' }, origin]);
  });
});
