import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright/test';
import { expect, handsAnnotation, test } from './kit.ts';
import { whilePainted } from './unpainted.ts';
import { isLookedAt, isWholeBy, oneOfTwo, turnOfRun } from '../gate/turn.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeNode {
  readonly target: readonly unknown[];
  readonly failureSummary?: string;
}
export interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly AxeNode[];
}

/** The looks in which a state is checked: both themes and both sizes. `npm run shots` checks every pair of them. */
export const shapes = [
  { name: 'light, wide', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, narrow', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** A rule that does not fit a state, with the reason. */
export interface Exemption {
  readonly rule: string;
  readonly reason: string;
}

const behindAlert = 'An alert dialog puts the page behind it out of reach; axe knows that of dialogs only.';

/** What does not fit a page that an alert dialog covers. */
export const alertExemptions: readonly Exemption[] = [
  { rule: 'landmark-one-main', reason: behindAlert },
  { rule: 'page-has-heading-one', reason: behindAlert },
];

/** What does not fit a menu that leaves the page behind it in reach. */
export const menuExemptions: readonly Exemption[] = [
  {
    rule: 'region',
    reason: 'A menu stands over the page, outside of its landmarks; it has the focus and Esc leaves it.',
  },
];

/** Sessions of the browser's protocol, one a page. They stay open: with the end of one the page's virtual authenticators end. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/**
 * Puts axe into a page that has none yet. By the browser's own protocol, since the page's policy forbids scripts of
 * others; and only where it is used, since to read half a megabyte costs each page a tenth of its start.
 */
export async function prepareAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const session = await sessionOf(page);
  await session.send('Runtime.evaluate', { expression: axeSource });
}

/** What is wrong with the page as it stands: what axe finds, and that it is wider than the window. */
export async function faultsOf(
  page: Page,
  state: string,
  exemptions: readonly Exemption[] = [],
): Promise<readonly string[]> {
  const exempt = new Set(exemptions.map(({ rule }) => rule));
  await prepareAxe(page);
  const look = async (): Promise<readonly AxeViolation[]> => {
    const { axe } = window as unknown as {
      axe: {
        run(page: Document, options: object): Promise<{ violations: readonly AxeViolation[] }>;
      };
    };
    // What passed is not described: that is a fifth of the time. Style sheets are not fetched once more: no rule that
    // runs reads them.
    return (await axe.run(document, { resultTypes: ['violations'], preload: false })).violations;
  };
  const violations = await whilePainted(page, () => page.evaluate(look));
  const found = violations
    .filter(({ id }) => !exempt.has(id))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${state}: ${id} (${help}) at ${target.join(' ')}\n${failureSummary ?? ''}`,
      ),
    );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...found, `${state}: ${overflow} px wider than the window`] : found;
}

/** Waits one frame, for what follows the width, and until colours that change have changed. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changing.map(({ finished }) => finished));
  });
}

/** The looks in which this run checks a state: both, or in the gate one of them by chance. */
function shapesOfRun(state: string): readonly (typeof shapes)[number][] {
  const turn = turnOfRun();
  if (turn === undefined) return shapes;
  return [oneOfTwo<(typeof shapes)[number]>(shapes, state, turn)];
}

/**
 * Checks one state of the page in light and wide, then dark and narrow, and that nothing is wider than the window. A
 * journey shows the same states to both hands: where both do it, they are checked where it is done by pointer. The gate
 * looks at a third of the states, where the journey is done as a whole, in one of the looks; by keyboard in the wide one:
 * another width may take away what has the focus.
 */
export async function expectAccessible(
  page: Page,
  state: string,
  exemptions: readonly Exemption[] = [],
): Promise<void> {
  const info = test.info();
  const hand = info.annotations.find(({ type }) => type === handsAnnotation)?.description;
  const isByKeyboard = hand === 'keyboard';
  if (isByKeyboard && turnOfRun() === undefined) return;
  if (hand !== undefined && !isWholeBy(hand, info)) return;
  if (!isLookedAt(state, info)) return;
  const found: string[] = [];
  for (const { name, colorScheme, viewport } of isByKeyboard ? [shapes[0]] : shapesOfRun(state)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (!isByKeyboard) await page.setViewportSize(viewport);
    await drawn(page);
    found.push(...(await faultsOf(page, `${state}, ${name}`, exemptions)));
  }
  if (!isByKeyboard) await page.setViewportSize(shapes[0].viewport);
  // A click that comes before would aim at what still moves.
  await drawn(page);
  expect(found).toEqual([]);
}
