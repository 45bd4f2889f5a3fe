import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useLayoutEffect, useMemo, useState } from 'react';
import { useMeasure } from '../kit/use-measure.ts';
import { YamlLines, yamlLook, type FoldedYaml } from './YamlLines.tsx';

/** Height of a line, rem; as `codeLook` has it. */
const lineHeight = 1.125;

interface YamlWindowProps extends FoldedYaml {
  /** Indices of all lines that are not folded away. */
  readonly all: readonly number[];
  readonly label: string;
}

/** Long YAML: only the visible lines are rendered, inside the surrounding scroll container. A note says so. */
export function YamlWindow({ all, label, ...parts }: YamlWindowProps) {
  const { lines } = parts;
  const note = useId();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const scroller = element?.closest<HTMLElement>('[data-scroller]') ?? null;
  const { width, rootSize } = useMeasure(scroller);
  const height = lineHeight * rootSize;

  // Where the lines begin in what scrolls; what is above them may wrap when the width changes.
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (element === null || scroller === null) return;
    setMargin(
      element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
    );
  }, [element, scroller, width]);

  const virtualizer = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    scrollMargin: margin,
    overscan: 40,
    getItemKey: (index) => all[index] ?? index,
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);

  // Lines that are not drawn count for the width as well: scrolling down must not move what scrolls sideways.
  const longest = useMemo(
    () => Math.max(...lines.map(({ tokens }) => tokens.reduce((sum, [, text]) => sum + text.length, 0))),
    [lines],
  );
  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return (
    <>
      <p id={note} className="sticky left-0 px-3 pt-2 text-(length:--text-xs) text-text-2">
        {lines.length.toLocaleString('en')} lines: only those in view are rendered, so the browser’s search
        misses the others. The copy button copies them all.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
      <pre className={yamlLook} aria-label={label} aria-describedby={note} tabIndex={0}>
        <div ref={setElement} style={{ minWidth: `calc(${longest}ch + 4.25rem)` }}>
          <div style={{ height: before }} />
          <YamlLines {...parts} shown={items.flatMap(({ index }) => all[index] ?? [])} />
          <div style={{ height: after }} />
        </div>
      </pre>
    </>
  );
}
