import type { StoredRelease } from '../objects/release/decode.ts';

type Hooks = Pick<StoredRelease, 'hooks'>;

const hookNames = (hooks: StoredRelease['hooks']) =>
  hooks.map(({ kind, name, events }) => `${kind} ${name} (${events.join(', ')})`).join('; ');

/** Why an operation cannot be done here: its hooks would not run. Undefined without any. */
export function hookBlock({ hooks }: Hooks, events: readonly string[]): string | undefined {
  const own = hooks.filter((hook) => hook.events.some((event) => events.includes(event)));
  return own.length === 0
    ? undefined
    : `This console does not run hooks, and this revision has hooks for this operation: ${hookNames(own)}. Use helm instead.`;
}

/** Sentences about hooks of the release that will not run. */
export function hookNote({ hooks }: Hooks, events: readonly string[]): string[] {
  const others = hooks.filter((hook) => !hook.events.some((event) => events.includes(event)));
  return others.length === 0 ? [] : [`Hooks of other operations are not run: ${hookNames(others)}.`];
}
