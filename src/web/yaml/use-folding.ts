import { useState } from 'react';
import { useTool } from '../workspace/use-tool.ts';
import { useView } from '../workspace/view.ts';
import type { YamlLine } from './highlight.ts';

/** The folded blocks of a YAML text, for its buttons and for the keys of the view around it. */
export interface Folding {
  /** Indices of the lines whose blocks are folded. */
  readonly folded: ReadonlySet<number>;
  readonly toggle: (index: number) => void;
}

/** @param turns what else the keys do with this YAML */
export function useFolding(lines: readonly YamlLine[], turns: Parameters<typeof useTool>[1]): Folding {
  const { tab } = useView();
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const blocks = () => [...document.querySelectorAll<HTMLElement>(`[id="view-${tab}"] [data-fold]`)];
  const present = () => blocks().find((one) => one === document.activeElement);
  /** Goes to the next block; from none to the first in sight. */
  const step = (by: 1 | -1) => {
    const all = blocks();
    const at = all.findIndex((one) => one === document.activeElement);
    const top = all[0]?.closest('[data-scroller]')?.getBoundingClientRect().top ?? 0;
    const inSight = all.findIndex((one) => one.getBoundingClientRect().top >= top);
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? inSight : at + by))];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  const openings = lines.flatMap(({ end }, index) => (end === undefined ? [] : [index]));
  useTool('yaml', {
    ...turns,
    ...(openings.length === 0
      ? {}
      : {
          next: () => step(1),
          previous: () => step(-1),
          fold: () => {
            const block = present();
            if (block === undefined) step(1);
            else block.click();
          },
          foldAll: () => setFolded(new Set(folded.size > 0 ? [] : openings)),
        }),
  });
  return {
    folded,
    toggle: (index) => {
      const next = new Set(folded);
      if (!next.delete(index)) next.add(index);
      setFolded(next);
    },
  };
}
