import { memo, useMemo } from 'react';
import { highlightYaml, visibleLines } from './highlight.ts';
import { useFolding } from './use-folding.ts';
import { YamlLines, yamlLook } from './YamlLines.tsx';
import { YamlWindow } from './YamlWindow.tsx';

/**
 * Most lines that are drawn whole, so that the browser's own search finds everything; thousands more take seconds to
 * draw.
 */
const maxWhole = 2_000;

/** YAML to read: coloured, with line numbers, every block foldable. Of a long one only the lines in view are drawn. */
export const YamlText = memo(function YamlText({
  text,
  label,
  turns = {},
}: {
  readonly text: string;
  readonly label: string;
  /** Further actions of the keys besides folding. */
  readonly turns?: Parameters<typeof useFolding>[1];
}) {
  const lines = useMemo(() => highlightYaml(text), [text]);
  const { folded, toggle } = useFolding(lines, turns);
  const shown = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const parts = { lines, folded, onToggle: toggle };
  if (lines.length > maxWhole) return <YamlWindow {...parts} all={shown} label={label} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
    <pre className={yamlLook} aria-label={label} tabIndex={0}>
      <YamlLines {...parts} shown={shown} />
    </pre>
  );
});
