import { CopyButton } from '../../kit/CopyButton.tsx';
import { Section } from '../../kit/Section.tsx';

/** Values longer than this are folded. */
const foldLength = 400;
const line = 'flex min-w-0 items-center gap-1.5';
const valueLook =
  'mono mt-1 max-h-96 overflow-auto rounded-sm border border-border bg-raised px-2 py-1.5 wrap-anywhere whitespace-pre-wrap';
/** Keys shown at most: a list of more says so. */
const maxKeys = 200;

interface DataProps {
  readonly data: Readonly<Record<string, unknown>>;
  readonly binaryData: Readonly<Record<string, unknown>>;
}

/** Keys and values of a config map; what is binary is only measured. */
export function Data({ data, binaryData }: DataProps) {
  const texts = Object.entries(data).map(([key, value]) => [key, String(value)] as const);
  const binaries = Object.entries(binaryData).map(([key, value]) => [key, String(value)] as const);
  const count = texts.length + binaries.length;
  return (
    <Section title="Data" about={count}>
      {count === 0 && <p className="text-text-2">It has no data.</p>}
      {texts.slice(0, maxKeys).map(([key, value]) => (
        <div key={key} className="mt-2">
          <div className={line}>
            <h3 className="mono min-w-0 flex-1 wrap-anywhere">{key}</h3>
            <CopyButton text={() => value}>Copy</CopyButton>
          </div>
          {value.length > foldLength ? (
            <details>
              <summary className="text-xs text-text-3">
                {value.length.toLocaleString('en')} characters, {value.split('\n').length} lines
              </summary>
              <pre className={valueLook}>{value}</pre>
            </details>
          ) : (
            <pre className={valueLook}>{value === '' ? ' ' : value}</pre>
          )}
        </div>
      ))}
      {binaries.map(([key, value]) => (
        <div key={key} className={line}>
          <h3 className="mono">{key}</h3>
          <span className="text-xs text-text-3">
            binary, {Math.floor(value.length * 0.75).toLocaleString('en')} bytes
          </span>
        </div>
      ))}
      {texts.length > maxKeys && (
        <p className="text-text-2">The first {maxKeys} are shown; the YAML has them all.</p>
      )}
    </Section>
  );
}
