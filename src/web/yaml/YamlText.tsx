import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import { highlightYaml, type Token, visibleLines } from './highlight.ts';

/** YAML to read: coloured, with line numbers, every block foldable. */
export const YamlText = memo(function YamlText({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const lines = highlightYaml(text);
  const toggle = (index: number) => {
    const next = new Set(folded);
    if (!next.delete(index)) next.add(index);
    setFolded(next);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
    <pre className="code yaml" aria-label={label} tabIndex={0}>
      {visibleLines(lines, folded).map((index) => {
        const line = lines[index];
        if (line === undefined) return null;
        const isFolded = folded.has(index);
        return (
          <div key={index} className="yl">
            <span className="ln" aria-hidden="true">
              {index + 1}
            </span>
            {line.end === undefined ? (
              <span className="fold" />
            ) : (
              <button
                type="button"
                className="fold"
                aria-expanded={!isFolded}
                aria-label={`${isFolded ? 'Unfold' : 'Fold'} line ${index + 1}`}
                tabIndex={-1}
                onClick={() => toggle(index)}
              >
                {isFolded ? (
                  <ChevronRight size={11} aria-hidden="true" />
                ) : (
                  <ChevronDown size={11} aria-hidden="true" />
                )}
              </button>
            )}
            <code>
              <Tokens tokens={line.tokens} />
              {isFolded && line.end !== undefined && <span className="c"> … {line.end - index} lines</span>}
            </code>
          </div>
        );
      })}
    </pre>
  );
});

function Tokens({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map(([type, text], index) =>
    type === '' ? (
      text
    ) : (
      <span key={`${index}`} className={type}>
        {text}
      </span>
    ),
  );
}
