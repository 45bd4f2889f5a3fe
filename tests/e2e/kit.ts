import { writeFile } from 'node:fs/promises';
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test as base,
} from 'playwright/test';
import { TestClient } from '../server/http-client.ts';
import { bothHands, type Hands } from './hands.ts';
import { quickenPolls } from './quick-polls.ts';
import { type Product, serversOfRun, startProduct, startSecondCluster } from './product.ts';
import { isLeftToProve, isTurnOf, isWholeBy } from '../gate/turn.ts';
import { leaveUnpainted, pictureOfFailure } from './unpainted.ts';

/** Options of a configuration beside Playwright's own. */
export interface Options {
  /** Whether the browser paints the pages of tests: journeys do without, unless they are recorded or watched. */
  readonly isPainted: boolean;
}

interface Fixtures extends Options {
  /** Prepares a context as the tests need it. */
  readonly prepare: (context: BrowserContext) => Promise<void>;
  /** Leaves a test `nowAndThen` out where it is not its turn. */
  readonly due: undefined;
  /** Errors in the console that a test provokes; any other fails it. */
  readonly allow: (...patterns: readonly RegExp[]) => void;
  /** Another browser of the same person or of another, watched like the first. */
  readonly another: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** From here on a mouse or touch event fails the test. */
  readonly withoutMouse: () => Promise<void>;
  readonly faults: Faults;
}

/** What went wrong inside the pages of a test. */
interface Faults {
  readonly allowed: RegExp[];
  watch(context: BrowserContext): void;
}

/**
 * A server whose event loop is late turns calls away, and the page asks again: a busy machine is no fault. Any other 503
 * is said by the page with its own reason, which is not among these.
 */
const turnedAway: readonly RegExp[] = [
  /failed with 503: The server is busy\./,
  /status of 503 \(Service Unavailable\) \(http:\S*\/api\//,
];

/** Playwright's test, which also fails on errors in a page's console, uncaught errors and breaches of the policy. */
export const test = base.extend<Fixtures, { readonly quickPolls: undefined }>({
  quickPolls: [
    async ({ browser }, use) => {
      await quickenPolls(browser);
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
  due: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture depends on
    async ({}, use, info) => {
      info.skip(isLeftToProve(info), 'Not in this run; npm run prove does it.');
      await use(undefined);
    },
    { auto: true },
  ],
  faults: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture depends on
    async ({}, use) => {
      const said: string[] = [];
      const allowed: RegExp[] = [...turnedAway];
      await use({
        allowed,
        watch: (context) => {
          context.on('console', (message) => {
            if (message.type() !== 'error') return;
            said.push(`${message.text()} (${message.location().url})`);
          });
          context.on('weberror', (error) => said.push(`Uncaught: ${error.error().stack ?? ''}`));
        },
      });
      const surprises = said.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(surprises, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
  isPainted: [true, { option: true }],
  prepare: async ({ faults, isPainted, trace, headless }, use) => {
    const isRecorded = (typeof trace === 'string' ? trace : trace.mode) !== 'off';
    await use(async (context) => {
      faults.watch(context);
      if (!isPainted && !isRecorded && headless) await leaveUnpainted(context);
    });
  },
  context: async ({ context, prepare }, use, info) => {
    await prepare(context);
    await use(context);
    await pictureOfFailure(context, info);
  },
  allow: async ({ faults }, use) => {
    await use((...patterns) => {
      faults.allowed.push(...patterns);
    });
  },
  another: async ({ browser, prepare }, use, info) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      await prepare(context);
      opened.push(context);
      return context;
    });
    for (const context of opened) {
      await pictureOfFailure(context, info);
      await context.close();
    }
  },
  withoutMouse: async ({ context }, use) => {
    await use(async () => {
      await context.addInitScript(() => {
        for (const type of ['mousedown', 'mousemove', 'touchstart', 'wheel']) {
          window.addEventListener(
            type,
            (event) => {
              // Where the pointer has never been anywhere, the browser may place it in the corner of a new page.
              const { clientX, clientY, movementX, movementY } = event as MouseEvent;
              const isAtRest = [clientX, clientY, movementX, movementY].every((one) => one === 0);
              if (event.isTrusted && !(type === 'mousemove' && isAtRest))
                console.error(`A keyboard journey used the pointer: ${type}`);
            },
            { capture: true },
          );
        }
      });
    });
  },
});

export { expect };

/** The annotation of a test that says which hands it has. */
export const handsAnnotation = 'hands';

/**
 * For each way to work the page, its name and a test that is given its hands; by keyboard no pointer may be used. In the
 * gate each test is done by one of them, where its details are not `inBothHands`. Of one that is, the other hand does what
 * makes it one: where `isWhole` is false, the rest is left out or prepared by the API.
 */
export const eachHand = bothHands.map((handsOf) => ({
  by: handsOf.name,
  /** The same hands on another page. */
  handsOf,
  it: test.extend<{ readonly turn: undefined; readonly hands: Hands; readonly isWhole: boolean }>({
    turn: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture depends on
      async ({}, use, info) => {
        const other = handsOf.name === 'pointer' ? 'keyboard' : 'pointer';
        info.skip(!isTurnOf(handsOf.name, info), `By ${other} in this run; npm run prove does both.`);
        await use(undefined);
      },
      { auto: true },
    ],
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture depends on
    isWhole: async ({}, use, info) => await use(isWholeBy(handsOf.name, info)),
    hands: async ({ page, withoutMouse }, use, info) => {
      const hands = handsOf(page);
      info.annotations.push({ type: handsAnnotation, description: hands.name });
      if (hands.name === 'keyboard') await withoutMouse();
      await use(hands);
    },
  }),
}));

/** The person that signs in to a product under test. */
export const owner = {
  name: 'Robin Example Hood',
  email: 'robin@example.org',
  password: 'correct horse staple',
};
export const companyName = 'Example Shipping';

/** A product with an Owner, and what a test needs to work with it. */
export interface App {
  readonly product: Product;
  readonly url: string;
  /** Speaks to the API as the Owner, beside any browser. */
  readonly client: TestClient;
  /** Signs a browser in, with the shared session or with one of its own; gives whoever speaks for that session. */
  enter(context: BrowserContext, session?: 'shared' | 'own'): Promise<TestClient>;
}

/** Starts a product and makes its Owner over the API. Without plans, unless they are asked for: they limit what is added. */
export async function startApp(env: Readonly<Record<string, string>> = {}, program?: string): Promise<App> {
  // A playground is part of one server. Several have the same as clusters beside them.
  const isBeside = serversOfRun() > 1 && env['WHEELHOUSE_PLAYGROUND'] !== 'off';
  const beside = isBeside
    ? await Promise.all(playgrounds.map(({ args }) => startSecondCluster(...args)))
    : [];
  const started = await startProduct(
    { WHEELHOUSE_BILLING: 'off', ...env, ...(isBeside ? ownClusters : {}) },
    program,
  );
  const product: Product = {
    ...started,
    remove: async () => {
      await started.remove();
      for (const cluster of beside) await cluster.stop();
    },
  };
  const { url } = product;
  const client = new TestClient(url);
  const token = product.setupLink.split('#setup=')[1] ?? '';
  // On a machine with much other work the server puts callers off for a moment, and says so.
  await expect(() => client.call('setup', { body: { token, ...owner } })).toPass({ timeout: 60_000 });
  await client.call('createCompany', { body: { name: companyName } });
  for (const [index, { kubeconfig }] of beside.entries()) {
    const { name = '', description = '' } = playgrounds[index] ?? {};
    await client.call('addCluster', { body: { name, description, kubeConfigContent: kubeconfig } });
  }
  const [first] = await client.call('clusters', {});
  if (first !== undefined && env.WHEELHOUSE_PLAYGROUND !== 'off') {
    // A process of its own: where nothing of it is compiled yet, a busy machine takes minutes.
    const asked = { params: { clusterId: first.id } };
    await expect(() => client.call('namespaces', asked)).toPass({ timeout: 180_000 });
  }
  return {
    product,
    url,
    client,
    enter: async (context, session = 'shared') => {
      let from = client;
      if (session === 'own') {
        from = new TestClient(url);
        // In the same browser: of the first sign-in in another one the open pages of the account are told.
        for (const [name, value] of client.cookies)
          if (/\bdevice\b/.test(name)) from.cookies.set(name, value);
        await from.call('signIn', { body: { email: owner.email, password: owner.password } });
      }
      await context.addCookies([...from.cookies].map(([name, value]) => ({ name, value, url })));
      return from;
    },
  };
}

/** Signs a browser in as somebody who has the Owner's password, as `addPerson` makes them, and opens a page of the console. */
export async function enterAs(
  { url }: Pick<App, 'url'>,
  email: string,
  context: BrowserContext,
  path = '',
): Promise<Page> {
  const client = new TestClient(url);
  await client.call('signIn', { body: { email, password: owner.password } });
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  await page.goto(url + path);
  return page;
}

/** A product that may speak to clusters on this machine. */
export const localClusters = { WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' };

/** The same without its playground, for tests that bring their own cluster: less to start, and nothing else at work. */
export const ownClusters = { ...localClusters, WHEELHOUSE_PLAYGROUND: 'off' };

/** The clusters of a product's own playground, by what starts them apart from it. */
const playgrounds = [
  { name: 'playground', description: 'A small simulated cluster.', args: ['--activity', 'on'] },
  {
    name: 'playground-staging',
    description: 'A smaller one.',
    args: ['--seed', 'staging', '--activity', 'on'],
  },
] as const;

type Environment = Readonly<Record<string, string>>;

/** One product for all tests of a file. @param env a function where it is known once other hooks have run */
export function sharedApp(env: Environment | (() => Environment) = {}, program?: string): () => App {
  let app: App | undefined;
  test.beforeAll(async () => {
    app = await startApp(typeof env === 'function' ? env() : env, program);
  });
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a hook depends on
  test.afterEach(async ({}, info) => {
    if (info.status !== info.expectedStatus && app !== undefined)
      await writeFile(info.outputPath('product.log'), app.product.output());
  });
  test.afterAll(() => app?.product.remove());
  return () => {
    if (app === undefined) throw new Error('The product has not started yet.');
    return app;
  };
}
