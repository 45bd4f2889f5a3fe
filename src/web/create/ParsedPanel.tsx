import { type ReactNode, useEffect, useId } from 'react';
import type { Manifest, ManifestDocument } from '../../kube/manifest.ts';
import { noData, noHosts, type Pair, type ParsedValues, parsedValues } from '../../kube/parsed-values.ts';
import { Glyph } from '../ui/marks.tsx';
import { createTexts } from './messages.ts';

/** Who is told of what a text is: on every change, and once on load (specification section 4). */
export interface ParsedEvents {
  /** Told of every result: the values of the documents, null for blank text. */
  readonly onParsed?: ((values: readonly unknown[] | null) => void) | undefined;
  /** Told of every failure, in the parser's words. */
  readonly onError?: ((message: string) => void) | undefined;
}

interface ParsedPanelProps extends ParsedEvents {
  /** Undefined until the first text was read. */
  readonly manifest: Manifest | undefined;
}

/** Tells of one result. */
export function tell(manifest: Manifest, { onParsed, onError }: ParsedEvents): void {
  if (manifest.type === 'empty') onParsed?.(null);
  else if (manifest.type === 'valid') onParsed?.(manifest.documents.map(({ value }) => value));
  else onError?.(manifest.message);
}

/** What the YAML beside it says, whether it is valid, and what is wrong with it (specification sections 2 to 4). */
export function ParsedPanel({ manifest, onParsed, onError }: ParsedPanelProps) {
  const id = useId();
  useEffect(() => {
    if (manifest !== undefined) tell(manifest, { onParsed, onError });
  }, [manifest, onParsed, onError]);
  const isValid = manifest?.type === 'valid';
  const documents = isValid ? manifest.documents : [];
  return (
    <section className="card pv" aria-labelledby={id}>
      <header>
        <h3 id={id}>Parsed Values</h3>
        <span className="grow" />
        <span className={`badge ${isValid ? 'ok' : 'bad'}`} role="status">
          <Glyph tone={isValid ? 'done' : 'bad'} size={11} />
          {isValid ? createTexts.valid : createTexts.invalid}
        </span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
      <div className="pvb" tabIndex={0}>
        {manifest?.type === 'invalid' && (
          <div className="note bad" role="alert">
            <Glyph tone="bad" size={13} />
            <pre className="grow">{createTexts.parseError(manifest.message)}</pre>
          </div>
        )}
        {manifest?.type === 'invalid' && manifest.hint !== undefined && (
          <p className="sec parse-hint">{manifest.hint}</p>
        )}
        {manifest?.type !== 'invalid' && documents.length === 0 && (
          <p className="sec">{createTexts.nothingParsed}</p>
        )}
        {documents.map((document, index) => (
          <DocumentValues
            key={`${index}`}
            document={document}
            heading={documents.length > 1 ? `Document ${index + 1} of ${documents.length}` : undefined}
          />
        ))}
      </div>
    </section>
  );
}

interface DocumentValuesProps {
  readonly document: ManifestDocument;
  readonly heading: string | undefined;
}

function DocumentValues({ document, heading }: DocumentValuesProps) {
  const values = parsedValues(document.value);
  return (
    <div className="pvd">
      {heading !== undefined && (
        <h4>
          {heading} <span className="muted thin">line {document.line}</span>
        </h4>
      )}
      <dl className="kv">
        <Row name="Kind" strong>
          {values.kind}
        </Row>
        <Row name="Name" strong>
          {values.name}
        </Row>
        <Row name="Namespace">{values.namespace}</Row>
        {values.replicas !== undefined && <Row name="Replicas">{values.replicas}</Row>}
        {values.type !== undefined && <Row name="Type">{values.type}</Row>}
      </dl>
      <Lists values={values} level={heading === undefined ? 'h4' : 'h5'} />
      {document.notes !== undefined && (
        <ul className="parsed-notes" aria-label="Sent as something else">
          {document.notes.map((text) => (
            <li key={text} className="row">
              <Glyph tone="warn" size={11} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={strong === true ? 'semi' : ''}>{children}</dd>
    </>
  );
}

function Lists({ values, level }: { readonly values: ParsedValues; readonly level: 'h4' | 'h5' }) {
  const { hosts, data, stringData, labels, annotations } = values;
  return (
    <>
      {hosts !== undefined && <Words level={level} title="Hosts" words={hosts} none={noHosts} />}
      {data !== undefined && <Words level={level} title="Data" words={data} none={noData} />}
      {stringData !== undefined && (
        <Words level={level} title="String data" words={stringData} none={noData} />
      )}
      {labels !== undefined && <Pairs level={level} title="Labels" pairs={labels} />}
      {annotations !== undefined && <Pairs level={level} title="Annotations" pairs={annotations} />}
    </>
  );
}

interface WordsProps {
  readonly level: 'h4' | 'h5';
  readonly title: string;
  readonly words: readonly string[];
  readonly none: string;
}

function Words({ level: Heading, title, words, none }: WordsProps) {
  return (
    <>
      <Heading className="part">{title}</Heading>
      {words.length === 0 ? (
        <p className="sec">{none}</p>
      ) : (
        <ul className="chips">
          {words.map((word, index) => (
            <li key={`${index} ${word}`} className="badge mono">
              {word}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface PairsProps {
  readonly level: 'h4' | 'h5';
  readonly title: string;
  readonly pairs: readonly Pair[];
}

function Pairs({ level: Heading, title, pairs }: PairsProps) {
  return (
    <>
      <Heading className="part">{title}</Heading>
      <ul className="chips">
        {pairs.map(([key, value]) => (
          <li key={key} className="badge mono" title={`${key}: ${value}`}>
            <span className="muted">{key}</span> <span className="trunc">{value}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
