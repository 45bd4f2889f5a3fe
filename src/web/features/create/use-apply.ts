import { useRef, useState } from 'react';
import type { ApplyResult } from '../../../contract/manifests.ts';
import type { Manifest } from '../../../kube/manifest.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { kindByWord } from '../../core/kinds/declared.ts';
import { type DoneAction, useActing } from '../actions/port.ts';
import { unsure } from '../edit/unsure.ts';
import { createTexts } from './messages.ts';

/** Applying a text: tried first, then done. */
export interface Applying {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The results of the dry run or the apply; undefined before the first. */
  readonly results: readonly ApplyResult[] | undefined;
  /** Objects, by their place in the text, whose conflicting fields are taken from their owners. */
  readonly takeOver: ReadonlySet<number>;
  /** Whether the cluster's name has to be typed. */
  readonly mustType: boolean;
  readonly review: (clusterId: number, read: () => Promise<Manifest>) => void;
  /** Takes over an object's fields, or not, and tries again. */
  readonly take: (at: number, isTaken: boolean) => void;
  readonly apply: (confirm: string | undefined) => void;
  readonly clear: () => void;
}

interface Reviewed {
  readonly clusterId: number;
  readonly yaml: string;
  readonly results: readonly ApplyResult[];
  readonly takeOver: ReadonlySet<number>;
}

/** @param onDone everything is applied */
export function useApply(text: string, onDone: () => void): Applying {
  const { services } = useCommands();
  const { api } = useData();
  const { done } = useActing();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [reviewed, setReviewed] = useState<Reviewed | undefined>(undefined);

  // An answer about a text that was changed meanwhile is of no use: it would be applied unseen.
  const newest = useRef(0);
  const show = (of: number, next: Reviewed) => {
    if (of === newest.current) setReviewed(next);
  };

  const run = (work: (asked: number) => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    work(newest.current)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const send = async (
    { clusterId, yaml, takeOver }: Omit<Reviewed, 'results'>,
    dryRun: boolean,
    confirm?: string,
  ) => {
    const body = { yaml, dryRun, takeOver: [...takeOver], ...(confirm === undefined ? {} : { confirm }) };
    return (await api.applyResource({ params: { clusterId }, body })).results;
  };

  return {
    isBusy,
    error,
    results: reviewed?.results,
    takeOver: reviewed?.takeOver ?? new Set(),
    mustType: reviewed?.results.some(({ mustConfirm }) => mustConfirm === true) === true,
    review: (clusterId, read) =>
      run(async (asked) => {
        if ((await read()).type === 'invalid') throw new Error(createTexts.invalidYaml);
        const wanted = { clusterId, yaml: text, takeOver: new Set<number>() };
        show(asked, { ...wanted, results: await send(wanted, true) });
      }),
    take: (at, isTaken) =>
      run(async (asked) => {
        if (reviewed === undefined) return;
        const takeOver = new Set([...reviewed.takeOver].filter((one) => one !== at));
        if (isTaken) takeOver.add(at);
        const wanted = { ...reviewed, takeOver };
        show(asked, { ...wanted, results: await send(wanted, true) });
      }),
    apply: (confirm) =>
      run(async (asked) => {
        if (reviewed === undefined) return;
        const results = await send(reviewed, false, confirm).catch((failure: unknown) => {
          throw unsure(failure);
        });
        done.set({ cluster: String(reviewed.clusterId), rollsOut: true, outcomes: workloadsOf(results) });
        if (results.every(({ ok }) => ok)) {
          services.toast.success('Resource applied successfully', {
            detail: results.map(({ message }) => message).join('\n'),
          });
          onDone();
          return;
        }
        show(asked, { ...reviewed, results });
        const failed = results.filter(({ ok }) => !ok).length;
        throw new Error(
          `${failed} of ${results.length} were not applied. Applying again is safe for those that were applied.`,
        );
      }),
    clear: () => {
      newest.current += 1;
      setReviewed(undefined);
      setError(undefined);
    },
  };
}

/** What was applied and may roll something out. */
const workloadsOf = (results: readonly ApplyResult[]): DoneAction['outcomes'] =>
  results.flatMap(({ kind: word, namespace, name, ok }) => {
    const kind = kindByWord(word);
    if (kind?.logs !== 'pods') return [];
    return [{ ref: { kind: kind.id, ...(namespace === null ? {} : { namespace }), name }, ok }];
  });
