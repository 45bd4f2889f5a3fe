import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/** Delay before a part that could not be loaded is asked for again, ms. */
const againAfter = 5_000;

/**
 * A part of the page that nobody waits for. While it cannot be loaded, as while the server starts again, it is asked for
 * every five seconds, and the rest of the page goes on without it.
 */
export const lazyLater = (load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> =>
  lazy(async () => {
    for (;;) {
      try {
        return { default: await load() };
      } catch (error) {
        // A browser says so of a module that it could not fetch. Anything else is a fault of the module.
        if (!(error instanceof TypeError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, againAfter));
      }
    }
  });
