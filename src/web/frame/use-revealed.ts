import { useCallback, useRef, useState } from 'react';
import type { ObjectRef } from '../../registry/commands/invocation.ts';
import { useData } from '../data/port.ts';
import { useLeft } from '../workspace/use-left.ts';

/** A revealed value is hidden again after this time, ms. */
export const shownFor = 60_000;

/** Values of a Secret that are shown, by key, as bytes. */
export type RevealedValues = ReadonlyMap<string, Uint8Array>;

const noValues: RevealedValues = new Map();

/** The bytes that a text of base64 stands for; none for a text that is not. */
export function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** A value as text; undefined for bytes that are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface Revealed {
  readonly values: RevealedValues;
  /** Keys that are being asked for. */
  readonly busy: ReadonlySet<string>;
  /** Why the last one could not be revealed. */
  readonly failure: unknown;
  readonly reveal: (keys: readonly string[]) => void;
  /** All of them without keys. */
  readonly hide: (keys?: readonly string[]) => void;
  /** The value of a key, to be copied and not shown. Throws Problem. */
  readonly fetch: (key: string) => Promise<Uint8Array>;
}

/**
 * Values of a Secret that somebody asked to see. Each call is on record. They are forgotten after a minute, when the
 * Secret becomes another, and as soon as its view is left: for another tab, tile or window.
 */
export function useRevealed(self: ObjectRef, version: string | undefined): Revealed {
  const { api } = useData();
  const [values, setValues] = useState<RevealedValues>(noValues);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<unknown>(undefined);
  const timers = useRef(new Map<string, number>());
  /** Goes up whenever everything is hidden: what was asked for before must not show after. */
  const epoch = useRef(0);
  const { cluster, namespace = '', name } = self;
  /** The version of the Secret whose values these are. */
  const place = JSON.stringify([cluster, namespace, name, version]);

  const hide = useCallback((keys?: readonly string[]) => {
    if (keys === undefined) epoch.current += 1;
    for (const [key, timer] of timers.current) {
      if (keys !== undefined && !keys.includes(key)) continue;
      window.clearTimeout(timer);
      timers.current.delete(key);
    }
    setValues((shown) =>
      keys === undefined ? noValues : new Map([...shown].filter(([key]) => !keys.includes(key))),
    );
  }, []);
  const hideAll = useCallback(() => hide(), [hide]);
  const known = useLeft(place, hideAll);

  const ask = useCallback(
    (keys: readonly string[], purpose: 'show' | 'copy') =>
      api.revealSecret({
        params: { clusterId: Number(cluster), namespace, name },
        body: { keys: [...keys], purpose },
      }),
    [api, cluster, namespace, name],
  );

  const reveal = useCallback(
    (keys: readonly string[]) => {
      const asked = epoch.current;
      setFailure(undefined);
      setBusy((before) => new Set([...before, ...keys]));
      ask(keys, 'show')
        .then((answer) => {
          if (asked !== epoch.current || known.current !== place) return;
          for (const { key } of answer.values) {
            window.clearTimeout(timers.current.get(key));
            timers.current.set(
              key,
              window.setTimeout(() => hide([key]), shownFor),
            );
          }
          setValues((shown) => {
            const more = answer.values.map(({ key, value }) => [key, bytesOf(value)] as const);
            return new Map([...shown, ...more]);
          });
        })
        .catch(setFailure)
        .finally(() => setBusy((before) => new Set([...before].filter((key) => !keys.includes(key)))));
    },
    [ask, hide, known, place],
  );

  const fetch = useCallback(
    async (key: string) => {
      const { values: found } = await ask([key], 'copy');
      return bytesOf(found[0]?.value ?? '');
    },
    [ask],
  );

  return { values, busy, failure, reveal, hide, fetch };
}
