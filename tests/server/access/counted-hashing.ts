import { createRequire } from 'node:module';

/**
 * How often passwords were hashed and checked since this was loaded. The functions are the real ones. A test
 * file imports this before anything that takes them from the package, in a process of its own (`ownProcessTests`).
 */
export const hashing = { hash: 0, verify: 0 };

type AnyFunction = (...given: readonly unknown[]) => unknown;
// The package is CommonJS: what its object holds when an ECMAScript module first imports it is what that one gets.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Record<keyof typeof hashing, AnyFunction>;
for (const name of ['hash', 'verify'] as const) {
  const real = argon2[name];
  argon2[name] = (...given) => {
    hashing[name] += 1;
    return real(...given);
  };
}
