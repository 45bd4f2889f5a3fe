/**
 * Calls `wake` whenever waiting any longer makes no sense: the network is back, or somebody looks again. Listens for as
 * long as the page lives.
 */
export function wakeOn(
  window: EventTarget,
  document: EventTarget & { readonly hidden: boolean },
  wake: () => void,
): void {
  for (const type of ['online', 'focus', 'pageshow']) window.addEventListener(type, wake);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake();
  });
}
