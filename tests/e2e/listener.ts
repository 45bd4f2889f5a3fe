import type { CDPSession, Locator, Page } from 'playwright/test';

/** Writes down what a screen reader is told on the way through a journey. */
export interface Listener {
  /** Notes where the focus is and what the live regions say; with a part, all that is found in it. */
  note(step: string, part?: Locator): Promise<void>;
  /** All notes: one page of text that a person can read. */
  text(): string;
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly value?: { readonly value?: string | number };
  readonly description?: { readonly value?: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** States that are read out with a control, where they are set. */
const states = ['checked', 'disabled', 'expanded', 'invalid', 'pressed', 'required', 'selected'];

/** What differs from run to run, and what stands for it. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/-[bcdf-hj-np-tv-z2456789]{8,10}(?=-[bcdf-hj-np-tv-z2456789]{5}\b|\b)/g, '-HASH'],
  [/-HASH-[bcdf-hj-np-tv-z2456789]{5}\b/g, '-HASH-ID'],
  [/\b\d+(\.\d+)? s\b/g, 'TIME'],
  [/\b\d+[smhd](\d+[smh])?\b/g, 'TIME'],
  [/\b(worker-[a-z]\d|control-plane-\d)\b/g, 'NODE'],
];

const settled = (text: string): string =>
  changing.reduce((result, [pattern, instead]) => result.replace(pattern, instead), text);

/** One element as the accessibility tree has it: role, name, value and states. */
function said({ role, name, value, description, properties = [] }: AxNode): string {
  const set = properties.filter(
    ({ name: state, value: { value: held } }) =>
      states.includes(state) && held !== false && held !== 'false' && held !== undefined,
  );
  return [
    role?.value ?? 'nothing',
    `"${name?.value ?? ''}"`,
    ...(value?.value === undefined || value.value === '' ? [] : [`value "${value.value}"`]),
    ...set.map(({ name: state, value: { value: held } }) =>
      held === true || held === 'true' ? `[${state}]` : `[${state}=${String(held)}]`,
    ),
    ...(description?.value === undefined || description.value === ''
      ? []
      : [`description "${description.value}"`]),
  ].join(' ');
}

/** An element by an expression in the page, from Chromium's accessibility tree. */
async function ask(session: CDPSession, expression: string): Promise<string | undefined> {
  const { result } = await session.send('Runtime.evaluate', { expression });
  if (result.objectId === undefined) return undefined;
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId,
    fetchRelatives: false,
  });
  const [node] = nodes as readonly AxNode[];
  return node === undefined || node.ignored ? undefined : said(node);
}

const active = 'document.activeElement';

/** Listens to a page. */
export async function listenTo(page: Page): Promise<Listener> {
  const session = await page.context().newCDPSession(page);
  await session.send('Accessibility.enable');
  const notes: string[] = [];
  return {
    note: async (step, part) => {
      const focus = await ask(session, active);
      const item = await ask(
        session,
        `document.getElementById(${active}?.getAttribute('aria-activedescendant') ?? '')`,
      );
      const announced = await page.evaluate(() =>
        [...document.querySelectorAll('[role=status], [role=alert], [aria-live]:not([aria-live=off])')]
          .filter(
            (region) => region.checkVisibility() && region.closest('[inert], [aria-hidden=true]') === null,
          )
          .map((region) => (region.textContent ?? '').replace(/\s+/g, ' ').trim())
          .filter((text) => text !== ''),
      );
      const tree = part === undefined ? '' : await part.ariaSnapshot();
      const lines = tree
        .split('\n')
        .filter((line) => line !== '' && !/^\s*- \/(url|placeholder):/.test(line));
      notes.push(
        [
          step,
          `  focus: ${focus ?? 'the page'}`,
          ...(item === undefined ? [] : [`  at: ${item}`]),
          ...announced.map((text) => `  announced: ${text}`),
          ...lines.map((line) => `  | ${line}`),
        ].join('\n'),
      );
    },
    text: () => `${settled(notes.join('\n\n'))}\n`,
  };
}
