import { CopyButton } from '../../ui/CopyButton.tsx';
import { Section } from './Section.tsx';

/** Values longer than this are folded. */
const longest = 400;
/** Keys shown at most: a list of more says so. */
const most = 200;

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
      {count === 0 && <p className="sec">It has no data.</p>}
      {texts.slice(0, most).map(([key, value]) => (
        <div key={key} className="data-entry">
          <div className="row">
            <h3 className="mono grow">{key}</h3>
            <CopyButton text={() => value}>Copy</CopyButton>
          </div>
          {value.length > longest ? (
            <details>
              <summary className="sub">
                {value.length.toLocaleString('en')} characters, {value.split('\n').length} lines
              </summary>
              <pre className="mono data-value">{value}</pre>
            </details>
          ) : (
            <pre className="mono data-value">{value === '' ? ' ' : value}</pre>
          )}
        </div>
      ))}
      {binaries.map(([key, value]) => (
        <div key={key} className="row">
          <h3 className="mono">{key}</h3>
          <span className="sub">binary, {Math.floor(value.length * 0.75).toLocaleString('en')} bytes</span>
        </div>
      ))}
      {texts.length > most && <p className="sec">The first {most} are shown; the YAML has them all.</p>}
    </Section>
  );
}
