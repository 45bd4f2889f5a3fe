import { type ReactNode, useEffect, useId } from 'react';
import type { Manifest, ManifestDocument } from '../../../kube/manifest.ts';
import { noData, noHosts, type Pair, type ParsedValues, parsedValues } from '../../../kube/parsed-values.ts';
import { Badge, badgeLook } from '../../kit/Badge.tsx';
import { cardLook } from '../../kit/card.ts';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { CardHead } from './CardHead.tsx';
import { createTexts } from './messages.ts';

/** Callbacks of the parsed YAML: called on every change, and once on load (specification section 4). */
export interface ParsedEvents {
  /** Called with every result: the values of the documents, null for blank text. */
  readonly onParsed?: ((values: readonly unknown[] | null) => void) | undefined;
  /** Called with every failure, in the parser's words. */
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

/** The parsed YAML, whether it is valid, and its errors (specification sections 2 to 4). */
export function ParsedPanel({ manifest, onParsed, onError }: ParsedPanelProps) {
  const id = useId();
  useEffect(() => {
    if (manifest !== undefined) tell(manifest, { onParsed, onError });
  }, [manifest, onParsed, onError]);
  const isValid = manifest?.type === 'valid';
  const documents = isValid ? manifest.documents : [];
  return (
    <section className={`flex h-[370px] flex-col overflow-hidden ${cardLook}`} aria-labelledby={id}>
      <CardHead>
        <h3 id={id} className="text-(length:--text-sm) font-semibold">
          Parsed Values
        </h3>
        <span className="min-w-0 flex-1" />
        <Badge tone={isValid ? 'ok' : 'bad'} role="status">
          <Glyph tone={isValid ? 'done' : 'bad'} size={11} />
          {isValid ? createTexts.valid : createTexts.invalid}
        </Badge>
      </CardHead>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
      <div className="min-h-0 flex-1 overflow-auto px-3 py-2.5" tabIndex={0}>
        {manifest?.type === 'invalid' && (
          <Note tone="bad" role="alert">
            <Glyph tone="bad" size={13} />
            <pre className="min-w-0 flex-1 font-mono text-(length:--text-sm) wrap-anywhere whitespace-pre-wrap">
              {createTexts.parseError(manifest.message)}
            </pre>
          </Note>
        )}
        {manifest?.type === 'invalid' && manifest.hint !== undefined && (
          <p className="mt-2 text-text-2">{manifest.hint}</p>
        )}
        {manifest?.type !== 'invalid' && documents.length === 0 && (
          <p className="text-text-2">{createTexts.nothingParsed}</p>
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
    <div className="not-first:mt-3 not-first:border-t not-first:border-border not-first:pt-3">
      {heading !== undefined && (
        <h4 className="mb-1 font-semibold">
          {heading} <span className="font-normal text-text-3">line {document.line}</span>
        </h4>
      )}
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 gap-y-0.5">
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
        <ul className="mt-2.5 flex flex-col gap-1" aria-label="Sent as something else">
          {document.notes.map((text) => (
            <li key={text} className="flex min-w-0 items-baseline gap-1.5">
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
      <dt className="text-text-2">{name}</dt>
      <dd className={strong === true ? 'font-semibold wrap-anywhere' : 'wrap-anywhere'}>{children}</dd>
    </>
  );
}

function Lists({ values, level }: { readonly values: ParsedValues; readonly level: 'h4' | 'h5' }) {
  const { hosts, data, stringData, labels, annotations } = values;
  return (
    <>
      {hosts !== undefined && <WordList level={level} title="Hosts" words={hosts} none={noHosts} />}
      {data !== undefined && <WordList level={level} title="Data" words={data} none={noData} />}
      {stringData !== undefined && (
        <WordList level={level} title="String data" words={stringData} none={noData} />
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

function WordList({ level: Heading, title, words, none }: WordsProps) {
  return (
    <>
      <Heading className="mt-2.5 mb-1 font-medium text-text-2">{title}</Heading>
      {words.length === 0 ? (
        <p className="text-text-2">{none}</p>
      ) : (
        <ul className="flex flex-wrap gap-1">
          {words.map((word, index) => (
            <li key={`${index} ${word}`} className={badgeLook({ isBreaking: true, className: 'font-mono' })}>
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
      <Heading className="mt-2.5 mb-1 font-medium text-text-2">{title}</Heading>
      <ul className="flex flex-wrap gap-1">
        {pairs.map(([key, value]) => (
          <li
            key={key}
            className={badgeLook({ isBreaking: true, className: 'font-mono' })}
            title={`${key}: ${value}`}
          >
            <span className="text-text-3">{key}</span> <span className="min-w-0 truncate">{value}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
