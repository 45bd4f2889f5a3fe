import { memo, useMemo, useState } from 'react';
import { highlightYaml, visibleLines } from './highlight.ts';
import { YamlLines } from './YamlLines.tsx';
import { YamlWindow } from './YamlWindow.tsx';

/**
 * Most lines that are drawn whole, so that the browser's own search finds everything; thousands more take seconds to
 * draw.
 */
const mostWhole = 2_000;

/** YAML to read: coloured, with line numbers, every block foldable. Of a long one only the lines in view are drawn. */
export const YamlText = memo(function YamlText({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => highlightYaml(text), [text]);
  const shown = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const toggle = (index: number) => {
    const next = new Set(folded);
    if (!next.delete(index)) next.add(index);
    setFolded(next);
  };
  const parts = { lines, folded, onToggle: toggle };
  if (lines.length > mostWhole) return <YamlWindow {...parts} all={shown} label={label} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
    <pre className="code yaml" aria-label={label} tabIndex={0}>
      <YamlLines {...parts} shown={shown} />
    </pre>
  );
});
