import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { wholeStyles } from './whole-styles.ts';

/** Delay before a part that could not be loaded is asked for again, ms. */
const againAfter = 5_000;

const firstContent = Promise.withResolvers<void>();
/** Lets the parts load that nobody waits for: the first screen has its content. */
export const loadLaterParts: () => void = firstContent.resolve;

/**
 * A part of the page that nobody waits for. It is asked for after the first screen has its content. While it cannot be
 * loaded, as while the server starts again, it is asked for every five seconds, and the rest of the page goes on
 * without it.
 */
export const lazyLater = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    await firstContent.promise;
    for (;;) {
      try {
        const [part] = await Promise.all([load(), wholeStyles()]);
        return { default: part };
      } catch (error) {
        // A browser says so of a module that it could not fetch. Anything else is a fault of the module.
        if (!(error instanceof TypeError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, againAfter));
      }
    }
  });
