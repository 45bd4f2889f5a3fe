import { ChevronDown, ChevronRight } from 'lucide-react';
import type { Token, YamlLine } from './highlight.ts';

/** YAML and what is folded of it. */
export interface FoldedYaml {
  readonly lines: readonly YamlLine[];
  /** Indices of the lines whose blocks are folded. */
  readonly folded: ReadonlySet<number>;
  readonly onToggle: (index: number) => void;
}

/** Some lines of YAML, by their indices. */
export function YamlLines({
  lines,
  folded,
  onToggle,
  shown,
}: FoldedYaml & { readonly shown: readonly number[] }) {
  return shown.map((index) => {
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
            onClick={() => onToggle(index)}
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
  });
}

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
