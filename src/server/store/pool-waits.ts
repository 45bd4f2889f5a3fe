import type { Pool } from 'pg';

type AnyConnect = (...all: unknown[]) => unknown;

/**
 * Measures how long a connection of a pool is waited for, by its statements too: nothing that a pool says has the moment
 * at which somebody began to wait.
 * @param note is given each wait, ms
 */
export function measureWaits(pool: Pool, note: (ms: number) => void): void {
  const connect = pool.connect.bind(pool) as AnyConnect;
  const measured: AnyConnect = (callback) => {
    const began = performance.now();
    const noteEnd = () => note(performance.now() - began);
    if (typeof callback === 'function')
      return connect((...answer: unknown[]) => {
        noteEnd();
        (callback as AnyConnect)(...answer);
      });
    return (connect() as Promise<unknown>).finally(noteEnd);
  };
  pool.connect = measured as Pool['connect'];
}
