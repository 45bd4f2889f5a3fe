import { type ComponentType, createElement, lazy, type LazyExoticComponent } from 'react';
import { wholeStyles } from './whole-styles.ts';

/** Delay after a failed load before the next mount asks again, ms: whoever waits has been told by then. */
const againAfter = 1_000;

/**
 * A part of the page that is loaded when it is drawn, with the styles of everything. What loading throws goes to the nearest
 * boundary; once that has said so, another mount loads again.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const make = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        const [part] = await Promise.all([load(), wholeStyles()]);
        return { default: part };
      } catch (error) {
        setTimeout(() => (current = make()), againAfter);
        throw error;
      }
    });
  let current = make();
  // A lazy component passes its own type of properties on, which TypeScript cannot follow for a type parameter.
  return (props: P) => createElement(current as ComponentType<P>, props);
}
