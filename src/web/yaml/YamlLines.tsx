import { ChevronDown, ChevronRight } from 'lucide-react';
import { codeLook } from '../kit/code.ts';
import type { Token, TokenType, YamlLine } from './highlight.ts';

/** The box around lines of YAML. */
export const yamlLook = `${codeLook} min-w-max pt-2 pr-3 pb-4`;

const colours: Readonly<Record<Exclude<TokenType, ''>, string>> = {
  k: 'text-code-key',
  s: 'text-code-string',
  n: 'text-code-number',
  c: 'text-code-comment',
  p: 'text-code-punct',
};

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
      // Marks piled up on a letter do not reach into other lines.
      <div key={index} data-part="yaml-line" className="flex overflow-y-clip">
        <span className="w-13 flex-none pr-2 text-right text-text-3 select-none" aria-hidden="true">
          {index + 1}
        </span>
        {line.end === undefined ? (
          <span className="w-4 flex-none" />
        ) : (
          <button
            type="button"
            data-fold=""
            className="grid w-4 flex-none place-items-center text-text-3 select-none hover:text-text"
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
          {isFolded && line.end !== undefined && (
            <span className={colours.c}> … {line.end - index} lines</span>
          )}
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
      <span key={`${index}`} className={colours[type]}>
        {text}
      </span>
    ),
  );
}
